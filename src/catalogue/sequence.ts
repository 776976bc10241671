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

/** What a scope depends on. */
export type Placed = { readonly country: string; readonly city: string };

/**
 * Every scope of a sequence: all, then each country followed by its cities, then each city of any country; none for
 * an empty sequence.
 */
export function scopesOf(sequence: readonly Placed[]): Scope[] {
  const total = sequence.length;
  if (total === 0) return [];
  const scopes: Scope[] = [{ country: '', city: '', runs: [{ start: 0, end: total }], total }];
  const cities = new Map<string, Run[]>();
  let start = 0;
  while (start < total) {
    const { country } = sequence[start]!;
    const place = scopes.length;
    let cityStart = start;
    while (cityStart < total && sequence[cityStart]!.country === country) {
      const { city } = sequence[cityStart]!;
      let end = cityStart + 1;
      while (end < total && sequence[end]!.country === country && sequence[end]!.city === city) end++;
      const run = { start: cityStart, end };
      scopes.push({ country, city, runs: [run], total: end - cityStart });
      const runs = cities.get(city);
      if (runs) runs.push(run);
      else cities.set(city, [run]);
      cityStart = end;
    }
    scopes.splice(place, 0, {
      country,
      city: '',
      runs: [{ start, end: cityStart }],
      total: cityStart - start,
    });
    start = cityStart;
  }
  for (const [city, runs] of cities) {
    scopes.push({ country: '', city, runs, total: runs.reduce((sum, run) => sum + run.end - run.start, 0) });
  }
  return scopes;
}
