/**
 * A chunk is one JSON object with consecutive records of the sequence (the summaries of all properties, in order). Its
 * first line has the length of each record, so that pages are cut out without parsing records (docs/release-format.md).
 */
import type { PartSizes } from './divide.ts';

/** In records. Most runs are longer than `most`; `divideByHash` divides them into chunks of 860 records on average. */
export const CHUNK_SIZES: PartSizes = { averageRun: 8192, most: 1280 };

export type CityRun = { readonly country: string; readonly city: string; readonly count: number };

export type Chunk = {
  /** Number of records, at least 1. */
  readonly count: number;
  /** Runs of consecutive records of one city. Their counts add up to `count`. */
  readonly cities: readonly CityRun[];
  /** Summaries, joined by commas. */
  readonly entries: Uint8Array;
  /** `count + 1` offsets: entry `i` extends from `offsets[i]` to `offsets[i + 1] - 1` (exclusive). */
  readonly offsets: Uint32Array;
};

/** `HEAD_END` ends the first line, and `END` the chunk. The entries are between them. */
const HEAD_END = ',"entries":[\n';
const END = ']}\n';

export function encodeChunk(summaries: readonly string[], cities: readonly CityRun[]): Uint8Array {
  const rows = cities.map(({ country, city, count }) => [country, city, count]);
  const lengths = summaries.map((summary) => Buffer.byteLength(summary));
  const head = JSON.stringify({ cities: rows, lengths }).slice(0, -1);
  return Buffer.from(head + HEAD_END + summaries.join(',') + END);
}

/** Does not check the digest. Undefined if the bytes are not a chunk of this version. */
export function parseChunk(bytes: Uint8Array): Chunk | undefined {
  const start = bytes.indexOf(LINE_FEED) + 1;
  const end = bytes.length - END.length;
  const headEnd = start - HEAD_END.length;
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  if (headEnd < 0 || text(headEnd, start) !== HEAD_END || text(end, bytes.length) !== END) return undefined;
  const head = parseJson(bytes.subarray(0, headEnd), '}');
  const { cities: rows, lengths } = (head ?? {}) as { [key: string]: unknown };
  const entries = bytes.subarray(start, end);
  const offsets = parseLengths(lengths, entries);
  const cities = parseCities(rows);
  const count = cities?.reduce((sum, city) => sum + city.count, 0);
  return offsets && count === offsets.length - 1 ? { count, cities: cities!, entries, offsets } : undefined;
}

const LINE_FEED = 0x0a;
const COMMA = 0x2c;

function parseLengths(lengths: unknown, entries: Uint8Array): Uint32Array | undefined {
  if (!Array.isArray(lengths) || lengths.length > CHUNK_SIZES.most) return undefined;
  const offsets = new Uint32Array(lengths.length + 1);
  let offset = 0;
  for (const [index, length] of (lengths as unknown[]).entries()) {
    // The shortest entry is `{}`.
    if (!isPositiveInteger(length) || length < 2) return undefined;
    offset += length + 1;
    offsets[index + 1] = offset;
    if (index < lengths.length - 1 && entries[offset - 1] !== COMMA) return undefined;
  }
  return offset === entries.length + 1 ? offsets : undefined;
}

function parseCities(table: unknown): CityRun[] | undefined {
  if (!Array.isArray(table)) return undefined;
  const cities: CityRun[] = [];
  for (const row of table as unknown[]) {
    const [country, city, count] = Array.isArray(row) ? (row as unknown[]) : [];
    if (!isCountryCode(country) || !isNonEmptyText(city) || !isPositiveInteger(count)) return undefined;
    cities.push({ country, city, count });
  }
  return cities;
}

/** Runs of consecutive entries of one city, from `start` up to `end` (exclusive). */
export function cityRunsOf(
  sequence: readonly { readonly country: string; readonly city: string }[],
  start: number,
  end: number,
): CityRun[] {
  const cities: { country: string; city: string; count: number }[] = [];
  for (let index = start; index < end; index++) {
    const { country, city } = sequence[index]!;
    const last = cities.at(-1);
    if (last && last.city === city && last.country === country) last.count++;
    else cities.push({ country, city, count: 1 });
  }
  return cities;
}

/** The records from `from` up to `to` (exclusive), joined by commas: a view of `entries`, not a copy. */
export function entryBytes({ entries, offsets }: Chunk, from: number, to: number): Uint8Array {
  return entries.subarray(offsets[from]!, offsets[to]! - 1);
}

/** Parses UTF-8 JSON, after appending `end`. Undefined if it is invalid. */
export function parseJson(bytes: Uint8Array, end = ''): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes) + end);
  } catch {
    return undefined;
  }
}

export function isCountryCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value);
}

export function isNonEmptyText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isPositiveInteger(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}
