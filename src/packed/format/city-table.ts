/**
 * The table of cities: in which countries a city's name exists, and with how many properties (docs/packed-format.md).
 * It is divided by the hash of the name, so that one look-up reads one shard, and one change rewrites one shard.
 */

import { compareByCodePoint } from '../../contract/order.ts';
import { isCount, isCountry, isName, parseJson } from './chunk.ts';
import { textHash } from './text-hash.ts';

/** A city's name and where it exists. */
export type CityEntry = {
  readonly city: string;
  /** Its folded form, by which the sequence is ordered before the name itself. */
  readonly folded: string;
  /** Countries that have it, in the order of the sequence. */
  readonly countries: readonly { readonly country: string; readonly count: number }[];
};

/** A shard: the cities whose hash is at least `from` and less than that of the next shard. */
export type CityShard = { readonly from: number; readonly cities: readonly CityEntry[] };

/** Greatest number of cities in a shard. */
const MAX_CITIES = 2048;

const HASH_BITS = 32;

/**
 * Divides cities into shards, without empty ones. The range of all hashes is halved until no part has more than
 * {@link MAX_CITIES}: so a city that comes divides one shard at most, and one that goes joins two at most, whatever
 * the names are.
 *
 * @param cities names, each once, in any order.
 */
export function shardsOf(cities: readonly CityEntry[]): CityShard[] {
  const hashed = cities.map((entry) => ({ hash: textHash(entry.city), entry }));
  hashed.sort((a, b) => a.hash - b.hash || compareByCodePoint(a.entry.city, b.entry.city));
  const shards: CityShard[] = [];
  const halve = (start: number, end: number, from: number, bits: number) => {
    if (start === end) return;
    // The hash cannot distinguish cities that share it.
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

/** The text of a shard: JSON, one city a line. */
export function citiesText(cities: readonly CityEntry[]): string {
  const lines = cities.map(({ city, folded, countries }) =>
    JSON.stringify([city, folded, ...countries.flatMap(({ country, count }) => [country, count])]),
  );
  return `[\n${lines.join(',\n')}\n]\n`;
}

/**
 * Reads a shard: its cities by their names, which are exact, in NFC. That the bytes have the digest that names them is
 * checked by the code that read them.
 *
 * @returns undefined when it is not a shard of this version.
 */
export function parseShard(bytes: Uint8Array): ReadonlyMap<string, CityEntry> | undefined {
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
    if (!isCountry(country) || !isCount(count)) return undefined;
    countries.push({ country, count });
  }
  if (!isName(city) || typeof folded !== 'string' || countries.length === 0) return undefined;
  return { city, folded, countries };
}
