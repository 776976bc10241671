import leven from 'leven';
import { foldToLetters } from '../contract/unicode.ts';
import { memoizeByObject } from '../values/memoize.ts';

/** Words with more UTF-16 units are not compared, since that takes quadratic time. */
const MAX_COMPARED_LENGTH = 100;

/** Undefined if no word is near. At most a third of the letters may differ; in a word of up to five letters, one. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length > MAX_COMPARED_LENGTH) return undefined;
  const wanted = word.trim().toLowerCase();
  if (wanted === '') return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    if (candidate === word) continue;
    const folded = candidate.toLowerCase();
    const distance =
      folded === wanted
        ? 0
        : hasSameLetters(wanted, folded)
          ? 1
          : leven(wanted, folded, { maxDistance: least });
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** True for the same letters in any order: swapped letters are the most frequent typo. */
export function hasSameLetters(a: string, b: string): boolean {
  return a.length === b.length && sorted(a) === sorted(b);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

/** In shorter words, a wrong letter is not corrected: with one letter changed, they are too often another real word. */
const MIN_CORRECTED_LENGTH = 5;

/**
 * Returns the only known word with the same letters and digits (`wifi` for `Wi-Fi`). If no known word has the same
 * letters, returns the known word that differs by one letter, unless another known word is similar. Otherwise
 * undefined, also if `word` itself is known.
 */
export function certainMatch(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_COMPARED_LENGTH || known.includes(word)) return undefined;
  const letters = foldToLetters(word);
  const candidates = foldedOf(known);
  const same = candidates.filter((candidate) => candidate.letters === letters);
  if (same.length > 0 || word.length < MIN_CORRECTED_LENGTH)
    return same.length === 1 ? same[0]!.word : undefined;
  const wanted = word.toLowerCase();
  const slip = candidates.find(({ lower }) => differByOneLetter(wanted, lower));
  if (!slip) return undefined;
  const most = Math.floor(wanted.length / 3);
  const isNear = ({ lower }: Folded) => leven(wanted, lower, { maxDistance: most + 1 }) <= most;
  return candidates.some((one) => one !== slip && isNear(one)) ? undefined : slip.word;
}

type Folded = { readonly word: string; readonly letters: string; readonly lower: string };

const foldedOf = memoizeByObject((words: readonly string[]): readonly Folded[] =>
  words.map((word) => ({ word, letters: foldToLetters(word), lower: word.toLowerCase() })),
);

/** Comparing lengths and ends first makes this ten times as fast. */
export function differByOneLetter(one: string, other: string): boolean {
  const isComparable =
    Math.abs(one.length - other.length) <= 1 &&
    (one.charCodeAt(0) === other.charCodeAt(0) || one.at(-1) === other.at(-1));
  return isComparable && leven(one, other, { maxDistance: 2 }) === 1;
}
