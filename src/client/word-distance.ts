import { foldText } from '../contract/sort-order.ts';

const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}])+/gu;

/**
 * Splits a text into words without case and accents. In Chinese and Japanese, which have no spaces, each character is a
 * word.
 */
export function wordsOf(text: string): string[] {
  const folded = foldText(text);
  // For ASCII text, the short pattern is several times faster than {@link WORDS}.
  return folded.match(/^[ -~]*$/.test(folded) ? /[a-z\d]+/g : WORDS) ?? [];
}

const MIN_LETTERS_ONE_TYPO = 3;
const MIN_LETTERS_TWO_TYPOS = 8;

/** Distance of a word with one typo: so large that texts without typos always rank before texts with one. */
export const ONE_TYPO = 1000;

export const NO_MATCH = 1e6;

/**
 * 0 if the words are equal, 1 if `word` begins with `wanted`. Otherwise {@link ONE_TYPO} per typo, or {@link NO_MATCH}
 * if `wanted` has digits or too many typos for its length.
 */
export function wordDistance(wanted: string, word: string): number {
  if (word.startsWith(wanted)) return word === wanted ? 0 : 1;
  const { length } = wanted;
  // A house number with a typo is the number of another house.
  if (
    length < MIN_LETTERS_ONE_TYPO ||
    word.length < length - 2 ||
    word.length > length + 2 ||
    /\d/.test(wanted)
  )
    return NO_MATCH;
  if (isWithin(wanted, 0, word, 0, 1)) return ONE_TYPO;
  return length >= MIN_LETTERS_TWO_TYPOS && isWithin(wanted, 0, word, 0, 2) ? 2 * ONE_TYPO : NO_MATCH;
}

/** Whether up to `edits` edits make the words equal: adding, removing or replacing a letter, or swapping two. */
function isWithin(one: string, from: number, other: string, start: number, edits: number): boolean {
  let [a, b] = [from, start];
  while (a < one.length && one[a] === other[b]) {
    a++;
    b++;
  }
  const [left, right] = [one.length - a, other.length - b];
  if (left === 0 || right === 0 || edits === 0) return left + right <= edits;
  if (Math.abs(left - right) > edits) return false;
  const isSwapped = one[a] === other[b + 1] && one[a + 1] === other[b];
  return (
    isWithin(one, a + 1, other, b + 1, edits - 1) ||
    isWithin(one, a + 1, other, b, edits - 1) ||
    isWithin(one, a, other, b + 1, edits - 1) ||
    (isSwapped && isWithin(one, a + 2, other, b + 2, edits - 1))
  );
}

/** Gives each distinct word a number, so that a word is compared only once, however many titles contain it. */
export function createWordDictionary() {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  const known = new Map<string, number[]>();
  return {
    words: words as readonly string[],
    numbersOf: (text: string): number[] =>
      wordsOf(text).map((word) => {
        const number = numbers.get(word) ?? words.push(word) - 1;
        numbers.set(word, number);
        return number;
      }),
    /** Distance of each word from the wanted one, by word number. */
    costs(wanted: string): readonly number[] {
      if (known.size > MAX_REMEMBERED) known.clear();
      const costs = known.get(wanted) ?? [];
      known.set(wanted, costs);
      while (costs.length < words.length) costs.push(wordDistance(wanted, words[costs.length]!));
      return costs;
    },
  };
}

const MAX_REMEMBERED = 32;

export type WordDictionary = ReturnType<typeof createWordDictionary>;
