/** The sequence of summaries. Every list is a slice of it (`docs/architecture.md`, "The sequence"). */

import type { Range } from '../contract/pagination.ts';
import { sortKey } from '../contract/sort-order.ts';
import { type CityRun, cityRunsOf } from '../tree/format/chunk.ts';

export type SequenceEntry = {
  readonly id: string;
  readonly country: string;
  readonly city: string;
  readonly title: string;
  /** Published JSON. */
  readonly summary: string;
  readonly summaryDigest: string;
  readonly detailDigest: string;
  /** In UTF-8. */
  readonly summaryBytes: number;
  readonly detailBytes: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Values by which searches filter (`serializeFacets`). */
  readonly facets: string;
};

/**
 * Summaries, each with a comma after it. Summary `i` is the bytes from `offsets[i]` up to `offsets[i + 1] - 1`
 * (exclusive).
 */
export type JoinedSummaries = { readonly bytes: Uint8Array; readonly offsets: Uint32Array };

/** A combination of filters that has properties, and the ranges of its entries in the sequence. */
export type Scope = {
  /** Empty for any country. */
  readonly country: string;
  /** Empty for any city. */
  readonly city: string;
  /**
   * Usually one run. None in an empty catalogue. For a city in any country, one run per country that has such a city.
   */
  readonly runs: readonly Range[];
  readonly total: number;
};

/** @param sorted more entries, already in order. @default none */
export function toSequence<Of extends SequenceEntry>(
  entries: readonly Of[],
  sorted: readonly Of[] = [],
): Of[] {
  const sequence: Of[] = [];
  let taken = 0;
  for (const entry of inOrder(entries)) {
    const end = taken < sorted.length ? placeOf(sortKey(entry), sorted, taken) : taken;
    while (taken < end) sequence.push(sorted[taken++]!);
    sequence.push(entry);
  }
  while (taken < sorted.length) sequence.push(sorted[taken++]!);
  return sequence;
}

/** Sorts city by city: the keys of a million entries at once would take 900 MB. */
function* inOrder<Of extends SequenceEntry>(entries: readonly Of[]): Generator<Of> {
  const cities = new Map<string, Of[]>();
  for (const entry of entries) {
    const city = `${entry.country}\0${entry.city}`;
    const own = cities.get(city);
    if (own) own.push(entry);
    else cities.set(city, [entry]);
  }
  const groups = [...cities.values()].map((own) => {
    const { country, city } = own[0]!;
    return { key: sortKey({ country, city, title: '', id: '' }), item: own };
  });
  for (const own of byKey(groups))
    yield* own.length === 1 ? own : byKey(own.map((item) => ({ key: sortKey(item), item })));
}

function byKey<Item>(keyed: { readonly key: string; readonly item: Item }[]): Item[] {
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
}

/**
 * Index (at least `from`) at which the key belongs in sorted entries. Gallops: doubles its steps, then halves them.
 */
function placeOf(key: string, sorted: readonly SequenceEntry[], from: number): number {
  let before = from - 1;
  let after = from;
  for (let step = 1; after < sorted.length && sortKey(sorted[after]!) < key; step *= 2) {
    before = after;
    after += step;
  }
  after = Math.min(after, sorted.length);
  while (after - before > 1) {
    const middle = (before + after) >> 1;
    if (sortKey(sorted[middle]!) < key) before = middle;
    else after = middle;
  }
  return after;
}

export function joinSummaries(texts: readonly string[]): JoinedSummaries {
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (texts.length + 1)));
  for (let index = 0; index < texts.length; index++)
    offsets[index + 1] = offsets[index]! + Buffer.byteLength(texts[index]!) + COMMA.length;
  const bytes = Buffer.from(new SharedArrayBuffer(offsets[texts.length]!));
  for (let index = 0; index < texts.length; index++) {
    bytes.write(texts[index]!, offsets[index]!);
    bytes.write(COMMA, offsets[index + 1]! - COMMA.length);
  }
  return { bytes, offsets };
}

const COMMA = ',';

/** The values that decide which scopes an entry belongs to. */
export type EntryPlace = { readonly country: string; readonly city: string };

/** In order: the unfiltered scope, even if empty; each country, then its cities; each city in any country. */
export function scopesOf(sequence: readonly EntryPlace[]): Scope[] {
  return scopesOfCities(cityRunsOf(sequence, 0, sequence.length));
}

export function scopesOfCities(cities: readonly CityRun[]): Scope[] {
  const total = cities.reduce((sum, { count }) => sum + count, 0);
  // The unfiltered scope exists even if it is empty, since its total has to be published.
  const scopes: Scope[] = [
    { country: '', city: '', runs: total > 0 ? [{ start: 0, end: total }] : [], total },
  ];
  const anywhere = new Map<string, Range[]>();
  let start = 0;
  for (let first = 0; first < cities.length; ) {
    const { country } = cities[first]!;
    const before = start;
    const within: Scope[] = [];
    for (; cities[first]?.country === country; first++) {
      const { city, count } = cities[first]!;
      const run = { start, end: start + count };
      within.push({ country, city, runs: [run], total: count });
      const runs = anywhere.get(city);
      if (runs) runs.push(run);
      else anywhere.set(city, [run]);
      start += count;
    }
    scopes.push({ country, city: '', runs: [{ start: before, end: start }], total: start - before });
    for (const scope of within) scopes.push(scope);
  }
  for (const [city, runs] of anywhere)
    scopes.push({
      country: '',
      city,
      runs,
      total: runs.reduce((sum, { start, end }) => sum + end - start, 0),
    });
  return scopes;
}
