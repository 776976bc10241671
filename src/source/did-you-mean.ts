/** Suggests the known word nearest to an unknown one ("Did you mean"). */
import leven from 'leven';
import { lettersOf } from '../contract/unicode.ts';

/** Longest compared word, in UTF-16 units: the time grows with its square. */
const LONGEST = 100;

/** Finds the nearest known word; undefined when none is near. At most a third of the letters may differ. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const wanted = word.trim().toLowerCase();
  if (wanted === '') return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    if (candidate === word) continue;
    const folded = candidate.toLowerCase();
    const distance =
      folded === wanted ? 0 : isScrambled(wanted, folded) ? 1 : leven(wanted, folded, { maxDistance: least });
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Tells whether two words have the same letters in another order, the commonest typo. */
export function isScrambled(a: string, b: string): boolean {
  return a.length === b.length && sorted(a) === sorted(b);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

/** Shortest word, in letters, that is corrected: shorter ones are too often another word. */
const LONG_ENOUGH = 5;

/**
 * Returns the known word this typo must stand for; undefined when the word is known, or ambiguous. It is the only one
 * of the same letters and digits (`Wi-Fi` for `wifi`), or the only near one, one letter away.
 */
export function certainMatch(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST || known.includes(word)) return undefined;
  const letters = lettersOf(word);
  const same = known.filter((candidate) => lettersOf(candidate) === letters);
  if (same.length > 0 || word.length < LONG_ENOUGH) return same.length === 1 ? same[0] : undefined;
  const wanted = word.toLowerCase();
  const near = known
    .map((candidate) => ({ candidate, distance: leven(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.floor(wanted.length / 3));
  return near.length === 1 && near[0]!.distance === 1 ? near[0]!.candidate : undefined;
}
