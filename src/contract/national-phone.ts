import type { PhoneNumber } from 'libphonenumber-js/core';

/**
 * A number with this many digits is too long to be a local one. Only its leading 0 can be missing, which spreadsheets
 * drop.
 */
const MORE_THAN_LOCAL = 9;

/**
 * In Ireland `952 1234` may be a neighbour's number, or `095 21234` without its 0.
 * @param number the number that `typed` was taken for
 */
export function isDialledNationwide(typed: string, number: PhoneNumber): boolean {
  const digits = (text: string) => text.replace(/\D/g, '').length;
  const { length } = number.nationalNumber;
  return digits(typed) >= Math.min(MORE_THAN_LOCAL, length + 1, digits(number.formatNational()));
}
