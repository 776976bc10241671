/** How close a word of a text is to a word that was searched for. */
import { fold } from '../contract/order.ts';

const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}])+/gu;

/** Splits a text into words without case and accents. Chinese and Japanese have no spaces: each sign is a word. */
export function wordsOf(text: string): string[] {
  return fold(text).match(WORDS) ?? [];
}

/** Fewest letters of a word that may have one or two typos. */
const TYPO = 3;
const TYPOS = 8;

/** Closeness of a word with one typo: more than that of any text without. */
export const ONE_TYPO = 1000;

/** 0: the same; 1: the start of it; else {@link ONE_TYPO} for each typo. Undefined: another word. */
export function closeness(wanted: string, word: string): number | undefined {
  if (word.startsWith(wanted)) return word === wanted ? 0 : 1;
  // Another number is another house.
  if (wanted.length < TYPO || /\d/.test(wanted)) return undefined;
  if (isWithin(wanted, word, 1)) return ONE_TYPO;
  return wanted.length >= TYPOS && isWithin(wanted, word, 2) ? 2 * ONE_TYPO : undefined;
}

/** Tells whether a number of edits suffices: a letter more, less or another, or two neighbours that changed places. */
function isWithin(one: string, other: string, edits: number): boolean {
  if (Math.abs(one.length - other.length) > edits) return false;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const [a, b] = [one.slice(same), other.slice(same)];
  if (a === b || edits === 0) return a === b;
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0];
  return (
    isWithin(a.slice(1), b.slice(1), edits - 1) ||
    isWithin(a.slice(1), b, edits - 1) ||
    isWithin(a, b.slice(1), edits - 1) ||
    (isSwapped && isWithin(a.slice(2), b.slice(2), edits - 1))
  );
}
