/** Unicode normalisation of authored texts in linear time. */

/**
 * Largest number of consecutive combining marks: the limit of the Stream-Safe Text Format (UAX #15, section 13), which
 * no language exceeds. Normalisation sorts consecutive marks, which takes minutes for 100,000 of them.
 */
export const MAX_MARKS = 30;

export const MAX_TITLE = 500;
/** The longest title that raises no warning. */
export const LONG_TITLE = 120;

const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, 'u');
/** The longest text of any field, in characters. */
export const MAX_TEXT = 20_000;
/** The longest text that raises no warning. */
export const LONG_TEXT = 5000;

/** First character that NFC may change or combine with its neighbour. */
const MAY_CHANGE = /[\u0300-\uffff]/;

export function hasTooManyMarks(text: string): boolean {
  return MAY_CHANGE.test(text) && TOO_MANY_MARKS.test(text);
}

/**
 * Normalises a text to NFC; unchanged when it has too many consecutive marks.
 *
 * @example
 * toNfc('e\u0301') // 'é'
 */
export function toNfc(text: string): string {
  return !MAY_CHANGE.test(text) || TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');
}

/**
 * Folds a word to its letters and digits, without letter case, accents, spaces and punctuation.
 *
 * @example
 * lettersOf('Wi-Fi (café)') // 'wificafe'
 */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Number of characters (code points) in a text. */
export function lengthOf(text: string): number {
  return MAY_CHANGE.test(text) ? [...text].length : text.length;
}
