/** What is made of repeated measurements. */

/** A measurement of two things next to each other in time, in the same unit. */
export type Pair = { readonly ours: number; readonly theirs: number };

/** The middle of the numbers, or the mean of the two in the middle. @throws RangeError when there are none. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('the median of nothing');
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
}

/**
 * Ours divided by theirs: the median of the ratios of the pairs, and not the ratio of the medians, since whatever
 * slows the machine down for a while slows both halves of a pair.
 */
export function medianRatio(pairs: readonly Pair[]): number {
  return median(pairs.map(({ ours, theirs }) => ours / theirs));
}

/** Pairs of two series that were measured in turn. @throws RangeError when one is longer than the other. */
export function pairsOf(ours: readonly number[], theirs: readonly number[]): Pair[] {
  if (ours.length !== theirs.length) throw new RangeError('two series of different lengths make no pairs');
  return ours.map((value, index) => ({ ours: value, theirs: theirs[index]! }));
}
