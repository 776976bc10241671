/** Divides sequences so that a change of a few items leaves most parts unchanged (docs/packed-format.md). */

export type PartSizes = {
  /** Average distance of marks; a power of two, some times as large as `most`. */
  readonly every: number;
  /** Largest number of items in a part. */
  readonly most: number;
};

/** Tells whether the items from `start` up to, but not including, `end` may form one part. */
export type Fits = (start: number, end: number) => boolean;

/**
 * Divides a sequence at positions that depend on the hashes of its ids. An item whose hash is a multiple of `every` is
 * a mark and ends a run. A run that is too large is divided after its lowest hash in the middle third, recursively:
 * with marks alone, sizes would be uneven, and since a change is likelier to hit a large part, it would rewrite half
 * as much again.
 *
 * Adding or removing an item changes only its own run: usually one part, two if the item is a mark, rarely three.
 *
 * @param hashes hashes of the ids of the items.
 * @param fits limits the size of parts in addition to `most`; one item always fits.
 * @returns the index after the last item of each part.
 */
export function divide(hashes: Uint32Array, { every, most }: PartSizes, fits: Fits = () => true): number[] {
  const ends: number[] = [];
  const close = (start: number, end: number) => {
    const length = end - start;
    if (length < 2 || (length <= most && fits(start, end))) {
      ends.push(end);
      return;
    }
    const margin = Math.max(1, Math.floor(length / 3));
    let middle = start + margin;
    for (let at = middle + 1; at <= end - margin; at++)
      if (hashes[at - 1]! < hashes[middle - 1]!) middle = at;
    close(start, middle);
    close(middle, end);
  };
  const [total, mask] = [hashes.length, every - 1];
  for (let end = 1; end <= total; end++)
    // The end of the sequence counts as a mark.
    if (end === total || (hashes[end - 1]! & mask) === 0) close(ends.at(-1) ?? 0, end);
  return ends;
}
