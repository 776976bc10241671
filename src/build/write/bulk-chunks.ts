/**
 * The downloads in chunks: stretches of the sequence that are made, compressed and remembered on their own, so that a
 * build writes anew only those that hold a change and copies the others. Where a chunk ends depends on the ids alone:
 * a property that comes or goes moves no boundary but its own.
 */

import { textHash } from '../../packed/format/chunk-ends.ts';
import type { Comparable } from '../../release/comparison.ts';
import { digestOf } from '../../release/digest.ts';
import { stretchesOf } from '../state/sequence.ts';

/** A stretch of the sequence, from `start` up to and without `end`. */
export type Chunk = {
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

/**
 * Divides the sequence.
 *
 * @param before the chunks of a stored sequence: entries of it that follow each other still need not be looked at.
 */
export function chunksOf(sequence: readonly Comparable[], before: readonly WrittenChunk[] = []): Chunk[] {
  const held = heldChunks(sequence, before);
  const chunks: Chunk[] = [];
  let start = 0;
  let text = '';
  for (let index = 0; index < sequence.length; ) {
    const known = start === index ? held.get(index) : undefined;
    if (known) {
      chunks.push(known);
      start = known.end;
      index = start;
      continue;
    }
    const { id, summaryDigest, detailDigest } = sequence[index]!;
    text += id + summaryDigest + detailDigest;
    index++;
    const isLast = (textHash(id) & (USUAL_SIZE - 1)) === 0;
    if (index < sequence.length && index - start < MAX_SIZE && !isLast) continue;
    chunks.push({ start, end: index, digest: digestOf(text) });
    start = index;
    text = '';
  }
  return chunks;
}

/** Chunks of which each property is still there, by the place where they start. */
function heldChunks(
  sequence: readonly Comparable[],
  before: readonly WrittenChunk[],
): ReadonlyMap<number, Chunk> {
  const held = new Map<number, Chunk>();
  if (before.length === 0) return held;
  const starts = [0];
  for (const [, count] of before) starts.push(starts.at(-1)! + count);
  for (const { from, to, stored, place } of stretchesOf(sequence)) {
    if (!stored) continue;
    // The last one ended because the sequence did.
    for (let chunk = firstFrom(starts, place); chunk < before.length - 1; chunk++) {
      const start = from + starts[chunk]! - place;
      const end = from + starts[chunk + 1]! - place;
      if (end > to) break;
      held.set(start, { start, end, digest: before[chunk]![0] });
    }
  }
  return held;
}

/** The first chunk that starts at a place or behind it. */
function firstFrom(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
