/**
 * The downloads in chunks: stretches of the sequence that are made, compressed and remembered on their own, so that a
 * build makes only those that hold a change and copies the others. Where a chunk ends depends on the ids alone:
 * a property that comes or goes moves no boundary but its own.
 */

import { textHash } from '../../packed/format/chunk-ends.ts';
import type { Comparable } from '../../release/comparison.ts';
import { digestOf } from '../../release/digest.ts';

/** A stretch of the sequence, from `start` up to and without `end`. */
export type BulkChunk = {
  readonly start: number;
  readonly end: number;
  /** Digest of the summaries and details of its properties. */
  readonly digest: string;
};

/** What the next build has to know of a chunk: its digest, the number of its properties, and its part of each file. */
export type WrittenChunk = readonly [
  digest: string,
  count: number,
  ndjson: WrittenPart,
  gzip: WrittenPart,
  geojson: WrittenPart,
];

/** A part of a file: its length in bytes, and its digest. */
export type WrittenPart = readonly [length: number, digest: string];

/** About one id in so many ends a chunk. */
const USUAL_SIZE = 32;
const MAX_SIZE = 256;

/** Divides the sequence. */
export function chunksOf(sequence: readonly Comparable[]): BulkChunk[] {
  const chunks: BulkChunk[] = [];
  let start = 0;
  let text = '';
  sequence.forEach(({ id, summaryDigest, detailDigest }, index) => {
    text += id + summaryDigest + detailDigest;
    const end = index + 1;
    const isLast = (textHash(id) & (USUAL_SIZE - 1)) === 0;
    if (end < sequence.length && end - start < MAX_SIZE && !isLast) return;
    chunks.push({ start, end, digest: digestOf(text) });
    start = end;
    text = '';
  });
  return chunks;
}
