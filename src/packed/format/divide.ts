/** Divides sequences so that a change of a few items leaves most parts unchanged (docs/packed-format.md). */

export type PartSizes = {
  /** Average distance of marks, after which a part may end; a power of two. */
  readonly every: number;
  /** Smallest number of items in a part, unless the whole sequence has fewer. @default 1 */
  readonly least?: number;
  /** Largest number of items in a part; at least twice `least`. */
  readonly most: number;
};

/** Tells whether the items from `start` up to, but not including, `end` may form one part. */
export type Fits = (start: number, end: number) => boolean;

/**
 * Divides a sequence at positions that depend on the hashes of its ids. An item is a mark when its hash is a multiple
 * of `every`. A part ends after a mark with no other mark among the `least - 1` items after it; marks within `least`
 * items of the first or the last item do not count. A run between two such ends that is too large is divided after its
 * lowest hash in the middle third, recursively: anywhere else, parts would be smaller and more.
 *
 * A mark depends only on the items up to the next one, so a new or removed item adds, removes or moves one end, and
 * changes one or two parts. (With a smallest size counted from the last end, all later ends could move.) In a run that
 * is too large, it may change a few more.
 *
 * @param hashes hashes of the ids of the items.
 * @param fits limits the size of parts in addition to `most`; one item always fits.
 * @returns the index after the last item of each part.
 */
export function divide(
  hashes: Uint32Array,
  { every, least = 1, most }: PartSizes,
  fits: Fits = () => true,
): number[] {
  const ends: number[] = [];
  const close = (start: number, end: number) => {
    if (end - start < 2 || (end - start <= most && fits(start, end))) {
      ends.push(end);
      return;
    }
    const length = end - start;
    const margin = Math.min(Math.floor(length / 2), Math.max(least, Math.floor(length / 3)));
    let middle = start + margin;
    for (let at = middle + 1; at <= end - margin; at++)
      if (hashes[at - 1]! < hashes[middle - 1]!) middle = at;
    close(start, middle);
    close(middle, end);
  };
  const [total, mask] = [hashes.length, every - 1];
  let mark = 0;
  for (let end = least; end <= total; end++) {
    // The end of the sequence counts as a mark.
    if (end < total && (hashes[end - 1]! & mask) !== 0) continue;
    if (mark > 0 && end - mark >= least) close(ends.at(-1) ?? 0, mark);
    mark = end;
  }
  if (total > 0) close(ends.at(-1) ?? 0, total);
  return ends;
}
