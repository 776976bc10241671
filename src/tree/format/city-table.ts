/**
 * The city table lists, for each city name, its countries and the number of properties in each
 * (docs/release-format.md). It is divided into shards by a hash of the name: a lookup reads one shard, and a change
 * rewrites one.
 */

import { compareByCodePoint } from '../../contract/sort-order.ts';
import { isCountryCode, isNonEmptyText, isPositiveInteger, parseJson } from './chunk.ts';
import { textHash } from './text-hash.ts';

export type CityEntry = {
  readonly city: string;
  /** Name without case and accents. Lists order the properties of a country by `folded`, then by `city`. */
  readonly folded: string;
  /** Countries that have a city of this name, in ascending order of their codes. */
  readonly countries: readonly { readonly country: string; readonly count: number }[];
};

/** Cities whose hash is at least `from` and below the `from` of the next shard. */
export type CityShard = { readonly from: number; readonly cities: readonly CityEntry[] };

const MAX_CITIES = 2048;

const HASH_BITS = 32;

/**
 * Halves the range of hashes until each part has at most {@link MAX_CITIES} cities, and drops empty parts. A new city
 * therefore splits at most one shard, and a removed city merges at most two.
 * @param cities in any order, without duplicates
 */
export function divideIntoCityShards(cities: readonly CityEntry[]): CityShard[] {
  const hashed = cities.map((entry) => ({ hash: textHash(entry.city), entry }));
  hashed.sort((a, b) => a.hash - b.hash || compareByCodePoint(a.entry.city, b.entry.city));
  const shards: CityShard[] = [];
  const halve = (start: number, end: number, from: number, bits: number) => {
    if (start === end) return;
    // Cities with equal hashes cannot be separated.
    if (end - start <= MAX_CITIES || bits === 0) {
      shards.push({ from, cities: hashed.slice(start, end).map(({ entry }) => entry) });
      return;
    }
    const half = from + 2 ** (bits - 1);
    let middle = start;
    while (middle < end && hashed[middle]!.hash < half) middle++;
    halve(start, middle, from, bits - 1);
    halve(middle, end, half, bits - 1);
  };
  halve(0, hashed.length, 0, HASH_BITS);
  return shards;
}

/** JSON with one row per line. */
export function cityShardText(cities: readonly CityEntry[]): string {
  const lines = cities.map(({ city, folded, countries }) =>
    JSON.stringify([city, folded, ...countries.flatMap(({ country, count }) => [country, count])]),
  );
  return `[\n${lines.join(',\n')}\n]\n`;
}

/**
 * Cities by exact name, in NFC. Does not check the digest. Undefined if the bytes are not a shard of this version.
 */
export function parseCityShard(bytes: Uint8Array): ReadonlyMap<string, CityEntry> | undefined {
  const rows = parseJson(bytes);
  if (!Array.isArray(rows)) return undefined;
  const cities = new Map<string, CityEntry>();
  for (const row of rows as unknown[]) {
    const entry = Array.isArray(row) ? parseRow(row as unknown[]) : undefined;
    if (!entry) return undefined;
    cities.set(entry.city, entry);
  }
  return cities;
}

function parseRow([city, folded, ...rest]: readonly unknown[]): CityEntry | undefined {
  const countries: { country: string; count: number }[] = [];
  for (let index = 0; index < rest.length; index += 2) {
    const [country, count] = [rest[index], rest[index + 1]];
    if (!isCountryCode(country) || !isPositiveInteger(count)) return undefined;
    countries.push({ country, count });
  }
  if (!isNonEmptyText(city) || typeof folded !== 'string' || countries.length === 0) return undefined;
  return { city, folded, countries };
}
