import type { PhoneNumber } from 'libphonenumber-js/core';

/**
 * No local number is so long, so a number with at least this many digits includes its area code. At most the leading 0
 * is missing, which spreadsheets drop.
 */
const MORE_THAN_LOCAL = 9;

/**
 * False if the number may lack its area code. In Ireland, `952 1234` is ambiguous: a local number, or `095 21234` whose
 * leading 0 was dropped.
 * @param number the number that `typed` was interpreted as
 */
export function hasAreaCode(typed: string, number: PhoneNumber): boolean {
  const digits = (text: string) => text.replace(/\D/g, '').length;
  const { length } = number.nationalNumber;
  return digits(typed) >= Math.min(MORE_THAN_LOCAL, length + 1, digits(number.formatNational()));
}
