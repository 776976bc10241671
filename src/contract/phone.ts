import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { memoizeLast } from '../values/memoize.ts';
import { hasAreaCode } from './phone-area-code.ts';
import { isSurelyValidPhone, quickInternationalPhone } from './quick-phone-check.ts';

/**
 * Returns a number unchanged if callers dial all of its digits. Otherwise, as for `+44 (0)20`, whose 0 is not dialled,
 * returns the international form (E.123). Undefined for a number without `+` or with an impossible length.
 */
export function normalizePhone(value: string): string | undefined {
  if (isSurelyValidPhone(value)) return value;
  const number = value.startsWith('+') ? readPhone(value) : undefined;
  if (!number?.isPossible()) return undefined;
  const dialled = number.number.slice(1) + (number.ext ?? '');
  return value.replace(/\D/g, '') === dialled ? value : number.formatInternational();
}

/**
 * Returns a national number in international form. Undefined if it starts with `+`, is not valid in the country, or may
 * lack its area code.
 */
export function internationalPhone(value: string, country: string): string | undefined {
  if (value.startsWith('+') || (country === '' && !value.includes('+'))) return undefined;
  const sure = quickInternationalPhone(value, country);
  if (sure !== undefined) return sure;
  const number = parsePhone(value, country as CountryCode);
  return number?.isValid() && hasAreaCode(value, number) ? number.formatInternational() : undefined;
}

/** Formats a number that starts with `+` in international form, with spaces. Any other text stays unchanged. */
export function groupedPhone(value: string): string {
  return readPhone(value)?.formatInternational() ?? value;
}

export function isValidPhone(value: string): boolean {
  return isSurelyValidPhone(value) || readPhone(value)?.isValid() === true;
}

const readPhone = memoizeLast((value: string) => parsePhone(value));

/**
 * Matches texts for which the library would throw and catch an error, which is slow: without a digit, or with a letter
 * before the first digit. Does not match texts with `;phone-context=` (RFC 3966), which the library can read.
 */
const NO_PHONE = /^(?!.{0,250};phone)[^\p{Nd}\u30fc]*(?:(?!\u30fc)\p{L}|$)/isu;

function parsePhone(value: string, defaultCountry?: CountryCode) {
  if (NO_PHONE.test(value)) return undefined;
  return parsePhoneNumberFromString(value, { ...(defaultCountry && { defaultCountry }), extract: false });
}
