import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { rememberLast } from '../values/remember.ts';
import { isDialledNationwide } from './national-phone.ts';
import { isSurelyValid, surelyNational } from './sure-phone.ts';

/**
 * Unchanged if the number has the digits to dial, else written as in E.123. Undefined without `+`, or if the length is
 * impossible.
 */
export function publishedPhone(value: string): string | undefined {
  if (isSurelyValid(value)) return value;
  const number = value.startsWith('+') ? readPhone(value) : undefined;
  if (!number?.isPossible()) return undefined;
  const dialled = number.number.slice(1) + (number.ext ?? '');
  return value.replace(/\D/g, '') === dialled ? value : number.formatInternational();
}

/** International form; undefined if the number is not valid in the country, or may lack its area code. */
export function nationalPhone(value: string, country: string): string | undefined {
  if (value.startsWith('+') || (country === '' && !value.includes('+'))) return undefined;
  const sure = surelyNational(value, country);
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
  return isSurelyValid(value) || readPhone(value)?.isValid() === true;
}

const readPhone = rememberLast((value: string) => parsePhoneNumberFromString(value, { extract: false }));
