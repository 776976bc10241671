import type { PhoneNumber } from 'libphonenumber-js/core';

/** Longer than a number within a town: only its 0 can be missing, as a spreadsheet leaves it. */
const MORE_THAN_LOCAL = 9;

/** In Ireland `952 1234` may be a neighbour's number, or 095 21234 without its 0. `number`: what it was taken for. */
export function isDialledNationwide(typed: string, number: PhoneNumber): boolean {
  const digits = (text: string) => text.replace(/\D/g, '').length;
  const { length } = number.nationalNumber;
  return digits(typed) >= Math.min(MORE_THAN_LOCAL, length + 1, digits(number.formatNational()));
}
