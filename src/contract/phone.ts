import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { memoizeLast } from '../values/memoize.ts';
import { isDialledNationwide } from './national-phone.ts';
import { isSurelyValidPhone, surelyNationalPhone } from './quick-phone-check.ts';

/** Unchanged if all its digits are dialled, else as in E.123. Undefined without `+`, or if its length is impossible. */
export function normalizePhone(value: string): string | undefined {
  if (isSurelyValidPhone(value)) return value;
  const number = value.startsWith('+') ? readPhone(value) : undefined;
  if (!number?.isPossible()) return undefined;
  const dialled = number.number.slice(1) + (number.ext ?? '');
  return value.replace(/\D/g, '') === dialled ? value : number.formatInternational();
}

/** International form. Undefined if the number is not valid in the country, or may lack its area code. */
export function nationalPhone(value: string, country: string): string | undefined {
  if (value.startsWith('+') || (country === '' && !value.includes('+'))) return undefined;
  const sure = surelyNationalPhone(value, country);
  if (sure !== undefined) return sure;
  const options = { defaultCountry: country as CountryCode, extract: false };
  const number = parsePhoneNumberFromString(value, options);
  return number?.isValid() && isDialledNationwide(value, number) ? number.formatInternational() : undefined;
}

/** Groups the digits of a valid number in international form. Returns any other text unchanged. */
export function groupedPhone(value: string): string {
  return readPhone(value)?.formatInternational() ?? value;
}

export function isValidPhone(value: string): boolean {
  return isSurelyValidPhone(value) || readPhone(value)?.isValid() === true;
}

const readPhone = memoizeLast((value: string) => parsePhoneNumberFromString(value, { extract: false }));
