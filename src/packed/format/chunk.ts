/**
 * A chunk: consecutive records of the sequence in one object, from which a page is cut without parsing it
 * (docs/packed-format.md). Little-endian.
 */
import type { PartSizes } from './divide.ts';

/** Records of a chunk: 256 on average, since half of the marks have another one too soon after them. */
export const CHUNKS = { every: 128, least: 89, most: 1024 } as const satisfies PartSizes;

/** A stretch of records of one city in a chunk. */
export type ChunkCity = { readonly country: string; readonly city: string; readonly count: number };

/** A chunk that was read. */
export type Chunk = {
  /** Number of records, from 1. */
  readonly count: number;
  /** The cities of its records, in order; their counts add up to `count`. */
  readonly cities: readonly ChunkCity[];
  /** The summaries, joined by commas. */
  readonly entries: Uint8Array;
  /** Entry `i` is from `offsets[i]` up to and without `offsets[i + 1] - 1`; one more than there are records. */
  readonly offsets: Uint32Array;
};

/** Summaries joined by commas, one after the last too, and where each starts; `offsets` has one more than there are. */
export type JoinedEntries = { readonly bytes: Uint8Array; readonly offsets: Uint32Array };

/** `PCK1`, and so the version. */
const MAGIC = 0x314b4350;
const HEAD = 12;

/** The bytes of the chunk of the records `start` up to and without `end`. */
export function encodeChunk(
  { bytes, offsets }: JoinedEntries,
  start: number,
  end: number,
  cities: readonly ChunkCity[],
): Uint8Array {
  const count = end - start;
  const table = encodeCities(cities);
  const first = offsets[start]!;
  const entries = bytes.subarray(first, offsets[end]! - 1);
  const tableStart = HEAD + 4 * (count + 1);
  const chunk = new Uint8Array(tableStart + table.length + entries.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, count, true);
  view.setUint32(8, table.length, true);
  for (let index = 0; index <= count; index++) {
    view.setUint32(HEAD + 4 * index, offsets[start + index]! - first, true);
  }
  chunk.set(table, tableStart);
  chunk.set(entries, tableStart + table.length);
  return chunk;
}

/** The table of the cities of a chunk, or of a piece of the sequence. */
export function encodeCities(cities: readonly ChunkCity[]): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify(cities.map(({ country, city, count }) => [country, city, count])),
  );
}

/**
 * Reads a chunk. The caller has checked that its bytes have the digest in its name.
 *
 * @returns undefined when it is not a chunk of this version.
 */
export function parseChunk(bytes: Uint8Array): Chunk | undefined {
  if (bytes.length < HEAD) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(4, true);
  if (view.getUint32(0, true) !== MAGIC || count === 0 || count > CHUNKS.most) return undefined;
  const tableStart = HEAD + 4 * (count + 1);
  const entriesStart = tableStart + view.getUint32(8, true);
  if (entriesStart >= bytes.length) return undefined;
  const entries = bytes.subarray(entriesStart);
  const offsets = new Uint32Array(count + 1);
  for (let index = 0; index <= count; index++) {
    const offset = view.getUint32(HEAD + 4 * index, true);
    const previous = offsets[index - 1];
    // At least {} between two offsets and a comma before the second one.
    const isSound =
      previous === undefined
        ? offset === 0
        : offset > previous + 2 &&
          (index === count ? offset === entries.length + 1 : entries[offset - 1] === 0x2c);
    if (!isSound) return undefined;
    offsets[index] = offset;
  }
  const cities = parseCities(bytes.subarray(tableStart, entriesStart));
  const total = cities?.reduce((sum, city) => sum + city.count, 0);
  return cities && total === count ? { count, cities, entries, offsets } : undefined;
}

/** The cities of the records of a chunk, or of a piece of the sequence; undefined for anything else. */
export function parseCities(bytes: Uint8Array): ChunkCity[] | undefined {
  const table = parseJson(bytes);
  if (!Array.isArray(table)) return undefined;
  const cities: ChunkCity[] = [];
  for (const row of table as unknown[]) {
    const [country, city, count] = Array.isArray(row) ? (row as unknown[]) : [];
    if (!isCountry(country) || !isName(city) || !isCount(count)) return undefined;
    cities.push({ country, city, count });
  }
  return cities;
}

/** The cities of the entries `start` up to and without `end` of a sequence. */
export function citiesOf(
  sequence: readonly { readonly country: string; readonly city: string }[],
  start: number,
  end: number,
): ChunkCity[] {
  const cities: { country: string; city: string; count: number }[] = [];
  for (let index = start; index < end; index++) {
    const { country, city } = sequence[index]!;
    const last = cities.at(-1);
    if (last && last.city === city && last.country === country) last.count++;
    else cities.push({ country, city, count: 1 });
  }
  return cities;
}

/** The records `from` up to and without `to` of a chunk, joined by commas; not a copy. */
export function recordsOf({ entries, offsets }: Chunk, from: number, to: number): Uint8Array {
  return entries.subarray(offsets[from]!, offsets[to]! - 1);
}

/** A JSON document in UTF-8; undefined when the bytes are not one. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Whether a value is a country code. */
export function isCountry(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value);
}

/** Whether a value is the name of a city. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Whether a value is a number of things that are there. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}
