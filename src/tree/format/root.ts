/** Formats of the root, whose digest names the release, and of `current.json`, which names the live release. */

import type { Range } from '../../contract/pagination.ts';
import { compareByCodePoint } from '../../contract/sort-order.ts';
import { CHUNK_SIZES, isCountryCode, isNonEmptyText, isPositiveInteger, parseJson } from './chunk.ts';

export const TREE_VERSION = 3;

/** Range and digest of a chunk, and the sort position of its first entry. */
type ChunkRange = Range & {
  readonly digest: string;
  readonly country: string;
  readonly folded: string;
  readonly city: string;
};

/** Locates the lists and details of a release. `release/root-contents.ts` reads the rest of a root. */
export type Root = {
  readonly release: string;
  readonly total: number;
  /** In ascending order of their codes. */
  readonly countries: readonly (Range & { readonly country: string })[];
  readonly chunks: readonly ChunkRange[];
  /** Ascending by their lowest hash. */
  readonly cityShards: readonly { readonly from: number; readonly digest: string }[];
  /** In ascending order of their first id. */
  readonly details: readonly DetailPart[];
  /** Digests of the chunks' facets, joined, in Base64, which is shorter than hexadecimal. */
  readonly facets: string;
};

/** `from`: the first id of the part, or a prefix of it. */
export type DetailPart = { readonly digest: string; readonly from: string };

export type RootFields = Omit<Root, 'release' | 'countries' | 'chunks' | 'total'> & {
  readonly countries: readonly { readonly country: string; readonly count: number }[];
  readonly chunks: readonly (Omit<ChunkRange, 'start' | 'end' | 'country'> & { readonly count: number })[];
  /** Members that readers of lists and details do not need. */
  readonly contents: object;
};

const DIGEST = /^[0-9a-f]{32}$/;

/** First 128 bits of a SHA-256 (FIPS 180-4), in lower-case hexadecimal digits. */
export function digestFromSha256(sha256: Uint8Array): string {
  let digits = '';
  for (let index = 0; index < 16; index++) digits += sha256[index]!.toString(16).padStart(2, '0');
  return digits;
}

export function rootText({ countries, chunks, cityShards, details, facets, contents }: RootFields): string {
  const head = JSON.stringify({
    version: TREE_VERSION,
    total: countries.reduce((sum, { count }) => sum + count, 0),
    countries: countries.map(({ country, count }) => [country, count]),
    cities: cityShards.map(({ from, digest }) => [from, digest]),
    facets,
    ...contents,
  });
  const lines = chunks.map(({ digest, count, folded, city }) =>
    JSON.stringify([digest, count, folded, city]),
  );
  const rows = details.map(({ digest, from }) => JSON.stringify([digest, from]));
  return `${head.slice(0, -1)},"chunks":${listText(lines)},"details":${listText(rows)}}\n`;
}

function listText(lines: readonly string[]): string {
  return `[${lines.length > 0 ? `\n${lines.join(',\n')}\n` : ''}]`;
}

/** Undefined if the bytes are not a consistent root of this version. Does not check that `release` is their digest. */
export function parseRoot(bytes: Uint8Array, release: string): Root | undefined {
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, total, countries, cities, chunks, details, facets } = value as {
    [key: string]: unknown;
  };
  if (version !== TREE_VERSION) return undefined;
  const runs = parseCountries(countries);
  const ranges = runs && parseChunks(chunks, runs);
  const cityShards = parseShards(cities);
  if (!runs || !ranges || !cityShards || total !== endOf(runs) || total !== endOf(ranges)) return undefined;
  const parts = parseDetails(details);
  if (!parts || typeof facets !== 'string' || !isJoined(facets, ranges.length)) return undefined;
  return { release, total, countries: runs, chunks: ranges, cityShards, details: parts, facets };
}

/** Whether the text is Base64 (RFC 4648) of `count` digests of 16 bytes. */
function isJoined(text: string, count: number): boolean {
  return text.length === 4 * Math.ceil((16 * count) / 3) && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** One digest per chunk, in order. */
export function facetDigests({ facets }: Pick<Root, 'facets'>): string[] {
  const bytes = Uint8Array.from(atob(facets), (character) => character.charCodeAt(0));
  return Array.from({ length: bytes.length / 16 }, (_, index) =>
    digestFromSha256(bytes.subarray(16 * index)),
  );
}

function endOf(list: readonly Range[]): number {
  return list.at(-1)?.end ?? 0;
}

function parseCountries(rows: unknown): (Range & { country: string })[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const runs: (Range & { country: string })[] = [];
  for (const row of rows as unknown[]) {
    const [country, count] = Array.isArray(row) ? (row as unknown[]) : [];
    if (!isCountryCode(country) || !isPositiveInteger(count) || country <= (runs.at(-1)?.country ?? ''))
      return undefined;
    const start = endOf(runs);
    runs.push({ country, start, end: start + count });
  }
  return runs;
}

function parseChunks(rows: unknown, countries: Root['countries']): ChunkRange[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const ranges: ChunkRange[] = [];
  let run = 0;
  for (const row of rows as unknown[]) {
    const start = endOf(ranges);
    const [digest, count, folded, city] = Array.isArray(row) ? (row as unknown[]) : [];
    while (run < countries.length && countries[run]!.end <= start) run++;
    const country = countries[run]?.country;
    if (typeof digest !== 'string' || !DIGEST.test(digest)) return undefined;
    if (typeof folded !== 'string' || !isNonEmptyText(city) || country === undefined) return undefined;
    if (!isPositiveInteger(count) || count > CHUNK_SIZES.most) return undefined;
    const range = { digest, start, end: start + count, country, folded, city };
    const previous = ranges.at(-1);
    if (previous && comparePositions(previous, range) > 0) return undefined;
    ranges.push(range);
  }
  return ranges;
}

function parseShards(rows: unknown): { from: number; digest: string }[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const shards: { from: number; digest: string }[] = [];
  for (const row of rows as unknown[]) {
    const [from, digest] = Array.isArray(row) ? (row as unknown[]) : [];
    if (typeof digest !== 'string' || !DIGEST.test(digest) || !Number.isInteger(from)) return undefined;
    if ((from as number) <= (shards.at(-1)?.from ?? -1)) return undefined;
    shards.push({ from: from as number, digest });
  }
  return shards;
}

function parseDetails(rows: unknown): DetailPart[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const parts: DetailPart[] = [];
  for (const row of rows as unknown[]) {
    const [digest, from] = Array.isArray(row) ? (row as unknown[]) : [];
    if (typeof digest !== 'string' || !DIGEST.test(digest) || typeof from !== 'string') return undefined;
    if (from <= (parts.at(-1)?.from ?? '')) return undefined;
    parts.push({ digest, from });
  }
  return parts;
}

/** The values by which the sequence is sorted, before the title and the id. */
export type SequencePosition = { readonly country: string; readonly folded: string; readonly city: string };

/** In sequence order: negative, 0 or positive. */
export function comparePositions(one: SequencePosition, other: SequencePosition): number {
  return (
    compareByCodePoint(one.country, other.country) ||
    compareByCodePoint(one.folded, other.folded) ||
    compareByCodePoint(one.city, other.city)
  );
}

/** @param others further members, such as `before` and `commit`. @default none */
export function currentJsonText(release: string, others?: object): string {
  return `${JSON.stringify({ version: TREE_VERSION, release, ...others })}\n`;
}

/** Limited because a reader may have to look for a detail in each release of {@link LiveRelease.before}. */
export const MAX_REPLACED_RELEASES = 50;

export type LiveRelease = {
  readonly release: string;
  /**
   * Replaced releases, latest first, at most {@link MAX_REPLACED_RELEASES}. Each has properties that the live release
   * lacks, and caches may still serve its lists. A detail that the live release lacks is looked up in these releases.
   */
  readonly before: readonly string[];
};

/** Undefined if the bytes are damaged or of another version. */
export function parseCurrentJson(bytes: Uint8Array): LiveRelease | undefined {
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, release, before = [] } = value as { [key: string]: unknown };
  if (version !== TREE_VERSION || !isDigest(release)) return undefined;
  return Array.isArray(before) && before.every(isDigest)
    ? { release, before: before.slice(0, MAX_REPLACED_RELEASES) }
    : undefined;
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}
