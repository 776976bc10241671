/**
 * Reads what a search needs, and keeps it: the root, then the facets and entries of the chunks of a country or city.
 */
import type { FilterableValue } from '../contract/filterable-values.ts';
import { chunkKey, citiesKey, facetsKey } from '../contract/object-keys.ts';
import type { Range } from '../contract/pagination.ts';
import { foldText } from '../contract/sort-order.ts';
import { lastIndexPassing } from '../tree/format/binary-search.ts';
import type { FacetColumns } from '../tree/format/facets.ts';
import { comparePositions, facetDigests, type SequencePosition, TREE_VERSION } from '../tree/format/root.ts';
import { textHash } from '../tree/format/text-hash.ts';
import { SearchSizeError } from './errors.ts';
import type { FileClient, Filter } from './options.ts';
import type { CityRow, ReleaseRoot } from './release-tree.ts';
import type { Summary } from './types.ts';
import { createWordDictionary, type WordDictionary } from './word-distance.ts';

type Column = {
  readonly name: string;
  readonly values: readonly FilterableValue[];
  readonly numbers: Uint16Array;
};

export type ChunkFacets = Omit<FacetColumns, 'facilities' | 'fields'> & {
  readonly facilities: ReadonlyMap<string, Uint32Array>;
  readonly columns: readonly Column[];
};

type Entries = {
  readonly summaries: readonly Summary[];
  readonly cities: readonly (readonly [country: string, city: string, count: number])[];
  readonly words: TitleWords;
};

/**
 * `numbers`: the words of all titles in order, each as its number in the dictionary. `starts`: where each title begins
 * in `numbers`.
 */
export type TitleWords = { readonly numbers: Uint32Array; readonly starts: Uint32Array };

type Leaf = {
  facets?: ChunkFacets;
  entries?: Entries;
  readonly readFacets: () => Promise<void>;
  readonly readEntries: () => Promise<void>;
};

/** Consecutive rows of one chunk (`leaf`). `firstIndex`: index of the first row among all rows of the search. */
export type LeafRows = {
  readonly leaf: Leaf;
  readonly from: number;
  readonly to: number;
  readonly firstIndex: number;
};

type ChunkRange = Range & SequencePosition & { readonly leaf: Leaf };

type Opened = {
  readonly release: string;
  readonly leaves: ReadonlyMap<string, Leaf>;
  readonly chunkRanges: readonly ChunkRange[];
  /** Maps a country's code to the range of its properties in the sequence, and the empty text to the whole sequence. */
  readonly ranges: ReadonlyMap<string, Range>;
  readonly cities: ReleaseRoot['cities'];
};

export function openSearchFiles({ readRoot, readObject }: FileClient, maxAge: number) {
  const dictionary = createWordDictionary();
  let opened: Promise<Opened> | undefined;
  let asked = 0;
  const read: Read = async (key, digest, parse) => {
    // An unsigned root may contain anything, so each digest is validated before it goes into a URL.
    if (!/^[0-9a-f]{32}$/.test(digest)) throw damaged(key);
    return parsed(key, await readObject(key, digest), parse);
  };
  const open = async (before: Opened | undefined): Promise<Opened> => {
    const live = await readRoot(before?.release);
    if (!live) return before!;
    const { release, bytes } = live;
    const tree = parsed('The root', bytes, (root: ReleaseRoot) => openRoot(root, before, read, dictionary));
    return { release, ...tree };
  };
  const countriesOf = async ({ cities }: Opened, city: string): Promise<string[]> => {
    const hash = textHash(city);
    const [, digest] = cities[lastIndexPassing(cities, ([from]) => from <= hash)] ?? [];
    const rows = digest ? await read(citiesKey(digest), digest, (all: CityRow[]) => all) : [];
    const [, , ...counts] = rows.find(([name]) => name === city) ?? [];
    return counts.filter((one) => typeof one === 'string');
  };
  return {
    dictionary,
    /** Requests the live release again if `isFresh`, or if the last request failed or is older than `maxAge`. */
    async open(isFresh: boolean): Promise<Opened> {
      // On the first call, there must be no `await` before `opened` is set. Otherwise, a second search that starts
      // meanwhile would open the files too.
      const before = opened && (await opened.catch(() => undefined));
      if (!before || isFresh || Date.now() - asked > maxAge) {
        asked = Date.now();
        opened = open(before);
      }
      return opened!;
    },
    /**
     * Reads the facets of the chunks of a country or city, or of all chunks if the filter is empty. Also reads entries:
     * of all these chunks if `city` is given or `first` is undefined, otherwise only of the chunk in which the page
     * begins.
     * @param first the index of the page's first entry
     * @throws SearchSizeError if these chunks contain more than `most` properties
     */
    async readRows(
      release: Opened,
      filter: Filter,
      most: number,
      first: number | undefined,
    ): Promise<LeafRows[]> {
      const { country = '', city = '' } = filter;
      const countries = city && !country ? await countriesOf(release, city) : [country];
      // A set, since two countries may share a chunk.
      const chunks = [...new Set(countries.flatMap((one) => chunkRangesOf(release, one, city)))];
      const properties = chunks.reduce((sum, { start, end }) => sum + end - start, 0);
      if (properties > most) throw new SearchSizeError(properties);
      const range = release.ranges.get(country) ?? { start: 0, end: 0 };
      const isFirst = ({ start, end }: Range) => first! + range.start >= start && first! + range.start < end;
      await Promise.all(
        chunks.flatMap((chunk) => [
          chunk.leaf.readFacets(),
          (city || first === undefined || isFirst(chunk)) && chunk.leaf.readEntries(),
        ]),
      );
      let firstIndex = 0;
      return chunks.flatMap((one) =>
        rangesIn(one, range, filter).map(({ start, end }) => {
          firstIndex += end - start;
          return { leaf: one.leaf, from: start, to: end, firstIndex: firstIndex - (end - start) };
        }),
      );
    },
  };
}

type Read = <Json, Value>(
  key: string,
  digest: string,
  parse: (json: Json) => Value | undefined,
) => Promise<Value>;

function parsed<Json, Value>(
  key: string,
  bytes: ArrayBuffer,
  parse: (json: Json) => Value | undefined,
): Value {
  let value: Value | undefined;
  try {
    value = parse(JSON.parse(new TextDecoder().decode(bytes)) as Json);
  } catch {
    // Reported below.
  }
  if (value === undefined) throw damaged(key);
  return value;
}

const damaged = (key: string) => new Error(`${key} is damaged.`);

function openRoot(root: ReleaseRoot, before: Opened | undefined, read: Read, dictionary: WordDictionary) {
  const { version, total, countries, cities, chunks } = root;
  if (version !== TREE_VERSION) return undefined;
  const ranges = new Map<string, Range>();
  let end = 0;
  for (const [country, count] of countries) {
    ranges.set(country, { start: end, end: end + count });
    end += count;
  }
  const runs = [...ranges];
  const names = facetDigests(root);
  const leaves = new Map<string, Leaf>();
  let start = 0;
  const chunkRanges = chunks.map(([digest, count, folded, city], index) => {
    while (runs[0]![1].end <= start) runs.shift();
    const key = digest + names[index]!;
    const leaf = before?.leaves.get(key) ?? leafOf(read, digest, names[index]!, count, dictionary);
    leaves.set(key, leaf);
    start += count;
    return { start: start - count, end: start, country: runs[0]![0], folded, city, leaf };
  });
  ranges.set('', { start: 0, end: total });
  return { leaves, ranges, cities, chunkRanges };
}

function leafOf(
  read: Read,
  digest: string,
  facetDigest: string,
  count: number,
  dictionary: WordDictionary,
): Leaf {
  const [key, facetKey] = [chunkKey(digest), facetsKey(facetDigest)];
  const ensureSame = () => {
    const { facets, entries } = leaf;
    if (facets && entries && facets.first !== entries.summaries[0]!.id) throw damaged(facetKey);
  };
  const leaf: Leaf = {
    readFacets: once(async () => {
      leaf.facets = await read(facetKey, facetDigest, (columns: FacetColumns) => facetsOf(columns, count));
      ensureSame();
    }),
    readEntries: once(async () => {
      leaf.entries = await read(key, digest, (chunk: ChunkJson) => entriesOf(chunk, count, dictionary));
      ensureSame();
    }),
  };
  return leaf;
}

function once(load: () => Promise<void>): () => Promise<void> {
  let loading: Promise<void> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}

function rangesIn({ start, end, leaf }: ChunkRange, range: Range, { country, city }: Filter): Range[] {
  if (!city) return [{ start: Math.max(range.start - start, 0), end: Math.min(range.end, end) - start }];
  let from = 0;
  const rows: Range[] = [];
  for (const [code, name, count] of leaf.entries!.cities) {
    const to = from + count;
    if (name === city && (!country || code === country)) rows.push({ start: from, end: to });
    from = to;
  }
  return rows;
}

function facetsOf(columns: FacetColumns, count: number): ChunkFacets | undefined {
  const { facilities, fields, ...others } = columns;
  const coded = Object.entries(fields).map(([name, column]) => {
    const known = new Map<unknown, number>();
    const values: FilterableValue[] = [];
    const numbers = column.map((value) => {
      const key = typeof value === 'object' ? JSON.stringify(value) : value;
      const number = known.get(key) ?? values.push(value) - 1;
      known.set(key, number);
      return number;
    });
    return { name, values, numbers: new Uint16Array(numbers) };
  });
  const bits = Object.entries(facilities).map(([word, digits]) => [word, bitsOf(digits)] as const);
  const columnsOf = [others.latitude, others.longitude, ...coded.map(({ numbers }) => numbers)];
  if (columnsOf.some(({ length }) => length !== count)) return undefined;
  return { ...others, facilities: new Map(bits), columns: coded };
}

function bitsOf(digits: string): Uint32Array {
  const bits = new Uint32Array(Math.ceil(digits.length / 8));
  for (let index = 0; index < digits.length; index++) {
    const code = digits.charCodeAt(index);
    bits[index >> 3]! |= (code < 58 ? code - 48 : code - 87) << (4 * (index & 7));
  }
  return bits;
}

type ChunkJson = Pick<Entries, 'cities'> & { readonly entries: readonly Summary[] };

function entriesOf(
  { cities, entries }: ChunkJson,
  count: number,
  { numbersOf }: WordDictionary,
): Entries | undefined {
  const isWhole = ({ id, title, city, country }: Summary) =>
    [id, title, city, country].every((value) => typeof value === 'string');
  if (entries.length !== count || !entries.every(isWhole)) return undefined;
  const numbers: number[] = [];
  const starts = [0];
  for (const { title } of entries) starts.push(numbers.push(...numbersOf(title)));
  const words = { numbers: Uint32Array.from(numbers), starts: Uint32Array.from(starts) };
  return { cities, summaries: entries, words };
}

function chunkRangesOf(
  { chunkRanges, ranges }: Opened,
  country: string,
  city: string,
): readonly ChunkRange[] {
  const range = ranges.get(country);
  if (!range) return [];
  if (!city) return chunkRanges.filter(({ start, end }) => start < range.end && end > range.start);
  const position = { country, folded: foldText(city), city };
  const first = lastIndexPassing(chunkRanges, (chunk) => comparePositions(chunk, position) < 0);
  const last = lastIndexPassing(chunkRanges, (chunk) => comparePositions(chunk, position) <= 0);
  return chunkRanges.slice(Math.max(0, first), last + 1);
}
