/** "Did you mean": the known word nearest to one that is not known. */
import leven from 'leven';

/** The nearest of some known words, or undefined when none is near: at most a third of the letters may differ. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.trim().toLowerCase();
  if (wanted === '' || wanted.length > 100) return undefined;
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

/** Whether two words have the same letters in another order: the commonest slip of typing. */
export function isScrambled(a: string, b: string): boolean {
  return a.length === b.length && sorted(a) === sorted(b);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}
