/** Unicode normalisation of authored texts in linear time. */

/** Maximum number of consecutive marks (UAX #15, 13): normalising 100,000 of them would take minutes. */
export const MAX_COMBINING_MARKS = 30;

export const MAX_TITLE = 500;
/** Longer titles raise a warning. */
export const LONG_TITLE = 120;

const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MAX_COMBINING_MARKS + 1}}`, 'u');
/** Maximum number of characters of any field. */
export const MAX_TEXT = 20_000;
/** Longer texts raise a warning. */
export const LONG_TEXT = 5000;

/** NFC changes only texts that contain one of these characters. */
const MAY_CHANGE = /[\u0300-\uffff]/;

export function hasTooManyCombiningMarks(text: string): boolean {
  return MAY_CHANGE.test(text) && TOO_MANY_MARKS.test(text);
}

/** A text with too many consecutive marks is returned unchanged. */
export function toNfc(text: string): string {
  return !MAY_CHANGE.test(text) || TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');
}

/** Keeps letters and digits; drops letter case, accents, spaces and punctuation. */
export function foldToLetters(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

export function codePointLength(text: string): number {
  return MAY_CHANGE.test(text) ? [...text].length : text.length;
}
