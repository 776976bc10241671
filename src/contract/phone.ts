import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { rememberLast } from '../values/remember.ts';
import { isWhole } from './national-phone.ts';
import { isSurelyValid, surelyNational } from './sure-phone.ts';

/**
 * Converts a phone number to its published form: unchanged where its digits are those to dial, otherwise in international
 * form (E.123), without the trunk zero.
 *
 * @returns undefined for a text without `+`, and for a length that is impossible for its calling code (E.164).
 *
 * @example
 * publishedPhone('+353 (0)1 605 7700') // '+353 1 605 7700'
 */
export function publishedPhone(value: string): string | undefined {
  if (isSurelyValid(value)) return value;
  const number = value.startsWith('+') ? readPhone(value) : undefined;
  if (!number?.isPossible()) return undefined;
  const dialled = number.number.slice(1) + (number.ext ?? '');
  return value.replace(/\D/g, '') === dialled ? value : number.formatInternational();
}

/**
 * Converts a national number to international form; undefined when it is not valid in the country, or may lack its area
 * code.
 *
 * @param country ISO 3166-1 alpha-2 code.
 *
 * @example
 * nationalPhone('01 605 7700', 'IE') // '+353 1 605 7700'
 */
export function nationalPhone(value: string, country: string): string | undefined {
  if (value.startsWith('+')) return undefined;
  const sure = surelyNational(value, country);
  if (sure !== undefined) return sure;
  const options = { defaultCountry: country as CountryCode, extract: false };
  const number = parsePhoneNumberFromString(value, options);
  return number?.isValid() && isWhole(value, number) ? number.formatInternational() : undefined;
}

/** Groups the digits of a valid number in international form; others stay. */
export function groupedPhone(value: string): string {
  return readPhone(value)?.formatInternational() ?? value;
}

export function isValidPhone(value: string): boolean {
  return isSurelyValid(value) || readPhone(value)?.isValid() === true;
}

const readPhone = rememberLast((value: string) => parsePhoneNumberFromString(value, { extract: false }));
