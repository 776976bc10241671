import type { PhoneNumber } from 'libphonenumber-js/core';

/**
 * A number with at least this many digits includes its area code, even if a spreadsheet dropped the leading 0: local
 * numbers have fewer digits.
 */
const MORE_THAN_LOCAL = 9;

/**
 * False if the number may lack its area code. In Ireland, `952 1234` is ambiguous: a local number, or `095 21234` whose
 * leading 0 was dropped.
 * @param number the number parsed from `typed`
 */
export function hasAreaCode(typed: string, number: PhoneNumber): boolean {
  const digits = (text: string) => text.replace(/\D/g, '').length;
  const { length } = number.nationalNumber;
  return digits(typed) >= Math.min(MORE_THAN_LOCAL, length + 1, digits(number.formatNational()));
}
