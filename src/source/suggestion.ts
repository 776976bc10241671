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
    const distance = folded === wanted ? 0 : leven(wanted, folded, { maxDistance: least });
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}
