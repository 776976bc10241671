import type { PhoneNumber } from 'libphonenumber-js/core';

/** Longer than a number within a town: only its 0 can be missing, as a spreadsheet leaves it. */
const MORE_THAN_LOCAL = 9;

/**
 * Tells whether a number was written as it is dialled from anywhere in its country. In Ireland `952 1234` may be the
 * number of a neighbour, or 095 21234 without its 0, which is in another town.
 *
 * @param number what it was taken for.
 */
export function isWhole(typed: string, number: PhoneNumber): boolean {
  const digits = (text: string) => text.replace(/\D/g, '').length;
  const { length } = number.nationalNumber;
  return digits(typed) >= Math.min(MORE_THAN_LOCAL, length + 1, digits(number.formatNational()));
}
