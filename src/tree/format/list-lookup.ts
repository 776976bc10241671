/**
 * Finds the entries of a list in the chunks of a tree. Pure: the caller reads the objects. Steps of a request:
 * 1. Read the root.
 * 2. If the list is of a city: read the city's shard (`findCityShard`, `parseCityShard`). Then, for each country on the
 * page, read the chunk that `findChunkBefore` finds, and find the start of the city (`cityStart`).
 * 3. Read the chunks of the page (`pageSlices` of `release/page.ts`, `chunkSlices`) and cut the page out of them.
 */

import type { Range, Slice } from '../../contract/pagination.ts';
import { lastIndexPassing } from './binary-search.ts';
import type { Chunk } from './chunk.ts';
import { comparePositions, type Root, type SequencePosition } from './root.ts';
import { textHash } from './text-hash.ts';

export function countryRange(root: Root, country: string): Range | undefined {
  if (country === '') return { start: 0, end: root.total };
  return root.countries.find((run) => run.country === country);
}

/** Digest of the only shard that can contain the city; undefined if none can. */
export function findCityShard(root: Root, city: string): string | undefined {
  const hash = textHash(city);
  return root.cityShards[lastIndexPassing(root.cityShards, ({ from }) => from <= hash)]?.digest;
}

/**
 * Index of the last chunk whose first entry precedes the city. The city starts in this chunk or with the next one. -1
 * if the city is the first of the sequence.
 */
export function findChunkBefore(root: Root, position: SequencePosition): number {
  return lastIndexPassing(root.chunks, (chunk) => comparePositions(chunk, position) < 0);
}

/**
 * Index of the city's first entry in the sequence. Undefined if the objects contradict each other.
 * @param index result of {@link findChunkBefore}
 * @param chunk chunk at that index; undefined for -1
 */
export function cityStart(
  root: Root,
  position: SequencePosition,
  index: number,
  chunk: Chunk | undefined,
): number | undefined {
  let offset = 0;
  for (const { country, city, count } of chunk?.cities ?? []) {
    if (country === position.country && city === position.city) return root.chunks[index]!.start + offset;
    offset += count;
  }
  const next = root.chunks[index + 1];
  return next && comparePositions(next, position) === 0 ? next.start : undefined;
}

/** Slices of the chunks that have the entries from `from` up to `to` (exclusive). */
export function chunkSlices({ chunks }: Root, from: number, to: number): Slice[] {
  const slices: Slice[] = [];
  for (let index = lastIndexPassing(chunks, ({ start }) => start <= from); index < chunks.length; index++) {
    const { start, end } = chunks[index]!;
    if (start >= to) break;
    slices.push({ index, start: Math.max(0, from - start), end: Math.min(end, to) - start });
  }
  return slices;
}

/** Makes the text for a page's ETag. Two pages with the same text have the same bytes, even in different releases. */
export function pageIdentity(
  root: Root,
  slices: readonly Slice[],
  number: number,
  size: number,
  total: number,
): string {
  const parts = slices.map(({ index, start, end }) => `${root.chunks[index]!.digest} ${start} ${end}`);
  return [`${number} ${size} ${total}`, ...parts].join('\n');
}
