/** Phone numbers, by the numbering plans of libphonenumber (E.164). */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isSurelyValid } from './sure-phone.ts';

/**
 * Whether a phone number starts with `+` and is of a possible length for its country calling code (E.164).
 *
 * @example
 * isPossiblePhone('+353 1 605 7700') // true
 */
export function isPossiblePhone(value: string): boolean {
  return isSurelyValid(value) || (value.startsWith('+') && readPhone(value)?.isPossible() === true);
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

function readPhone(value: string) {
  return parsePhoneNumberFromString(value, { extract: false });
}
