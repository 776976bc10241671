/** Divides sequences so that changing a few items leaves most parts unchanged (docs/release-format.md). */

export type PartSizes = {
  /**
   * Average number of items in a run, which {@link divideByHash} then divides into parts. A power of two; several times
   * `most`, unless `most` is infinite.
   */
  readonly averageRun: number;
  /** Maximum number of items in a part. */
  readonly most: number;
};

/** Whether the items from `start` up to `end` (exclusive) are few or small enough for one part. */
export type FitsInPart = (start: number, end: number) => boolean;

/**
 * Division depends on hashes of ids. An item whose hash is a multiple of `averageRun` ends a run. A run that is too
 * large is divided after the lowest hash in its middle third, recursively. Undivided runs would have very uneven sizes,
 * so that changes would rewrite 50 % more bytes. Adding or removing an item affects only its own run: usually one part,
 * two if the item ends a run, rarely three.
 * @param hashes hashes of the items' ids
 * @param fits limits parts in addition to `most`; a single item always fits
 * @returns for each part, the index after its last item
 */
export function divideByHash(
  hashes: Uint32Array,
  { averageRun, most }: PartSizes,
  fits: FitsInPart = () => true,
): number[] {
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
  const [total, mask] = [hashes.length, averageRun - 1];
  for (let end = 1; end <= total; end++)
    // The end of the sequence also ends a run.
    if (end === total || (hashes[end - 1]! & mask) === 0) close(ends.at(-1) ?? 0, end);
  return ends;
}
