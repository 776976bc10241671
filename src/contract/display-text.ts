import { ownValue } from '../values/own-value.ts';

const WORDS: Readonly<Record<string, string>> = {
  check_in: 'Check-in',
  check_out: 'Check-out',
  no_show: 'No-show',
  wifi: 'Wi-Fi',
  tv: 'TV',
  self_check_in: 'Self check-in',
  step_free_access: 'Step-free access',
  direct: 'When you book',
  property: 'At the property',
};

/** Turns `free_parking` into "Free parking" and `wifi` into "Wi-Fi". Texts that are not identifiers stay unchanged. */
export function identifierToWords(identifier: string): string {
  const known = ownValue(WORDS, identifier);
  if (known !== undefined || !/^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(identifier)) return known ?? identifier;
  const text = identifier.replaceAll('_', ' ');
  return text[0]!.toUpperCase() + text.slice(1);
}

/** Returns the code itself if it is unknown. */
export const countryName = (code: string): string => nameOf(code, 'region');

/** Returns the code itself if it is unknown. */
export const currencyName = (code: string): string => nameOf(code, 'currency');

export const languageName = (tag: string, language = 'en'): string => nameOf(tag, 'language', language);

/** Such as "€95", or "95 X" if the currency's code is malformed. */
export function priceText(value: string, currency: string): string {
  const digits = value.includes('.') ? {} : { minimumFractionDigits: 0 };
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(Number(value));
  } catch {
    return `${value} ${currency}`.trim();
  }
}

function nameOf(code: string, type: 'region' | 'currency' | 'language', language = 'en'): string {
  try {
    return new Intl.DisplayNames([language], { type }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Rounds to five decimals, about a metre. */
export function shortDegrees(degrees: string): string {
  return String(Number(Number(degrees).toFixed(5)));
}

/** Matches the calling code, which has one, two or three digits (ITU-T E.164). */
const CALLING_CODE = /^\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(?=\d+$)/;

/** Such as "+353 719 622 222". A number that the owner wrote with spaces stays unchanged. */
export function phoneText(phone: string): string {
  const [code] = CALLING_CODE.exec(phone) ?? [];
  const number = phone.slice(code?.length);
  if (code === undefined || number.length < 6) return phone;
  // Groups have three digits. If the number of digits is not a multiple of three, the last one or two groups have four.
  const long = Math.min(number.length % 3, Math.floor(number.length / 4));
  const start = number.slice(0, number.length - 4 * long).match(/\d{3}/g) ?? [];
  const end = number.slice(number.length - 4 * long).match(/\d{4}/g) ?? [];
  return [code, ...start, ...end].join(' ');
}
