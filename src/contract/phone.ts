import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { memoizeLast } from '../values/memoize.ts';
import { hasAreaCode } from './national-phone.ts';
import { isSurelyValidPhone, surelyNationalPhone } from './quick-phone-check.ts';

/**
 * Returns the number unchanged if every digit of it is dialled, otherwise in international form (E.123): the 0 of `+44
 * (0)20` is not dialled. Undefined without `+`, or for an impossible length.
 */
export function normalizePhone(value: string): string | undefined {
  if (isSurelyValidPhone(value)) return value;
  const number = value.startsWith('+') ? readPhone(value) : undefined;
  if (!number?.isPossible()) return undefined;
  const dialled = number.number.slice(1) + (number.ext ?? '');
  return value.replace(/\D/g, '') === dialled ? value : number.formatInternational();
}

/**
 * Returns a national number in international form. Undefined if it is not valid in the country, or may lack its area
 * code.
 */
export function nationalPhone(value: string, country: string): string | undefined {
  if (value.startsWith('+') || (country === '' && !value.includes('+'))) return undefined;
  const sure = surelyNationalPhone(value, country);
  if (sure !== undefined) return sure;
  const number = parsePhone(value, country as CountryCode);
  return number?.isValid() && hasAreaCode(value, number) ? number.formatInternational() : undefined;
}

/** Groups the digits of a number with `+`. Returns any other text unchanged. */
export function groupedPhone(value: string): string {
  return readPhone(value)?.formatInternational() ?? value;
}

export function isValidPhone(value: string): boolean {
  return isSurelyValidPhone(value) || readPhone(value)?.isValid() === true;
}

const readPhone = memoizeLast((value: string) => parsePhone(value));

/** The library throws for texts without digits, or with letters before them, except `;phone-context=` (RFC 3966). */
const NO_PHONE = /^(?!.{0,250};phone)[^\p{Nd}\u30fc]*(?:(?!\u30fc)\p{L}|$)/isu;

function parsePhone(value: string, defaultCountry?: CountryCode) {
  if (NO_PHONE.test(value)) return undefined;
  return parsePhoneNumberFromString(value, { ...(defaultCountry && { defaultCountry }), extract: false });
}
