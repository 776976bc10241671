/** The one ordered sequence of summaries, of which every list answer is a slice (architecture, "The sequence"). */

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

/**
 * Puts entries into a sequence, which stays in order. Few of its entries are looked at when few are put in.
 *
 * @param sequence entries that are in order.
 */
export function insertEntries(sequence: readonly Entry[], entries: readonly Entry[]): Entry[] {
  const result: Entry[] = [];
  let from = 0;
  for (const entry of toSequence(entries)) {
    const place = placeOf(entry.sortKey, sequence, from);
    for (; from < place; from++) result.push(sequence[from]!);
    result.push(entry);
  }
  for (; from < sequence.length; from++) result.push(sequence[from]!);
  return result;
}

/** Where a key belongs: looked for in steps that double, and then between the last two of them. */
function placeOf(key: string, sequence: readonly Entry[], from: number): number {
  let start = from;
  let step = 1;
  while (start + step <= sequence.length && sequence[start + step - 1]!.sortKey < key) {
    start += step;
    step *= 2;
  }
  let end = Math.min(start + step - 1, sequence.length);
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (sequence[middle]!.sortKey < key) start = middle + 1;
    else end = middle;
  }
  return start;
}

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
  // Each is looked at once: of a stored sequence it has to be read.
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
