/** Unicode normalisation of authored texts, in time that is proportional to their length. */

/**
 * How many combining marks may follow one another: the bound of the Stream-Safe Text Format (UAX #15, section 13),
 * beyond which no language goes. Normalisation sorts the marks of a run, which takes minutes for 100,000 of them.
 */
export const MAX_MARKS = 30;

/** The longest title, in characters. */
export const MAX_TITLE = 500;
/** The longest title that raises no warning. */
export const LONG_TITLE = 120;

const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, 'u');
/** The first character that NFC may change, or that may change another one. */
const MAY_CHANGE = /[\u0300-\uffff]/;

/**
 * Whether more than {@link MAX_MARKS} combining marks follow one another.
 *
 * @example
 * hasTooManyMarks(`e${'\u0301'.repeat(31)}`) // true
 */
export function hasTooManyMarks(text: string): boolean {
  return MAY_CHANGE.test(text) && TOO_MANY_MARKS.test(text);
}

/**
 * The text in Unicode NFC; as it is, when it has too many marks in a row.
 *
 * @example
 * toNfc('e\u0301') // 'é'
 */
export function toNfc(text: string): string {
  return !MAY_CHANGE.test(text) || TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');
}

/**
 * The letters and digits of a word, folded: what is left when letter case, accents, spaces and signs do not matter.
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

/**
 * Number of characters (code points) of a text.
 *
 * @example
 * lengthOf('🏠') // 1
 */
export function lengthOf(text: string): number {
  return MAY_CHANGE.test(text) ? [...text].length : text.length;
}
