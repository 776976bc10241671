/** The one ordered sequence of summaries. Every list answer is a slice of it (architecture, "The sequence"). */

/** What the sequence knows of one property. */
export type Entry = {
  readonly id: string;
  readonly country: string;
  readonly city: string;
  /** Its place in the order: see `contract/order.ts`. */
  readonly sortKey: string;
  /** The summary as published JSON. */
  readonly summary: string;
  /** Digests of the published summary and of the published detail. */
  readonly summaryDigest: string;
  readonly detailDigest: string;
  /** Bytes of the published detail. */
  readonly detailBytes: number;
  /** In degrees. */
  readonly latitude: number;
  /** In degrees. */
  readonly longitude: number;
};

/** Summaries joined by commas, and where each starts: `offsets[i]` to `offsets[i + 1] - 1` is entry `i`. */
export type JoinedSummaries = { readonly bytes: Uint8Array; readonly offsets: Uint32Array };

/** A part of the sequence, from `start` up to and without `end`. */
export type Run = { readonly start: number; readonly end: number };

/** A filter that has at least one property, and where its entries are. */
export type Scope = {
  /** Country code, or empty for any. */
  readonly country: string;
  /** City, or empty for any. */
  readonly city: string;
  /** One run; for a city of any country, one per country that has it. */
  readonly runs: readonly Run[];
  /** Number of entries. */
  readonly total: number;
};

/** Sorts entries into the sequence. */
export function toSequence(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : 0));
}

/** Joins summaries in memory that threads can share. */
export function joinSummaries(texts: readonly string[]): JoinedSummaries {
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (texts.length + 1)));
  for (let index = 0; index < texts.length; index++)
    offsets[index + 1] = offsets[index]! + Buffer.byteLength(texts[index]!) + COMMA.length;
  const bytes = Buffer.from(new SharedArrayBuffer(offsets[texts.length]!));
  for (let index = 0; index < texts.length; index++) {
    bytes.write(texts[index]!, offsets[index]!);
    bytes.write(COMMA, offsets[index + 1]! - COMMA.length, 'latin1');
  }
  return { bytes, offsets };
}

const COMMA = ',';

/** What a scope depends on. */
export type Placed = { readonly country: string; readonly city: string };

/**
 * Every scope of a sequence: all, then each country followed by its cities, then each city of any country; none for
 * an empty sequence.
 */
export function scopesOf(sequence: readonly Placed[]): Scope[] {
  const total = sequence.length;
  // The total of everything is there always: without it nothing may be called empty.
  if (total === 0) return [{ country: '', city: '', runs: [], total }];
  const scopes: Scope[] = [{ country: '', city: '', runs: [{ start: 0, end: total }], total }];
  const cities = new Map<string, Run[]>();
  /** Scopes of the cities of a country, which follow its own. */
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
