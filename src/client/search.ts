/** A search of a catalogue, in its files: names with typos, filters, and counts for each value (docs/search.md). */
import type { FacetValue } from '../contract/facets.ts';
import type { FacetColumns } from '../packed/format/facets.ts';
import { closeness, ONE_TYPO, wordsOf } from './closeness.ts';
import type { Filter } from './options.ts';
import { type FileClient, type Item, type Located, openFiles, SearchSizeError } from './search-files.ts';

export { type FileClient, type Located, SearchSizeError };

export type SearchValue = string | number | boolean;
/** Inclusive limits of numbers or dates; or values, one of which a property must have. */
export type SearchFilter =
  | { readonly minimum?: number | string | undefined; readonly maximum?: number | string | undefined }
  | readonly SearchValue[];
export type SearchBounds = {
  readonly west: number;
  readonly south: number;
  /** Less than `west` across the 180th meridian. */
  readonly east: number;
  readonly north: number;
};

export type SearchQuery = Filter & {
  /** Words of a name. Each must be the start of one of its words, or close to it. */
  readonly text?: string | undefined;
  /** A property needs all of them. */
  readonly facilities?: readonly string[] | undefined;
  /** By the name of a declared field with `filter: true`. */
  readonly filter?: Readonly<Record<string, SearchFilter>> | undefined;
  readonly bounds?: SearchBounds | undefined;
  /** Nearest first. `within`: in kilometres. */
  readonly near?:
    | { readonly latitude: number; readonly longitude: number; readonly within?: number | undefined }
    | undefined;
  /** @default 1 */
  readonly page?: number | undefined;
  /** @default 25 */
  readonly size?: number | undefined;
};

export type SearchCount = { readonly value: SearchValue; readonly count: number };

export type SearchResult = {
  readonly release: string;
  /** The requested page. */
  readonly data: readonly Located[];
  readonly total: number;
  readonly all: readonly Located[];
  /**
   * By field, and `facilities`: how many properties there are with each value, most first. Values of a field are counted
   * without its own filter, since a property needs one of the chosen values; facilities with it.
   */
  readonly facets: Readonly<Record<string, readonly SearchCount[]>>;
  /** What the text probably means, if no name has all of its words. */
  readonly meant: string | undefined;
};

export type SearchOptions = {
  /** Largest number of properties to read; more are a `SearchSizeError`. @default 50000 */
  readonly most?: number | undefined;
  /** Milliseconds after which a search looks for another release. @default 60000 */
  readonly maxAge?: number | undefined;
};

export type Search = (query: SearchQuery, options?: Pick<SearchOptions, 'most'>) => Promise<SearchResult>;

/**
 * Makes a search, which keeps what it has read.
 *
 * @example
 * const search = createSearch(createClient({ baseUrl: 'https://stays.example' }));
 * const { total } = await search({ country: 'IE', text: 'cotage', filter: { bedrooms: { minimum: 2 } } });
 */
export function createSearch(
  client: FileClient,
  { most = 50_000, maxAge = 60_000 }: SearchOptions = {},
): Search {
  const files = openFiles(client, maxAge);
  let last: { readonly key: string; readonly index: Index } | undefined;
  const indexOf = async (query: SearchQuery, limit: number, isFresh: boolean) => {
    const root = await files.root(isFresh);
    const key = JSON.stringify([root.release, query.country || '', query.city || '']);
    if (last?.key !== key) last = { key, index: createIndex(await files.items(root, query, limit)) };
    return { release: root.release, index: last.index };
  };
  return async (query, own = {}) => {
    const read = (isFresh: boolean) => indexOf(query, own.most ?? most, isFresh);
    const { release, index } = await read(false).catch((error: unknown) => {
      // What a release names may be removed once another one is live.
      if ((error as { status?: number }).status === 404) return read(true);
      throw error;
    });
    return { release, ...resultOf(index, query) };
  };
}

type Index = {
  readonly items: readonly Item[];
  /** Distinct words, and the numbers of those of each item. */
  readonly words: readonly string[];
  readonly wordsOf: readonly (readonly number[])[];
};

function createIndex(items: readonly Item[]): Index {
  const numbers = new Map<string, number>();
  const numberOf = (word: string) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  };
  const own = items.map(({ found }) => wordsOf(found.title).map(numberOf));
  return { items, words: [...numbers.keys()], wordsOf: own };
}

function resultOf(index: Index, query: SearchQuery): Omit<SearchResult, 'release'> {
  const { page = 1, size = 25, bounds, near } = query;
  const wanted = wordsOf(query.text ?? '');
  const rankAt = ranks(index, wanted);
  const counts = createCounts(query);
  const found: { item: Item; place: number; rank: number; distance: number }[] = [];
  index.items.forEach((item, place) => {
    const rank = rankAt(place);
    if (rank === undefined || (bounds && !isInside(bounds, item.found))) return;
    const distance = near ? kilometres(near, item.found) : 0;
    if (distance > (near?.within ?? Number.POSITIVE_INFINITY)) return;
    if (counts.add(item)) found.push({ item, place, rank, distance });
  });
  found.sort((a, b) => a.rank - b.rank || a.distance - b.distance || a.place - b.place);
  const all = found.map(({ item }) => item.found);
  const [first] = found;
  const meant = first && first.rank >= ONE_TYPO ? meantBy(index, wanted, first.place) : undefined;
  const data = all.slice((page - 1) * size, page * size);
  return { data, total: all.length, all, facets: counts.all(), meant };
}

/** Returns how far the name of an item is from the words, by its place; undefined: too far. */
function ranks({ words, wordsOf: own }: Index, wanted: readonly string[]) {
  const costs = wanted.map((one) => words.map((word) => closeness(one, word)));
  return (place: number): number | undefined => {
    let sum = 0;
    for (const cost of costs) {
      const least = Math.min(...own[place]!.map((word) => cost[word] ?? Number.POSITIVE_INFINITY));
      if (least === Number.POSITIVE_INFINITY) return undefined;
      sum += least;
    }
    return sum;
  };
}

/** Replaces the words with typos by those of an item. */
function meantBy({ words, wordsOf: own }: Index, wanted: readonly string[], place: number): string {
  const names = own[place]!.map((word) => words[word]!);
  const far = (one: string, name: string) => closeness(one, name) ?? Number.POSITIVE_INFINITY;
  const meant = wanted.map((one) => {
    const closest = names.reduce((best, name) => (far(one, name) < far(one, best) ? name : best));
    return far(one, closest) < ONE_TYPO ? one : closest;
  });
  return meant.join(' ');
}

type Tally = { readonly wanted: readonly number[]; readonly counts: Uint32Array };

/** Counts the values of the items that pass the filters. */
function createCounts({ facilities = [], filter = {} }: SearchQuery) {
  const filters = Object.entries(filter).filter(([, one]) => !isEmpty(one));
  const fields = new Map<string, Map<SearchValue, number>>();
  const tallies = new Map<FacetColumns, Tally>();
  const tallyOf = (columns: FacetColumns): Tally => {
    for (const [name] of filters)
      if (!Object.hasOwn(columns.fields, name)) throw new RangeError(`No field ${name} is a filter.`);
    for (const name of Object.keys(columns.fields)) if (!fields.has(name)) fields.set(name, new Map());
    const { words } = columns;
    const tally = {
      wanted: facilities.map((word) => words.indexOf(word)),
      counts: new Uint32Array(words.length),
    };
    tallies.set(columns, tally);
    return tally;
  };
  return {
    /** Tells whether an item passes. */
    add({ columns, row }: Item): boolean {
      const { wanted, counts } = tallies.get(columns) ?? tallyOf(columns);
      const own = columns.facilities[row]!;
      if (!wanted.every((number) => own.includes(number))) return false;
      const failed = filters.filter(([name, one]) => !passes(one, columns.fields[name]![row]!));
      if (failed.length > 1) return false;
      const [only] = failed[0] ?? [];
      for (const [name, values] of fields)
        if (only === undefined || only === name)
          for (const value of valuesOf(columns.fields[name]![row]!)) increase(values, value, 1);
      if (only === undefined) for (const number of own) counts[number]!++;
      return only === undefined;
    },
    all(): SearchResult['facets'] {
      const words = new Map<SearchValue, number>();
      for (const [columns, { counts }] of tallies)
        columns.words.forEach((word, number) => {
          if (counts[number]! > 0) increase(words, word, counts[number]!);
        });
      return Object.fromEntries(
        [...fields, ['facilities', words] as const].map(([name, of]) => [name, sorted(of)]),
      );
    },
  };
}

function increase(counts: Map<SearchValue, number>, value: SearchValue, by: number): void {
  counts.set(value, (counts.get(value) ?? 0) + by);
}

function sorted(counts: ReadonlyMap<SearchValue, number>): SearchCount[] {
  const rows = [...counts].map(([value, count]) => ({ value, count }));
  return rows.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

const isList = (filter: SearchFilter): filter is readonly SearchValue[] => Array.isArray(filter);

function isEmpty(filter: SearchFilter): boolean {
  return isList(filter) ? filter.length === 0 : filter.minimum === undefined && filter.maximum === undefined;
}

function passes(filter: SearchFilter, value: FacetValue): boolean {
  const values = valuesOf(value);
  if (isList(filter)) return values.some((one) => filter.includes(one));
  const { minimum, maximum } = filter;
  return values.some(
    (one) => (minimum === undefined || one >= minimum) && (maximum === undefined || one <= maximum),
  );
}

function valuesOf(value: FacetValue): readonly SearchValue[] {
  return value === null ? [] : typeof value === 'object' ? value : [value];
}

function isInside({ west, south, east, north }: SearchBounds, { latitude, longitude }: Located): boolean {
  const isBetween =
    west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return isBetween && latitude >= south && latitude <= north;
}

type Position = Pick<Located, 'latitude' | 'longitude'>;

/** On a sphere of the mean radius (haversine). */
function kilometres(one: Position, other: Position): number {
  const radians = Math.PI / 180;
  const across = Math.sin(((other.latitude - one.latitude) * radians) / 2) ** 2;
  const along = Math.sin(((other.longitude - one.longitude) * radians) / 2) ** 2;
  const both = Math.cos(one.latitude * radians) * Math.cos(other.latitude * radians);
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(across + both * along)));
}
