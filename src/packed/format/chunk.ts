/**
 * Chunks: consecutive records of the sequence in one object, from which pages are cut without parsing JSON
 * (docs/release-format.md). Little-endian.
 */
import type { PartSizes } from './divide.ts';

/** Chunk sizes in records. The average is 860. */
export const CHUNKS: PartSizes = { every: 8192, most: 1280 };

export type ChunkCity = { readonly country: string; readonly city: string; readonly count: number };

export type Chunk = {
  /** Number of records, from 1. */
  readonly count: number;
  /** Cities of the records, in order; their counts add up to `count`. */
  readonly cities: readonly ChunkCity[];
  /** Summaries, joined by commas. */
  readonly entries: Uint8Array;
  /** `count + 1` offsets: entry `i` extends from `offsets[i]` to `offsets[i + 1] - 1`. */
  readonly offsets: Uint32Array;
};

/** `PCK1`, which includes the version. */
const MAGIC = 0x314b4350;
const HEAD = 12;

export function encodeChunk(summaries: readonly string[], cities: readonly ChunkCity[]): Uint8Array {
  const count = summaries.length;
  const table = encodeCities(cities);
  const entries = Buffer.from(summaries.join(','));
  const tableStart = HEAD + 4 * (count + 1);
  const chunk = new Uint8Array(tableStart + table.length + entries.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, count, true);
  view.setUint32(8, table.length, true);
  let offset = 0;
  for (let index = 0; index <= count; index++) {
    view.setUint32(HEAD + 4 * index, offset, true);
    offset += Buffer.byteLength(summaries[index] ?? '') + 1;
  }
  chunk.set(table, tableStart);
  chunk.set(entries, tableStart + table.length);
  return chunk;
}

function encodeCities(cities: readonly ChunkCity[]): Uint8Array {
  return new TextEncoder().encode(
    JSON.stringify(cities.map(({ country, city, count }) => [country, city, count])),
  );
}

/**
 * Parses a chunk, whose digest the caller has checked.
 *
 * @returns undefined for anything else than a chunk of this version.
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
    // Between two offsets are at least `{}` and a comma.
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

function parseCities(bytes: Uint8Array): ChunkCity[] | undefined {
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

/** Counts the cities of the entries from `start` up to, but not including, `end`. */
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

/** Returns the records from `from` up to, but not including, `to`, joined by commas, without copying. */
export function recordsOf({ entries, offsets }: Chunk, from: number, to: number): Uint8Array {
  return entries.subarray(offsets[from]!, offsets[to]! - 1);
}

/** Parses UTF-8 JSON; undefined when it is invalid. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export function isCountry(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value);
}

/** Tells whether a value is a non-empty text. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}
