/** The ordered sequence of summaries. Every list answer is a slice of it (architecture, "The sequence"). */
import type { Range } from '../contract/pagination.ts';

/** A property's entry in the sequence. */
export type Entry = {
  readonly id: string;
  readonly country: string;
  readonly city: string;
  /** Sort key (`contract/order.ts`). */
  readonly sortKey: string;
  /** The summary as published JSON. */
  readonly summary: string;
  /** Digests of the published summary and detail. */
  readonly summaryDigest: string;
  readonly detailDigest: string;
  /** Size of the published detail in bytes. */
  readonly detailBytes: number;
  /** In degrees. */
  readonly latitude: number;
  /** In degrees. */
  readonly longitude: number;
};

/** Comma-joined summaries, and their offsets: entry `i` extends from `offsets[i]` to `offsets[i + 1] - 1`. */
export type JoinedSummaries = { readonly bytes: Uint8Array; readonly offsets: Uint32Array };

/** A filter with at least one property, and the ranges of its entries. */
export type Scope = {
  /** Country code, or empty for any. */
  readonly country: string;
  /** City, or empty for any. */
  readonly city: string;
  /** One run; for a city in any country, one per country that has it. */
  readonly runs: readonly Range[];
  readonly total: number;
};

export function toSequence(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
}

/** Joins summaries in shared memory, for threads. */
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

/** Fields of an entry that decide its scopes. */
export type Placed = { readonly country: string; readonly city: string };

/**
 * Lists every scope of a sequence: the unfiltered one, then each country followed by its cities, then each city in any
 * country. An empty sequence has the unfiltered scope alone.
 */
export function scopesOf(sequence: readonly Placed[]): Scope[] {
  const total = sequence.length;
  // The unfiltered total always exists; without it, no list may be called empty.
  if (total === 0) return [{ country: '', city: '', runs: [], total }];
  const scopes: Scope[] = [{ country: '', city: '', runs: [{ start: 0, end: total }], total }];
  const cities = new Map<string, Range[]>();
  /** Scopes of a country's cities, which follow its own. */
  let within: Scope[] = [];
  let [countryStart, cityStart] = [0, 0];
  let { country, city } = sequence[0]!;
  const closeCity = (end: number) => {
    const run = { start: cityStart, end };
    within.push({ country, city, runs: [run], total: end - cityStart });
    const runs = cities.get(city);
    if (runs) runs.push(run);
    else cities.set(city, [run]);
    cityStart = end;
  };
  const closeCountry = (end: number) => {
    const run = { start: countryStart, end };
    scopes.push({ country, city: '', runs: [run], total: end - countryStart }, ...within);
    within = [];
    countryStart = end;
  };
  for (let index = 1; index < total; index++) {
    const next = sequence[index]!;
    const [nextCountry, nextCity] = [next.country, next.city];
    if (nextCountry === country && nextCity === city) continue;
    closeCity(index);
    if (nextCountry !== country) closeCountry(index);
    country = nextCountry;
    city = nextCity;
  }
  closeCity(total);
  closeCountry(total);
  for (const [city, runs] of cities) {
    scopes.push({ country: '', city, runs, total: runs.reduce((sum, run) => sum + run.end - run.start, 0) });
  }
  return scopes;
}
