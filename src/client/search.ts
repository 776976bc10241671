/** Search in the files of a catalogue (docs/search.md): typo-tolerant words, filters, and counts for each value. */
import type { FilterableValue } from '../contract/filterable-values.ts';
import { lastIndexPassing } from '../tree/format/binary-search.ts';
import { SearchSizeError } from './errors.ts';
import type { FileClient, Filter } from './options.ts';
import { type ChunkFacets, type LeafRows, openSearchFiles, type TitleWords } from './search-files.ts';
import type { Summary } from './types.ts';
import { NO_MATCH, ONE_TYPO, type WordDictionary, wordDistance, wordsOf } from './word-distance.ts';

export { type FileClient, SearchSizeError };

export type Located = Summary & { readonly latitude: number; readonly longitude: number };

export type SearchValue = string | number | boolean;
/** Inclusive limits for numbers or dates, or a list of values: a property passes if it has any of these values. */
export type SearchFilter =
  | { readonly minimum?: number | string | undefined; readonly maximum?: number | string | undefined }
  | readonly SearchValue[];
export type SearchBounds = {
  readonly west: number;
  readonly south: number;
  /** Eastern limit; less than `west` if the area crosses the 180th meridian. */
  readonly east: number;
  readonly north: number;
};

export type SearchQuery = Filter & {
  /**
   * Each word must begin a word of the title. A word of 3 letters or more may have one typo, a word of 8 or more may
   * have two, and a word with digits none. A word with a typo must match a whole word, not only its beginning.
   */
  readonly text?: string | undefined;
  /** A property must have all of these facilities. */
  readonly facilities?: readonly string[] | undefined;
  /** Conditions by field name. A field that is not a filter of the catalogue throws a `RangeError`. */
  readonly filter?: Readonly<Record<string, SearchFilter>> | undefined;
  readonly bounds?: SearchBounds | undefined;
  /**
   * Sorts by distance, nearest first; with `text`, only among titles that match equally well. `within`: maximum
   * distance in kilometres.
   */
  readonly near?:
    | { readonly latitude: number; readonly longitude: number; readonly within?: number | undefined }
    | undefined;
  /** @default 1 */
  readonly page?: number | undefined;
  /** Entries per page; `Infinity` for all in one page. @default 25 */
  readonly size?: number | undefined;
};

export type SearchCount = { readonly value: SearchValue; readonly count: number };

export type SearchResult = {
  readonly release: string;
  readonly data: readonly Located[];
  readonly total: number;
  /**
   * Number of properties for each value, most frequent first, under the name of the field or `facilities`. Counts of a
   * field ignore the filter of that field, because a property needs only one of the chosen values. Counts of facilities
   * apply all filters, because a property needs all chosen facilities.
   */
  readonly facets: Readonly<Record<string, readonly SearchCount[]>>;
  /** The text without its typos; undefined if it has no typos, or if no title is similar. */
  readonly meant: string | undefined;
};

export type SearchOptions = {
  /** Maximum number of properties to read; for more, a `SearchSizeError` is thrown. @default 50000 */
  readonly most?: number | undefined;
  /** Milliseconds after which a search checks whether another release is live. @default 60000 */
  readonly maxAge?: number | undefined;
};

export type Search = (query: SearchQuery, options?: Pick<SearchOptions, 'most'>) => Promise<SearchResult>;

/**
 * Creates a search, which starts to read the root of the live release at once. It caches what it reads.
 * @example
 * const search = createSearch(createClient({ baseUrl: 'https://stays.example' }));
 * const { total } = await search({ country: 'IE', text: 'cotage', filter: { bedrooms: { minimum: 2 } } });
 */
export function createSearch(
  client: FileClient,
  { most = 50_000, maxAge = 60_000 }: SearchOptions = {},
): Search {
  const files = openSearchFiles(client, maxAge);
  // The root is requested before the first search needs it. If that fails, the first search tries again.
  files.open(false).catch(() => {});
  const answer = async (query: SearchQuery, limit: number, isFresh: boolean): Promise<SearchResult> => {
    const { page = 1, size = 25 } = query;
    const wanted = wordsOf(query.text ?? '');
    const opened = await files.open(isFresh);
    const start = (page - 1) * size || 0;
    // Index of the page's first entry in a list without filters; -1 if no entries are wanted.
    const first = size > 0 ? start : -1;
    const parts = await files.readRows(opened, query, limit, wanted.length > 0 ? undefined : first);
    const { places, facets, rank } = select(parts, query, wanted.map(files.dictionary.costs));
    const rows = places.slice(start, start + size).map((place) => rowAt(parts, place));
    await Promise.all(rows.map(({ leaf }) => leaf.readEntries()));
    const closest = rank >= ONE_TYPO ? rowAt(parts, places[0]!) : undefined;
    const meant = closest && meantBy(files.dictionary, wanted, closest);
    // Loads titles ahead, before the user types the first word.
    if (parts.length > 0 && size) for (const { leaf } of parts) leaf.readEntries().catch(() => {});
    return { release: opened.release, data: rows.map(located), total: places.length, facets, meant };
  };
  return (query, own = {}) => {
    const limit = own.most ?? most;
    return answer(query, limit, false).catch((error: unknown) => {
      // Once another release is live, objects of the previous one may be removed.
      if ((error as { status?: number }).status === 404) return answer(query, limit, true);
      throw error;
    });
  };
}

function rowAt(parts: readonly LeafRows[], place: number): Row {
  const {
    leaf,
    from,
    firstIndex: first,
  } = parts[lastIndexPassing(parts, (part) => part.firstIndex <= place)]!;
  return { leaf, row: from + place - first };
}

type Row = Pick<LeafRows, 'leaf'> & { readonly row: number };

function located({ leaf: { facets, entries }, row }: Row): Located {
  return {
    ...entries!.summaries[row]!,
    latitude: facets!.latitude[row]!,
    longitude: facets!.longitude[row]!,
  };
}

function select(
  parts: readonly LeafRows[],
  { facilities = [], filter = {}, bounds, near }: SearchQuery,
  costs: readonly (readonly number[])[],
) {
  const filters = Object.entries(filter).filter(([, one]) => !isEmpty(one));
  const counts = createCounts();
  const [places, ranks, distances]: number[][] = [[], [], []];
  for (const { leaf, from, to, firstIndex } of parts) {
    const facets = leaf.facets!;
    const { latitude, longitude } = facets;
    const words = leaf.entries?.words;
    const tally = counts.tallyOf(facets);
    const failedBy = failedFilterOf(facets, filters);
    const needed = bothBits(facilities.map((word) => facets.facilities.get(word)));
    for (let row = from; row < to; row++) {
      if (needed && !hasBit(needed, row)) continue;
      const rank = costs.length > 0 ? rankOf(costs, words!, row) : 0;
      if (rank >= NO_MATCH || (bounds && !isInside(bounds, latitude[row]!, longitude[row]!))) continue;
      const distance = near ? kilometres(near, latitude[row]!, longitude[row]!) : 0;
      if (near?.within !== undefined && distance > near.within) continue;
      const failed = failedBy(row);
      if (failed === NO_FILTER) {
        places!.push(firstIndex + row - from);
        ranks!.push(rank);
        distances!.push(distance);
        tally.add(row);
      } else if (failed !== SEVERAL_FILTERS) tally.addTo(failed, row);
    }
    tally.end();
  }
  const order = places!.map((_, index) => index);
  if (near || costs.length > 0)
    order.sort((a, b) => ranks![a]! - ranks![b]! || distances![a]! - distances![b]! || a - b);
  return {
    places: order.map((index) => places![index]!),
    rank: ranks![order[0]!] ?? 0,
    facets: counts.all(),
  };
}

function rankOf(costs: readonly (readonly number[])[], { numbers, starts }: TitleWords, row: number): number {
  const [start, end] = [starts[row]!, starts[row + 1]!];
  let sum = 0;
  for (let index = 0; index < costs.length && sum < NO_MATCH; index++) {
    const cost = costs[index]!;
    let least = NO_MATCH;
    for (let at = start; at < end; at++) {
      const own = cost[numbers[at]!]!;
      if (own < least) least = own;
    }
    sum += least;
  }
  return sum;
}

function meantBy({ words }: WordDictionary, wanted: readonly string[], { leaf, row }: Row): string {
  const { numbers, starts } = leaf.entries!.words;
  const names = [...numbers.subarray(starts[row], starts[row + 1])].map((number) => words[number]!);
  const meant = wanted.map((one) => {
    const closest = names.reduce((best, name) =>
      wordDistance(one, name) < wordDistance(one, best) ? name : best,
    );
    return wordDistance(one, closest) < ONE_TYPO ? one : closest;
  });
  return meant.join(' ');
}

const NO_FILTER = -1;
const SEVERAL_FILTERS = -2;

/**
 * Returns a function that maps a row to the index of the column whose filter the row fails: {@link NO_FILTER} if it
 * fails none, {@link SEVERAL_FILTERS} if it fails more than one.
 */
function failedFilterOf(
  { columns }: ChunkFacets,
  filters: readonly (readonly [name: string, SearchFilter])[],
) {
  const tests = filters.map(([name, filter]) => {
    const index = columns.findIndex((column) => column.name === name);
    if (index < 0) throw new RangeError(`No field ${name} is a filter.`);
    const { values, numbers } = columns[index]!;
    return { index, numbers, isPassed: values.map((value) => passes(filter, value)) };
  });
  return (row: number): number => {
    let failed = NO_FILTER;
    for (const { index, numbers, isPassed } of tests)
      if (!isPassed[numbers[row]!]) failed = failed === NO_FILTER ? index : SEVERAL_FILTERS;
    return failed;
  };
}

function createCounts() {
  const fields = new Map<string, Map<SearchValue, number>>();
  const words = new Map<SearchValue, number>();
  return {
    tallyOf({ columns, facilities, latitude }: ChunkFacets) {
      const tallies = columns.map(({ values }) => new Uint32Array(values.length));
      const found = new Uint32Array(Math.ceil(latitude.length / 32));
      const addTo = (column: number, row: number) => {
        tallies[column]![columns[column]!.numbers[row]!]!++;
      };
      for (const { name } of columns) if (!fields.has(name)) fields.set(name, new Map());
      return {
        addTo,
        add(row: number) {
          found[row >> 5]! |= 1 << (row & 31);
          for (let column = 0; column < columns.length; column++) addTo(column, row);
        },
        end() {
          for (const [column, { name, values }] of columns.entries())
            for (const [number, count] of tallies[column]!.entries())
              if (count > 0)
                for (const value of valuesOf(values[number]!)) increase(fields.get(name)!, value, count);
          if (found.every((bits) => bits === 0)) return;
          for (const [word, bits] of facilities) increase(words, word, countBoth(bits, found));
        },
      };
    },
    all: (): SearchResult['facets'] =>
      Object.fromEntries([...fields, ['facilities', words] as const].map(([name, of]) => [name, sorted(of)])),
  };
}

function bothBits(all: readonly (Uint32Array | undefined)[]): Uint32Array | undefined {
  const [first, ...others] = all.map((bits) => bits ?? NO_BITS);
  return first?.map((own, index) => others.reduce((both, bits) => both & bits[index]!, own));
}

const NO_BITS = new Uint32Array(0);

const hasBit = (bits: Uint32Array, row: number) => ((bits[row >> 5]! >>> (row & 31)) & 1) === 1;

function countBoth(one: Uint32Array, other: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < one.length; index++)
    for (let bits = one[index]! & other[index]!; bits !== 0; bits &= bits - 1) count++;
  return count;
}

function increase(counts: Map<SearchValue, number>, value: SearchValue, by: number): void {
  if (by > 0) counts.set(value, (counts.get(value) ?? 0) + by);
}

function sorted(counts: ReadonlyMap<SearchValue, number>): SearchCount[] {
  const rows = [...counts].map(([value, count]) => ({ value, count }));
  return rows.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

const isList = (filter: SearchFilter): filter is readonly SearchValue[] => Array.isArray(filter);

function isEmpty(filter: SearchFilter): boolean {
  return isList(filter) ? filter.length === 0 : filter.minimum === undefined && filter.maximum === undefined;
}

function passes(filter: SearchFilter, value: FilterableValue): boolean {
  const values = valuesOf(value);
  if (isList(filter)) return values.some((one) => filter.includes(one));
  const { minimum, maximum } = filter;
  return values.some(
    (one) => (minimum === undefined || one >= minimum) && (maximum === undefined || one <= maximum),
  );
}

function valuesOf(value: FilterableValue): readonly SearchValue[] {
  return value === null ? [] : typeof value === 'object' ? value : [value];
}

function isInside({ west, south, east, north }: SearchBounds, latitude: number, longitude: number): boolean {
  const isBetween =
    west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
  return isBetween && latitude >= south && latitude <= north;
}

/** Haversine formula, with the mean radius of the earth. */
function kilometres(
  from: Pick<Located, 'latitude' | 'longitude'>,
  latitude: number,
  longitude: number,
): number {
  const radians = Math.PI / 180;
  const across = Math.sin(((latitude - from.latitude) * radians) / 2) ** 2;
  const along = Math.sin(((longitude - from.longitude) * radians) / 2) ** 2;
  const both = Math.cos(from.latitude * radians) * Math.cos(latitude * radians);
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(across + both * along)));
}
