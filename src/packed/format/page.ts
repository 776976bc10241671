/**
 * Finds the records of a list in the packed layout. Pure: the caller reads the objects. Steps of a request:
 *
 * 1. the root; 2. with a city, its shard (`shardFor`, then `parseShard`) and for each country on the page the chunk in
 *    which the city starts (`chunkBefore`, then `cityStart`); 3. the chunks of the page (`slicesOf` of
 *    `release/page.ts`, then `chunkSlices`), from which the caller cuts the page.
 */

import type { Range, Slice } from '../../contract/pagination.ts';
import type { Chunk } from './chunk.ts';
import { lastIndex } from './last-index.ts';
import { comparePlaces, type Root, type SequencePosition } from './root.ts';
import { textHash } from './text-hash.ts';

export function countryRange(root: Root, country: string): Range | undefined {
  if (country === '') return { start: 0, end: root.total };
  return root.countries.find((run) => run.country === country);
}

/** Digest of the shard that would have a city; undefined when there is none. */
export function shardFor(root: Root, city: string): string | undefined {
  const hash = textHash(city);
  return root.shards[lastIndex(root.shards, ({ from }) => from <= hash)]?.digest;
}

/**
 * Index of the chunk that has the first record of an existing city, unless the next chunk starts with it: the last
 * chunk that starts before that record. -1 when the city is the first of the sequence.
 */
export function chunkBefore(root: Root, place: SequencePosition): number {
  return lastIndex(root.chunks, (chunk) => comparePlaces(chunk, place) < 0);
}

/**
 * Returns the index of a city's first record in the sequence.
 *
 * @param index result of {@link chunkBefore}.
 * @param chunk the chunk with that index; undefined for -1.
 * @returns undefined when the objects contradict each other.
 */
export function cityStart(
  root: Root,
  place: SequencePosition,
  index: number,
  chunk: Chunk | undefined,
): number | undefined {
  let offset = 0;
  for (const { country, city, count } of chunk?.cities ?? []) {
    if (country === place.country && city === place.city) return root.chunks[index]!.start + offset;
    offset += count;
  }
  const next = root.chunks[index + 1];
  return next && comparePlaces(next, place) === 0 ? next.start : undefined;
}

/** Maps the records from `from` up to, but not including, `to` of the sequence to slices of chunks. */
export function chunkSlices({ chunks }: Root, from: number, to: number): Slice[] {
  const slices: Slice[] = [];
  for (let part = lastIndex(chunks, ({ start }) => start <= from); part < chunks.length; part++) {
    const { start, end } = chunks[part]!;
    if (start >= to) break;
    slices.push({ part, start: Math.max(0, from - start), end: Math.min(end, to) - start });
  }
  return slices;
}

/** Identifies the content of a page: the same text means the same bytes, in every release. The base of entity tags. */
export function pageIdentity(
  root: Root,
  slices: readonly Slice[],
  number: number,
  size: number,
  total: number,
): string {
  const parts = slices.map(({ part, start, end }) => `${root.chunks[part]!.digest} ${start} ${end}`);
  return [`${number} ${size} ${total}`, ...parts].join('\n');
}
