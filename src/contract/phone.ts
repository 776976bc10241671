/** Phone numbers, by the numbering plans of libphonenumber (E.164). */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { rememberLast } from '../remember.ts';
import { isSurelyValid } from './sure-phone.ts';

/**
 * The form in which a phone number is published: as it is where its digits are those to dial, else in the international
 * form (E.123), without a zero that is dialled within its country alone.
 *
 * @returns undefined for a text without `+`, and for a length that its country calling code does not have (E.164).
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
 * The international form of a number as it is dialled within a country, where it is valid there.
 *
 * @param country ISO 3166-1 alpha-2 code.
 *
 * @example
 * nationalPhone('01 605 7700', 'IE') // '+353 1 605 7700'
 */
export function nationalPhone(value: string, country: string): string | undefined {
  if (value.startsWith('+')) return undefined;
  const options = { defaultCountry: country as CountryCode, extract: false };
  const number = parsePhoneNumberFromString(value, options);
  return number?.isValid() ? number.formatInternational() : undefined;
}

/**
 * Whether a phone number matches a range in use of its country's numbering plan.
 *
 * @example
 * isValidPhone('+353 1 605 7700') // true
 */
export function isValidPhone(value: string): boolean {
  return isSurelyValid(value) || readPhone(value)?.isValid() === true;
}

const readPhone = rememberLast((value: string) => parsePhoneNumberFromString(value, { extract: false }));
