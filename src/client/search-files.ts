/** Reads what a search needs, each object once: the root, then the chunks and facets of a country or city. */
import { CURRENT_KEY, chunkKey, citiesKey, facetsKey, rootKey } from '../contract/object-keys.ts';
import { fold } from '../contract/order.ts';
import { parseChunk } from '../packed/format/chunk.ts';
import { parseShard } from '../packed/format/city-table.ts';
import { type FacetColumns, parseFacetColumns } from '../packed/format/facets.ts';
import { lastIndex } from '../packed/format/last-index.ts';
import { countryRange, shardFor } from '../packed/format/page.ts';
import { comparePlaces, facetDigests, parseCurrent, parseRoot, type Root } from '../packed/format/root.ts';
import type { Filter } from './options.ts';
import type { Summary } from './types.ts';

/** What a search asks of a client. */
export type FileClient = { readonly download: (file: string) => Promise<Pick<Response, 'arrayBuffer'>> };

/** Thrown before anything of a scope is read. */
export class SearchSizeError extends Error {
  readonly properties: number;
  /** About how many bytes would be read, compressed. */
  readonly bytes: number;

  constructor(properties: number) {
    super(`A search of ${properties} properties reads about ${Math.ceil((properties * BYTES) / 1e6)} MB.`);
    this.name = 'SearchSizeError';
    this.properties = properties;
    this.bytes = properties * BYTES;
  }
}

const BYTES = 80;

export type Located = Summary & { readonly latitude: number; readonly longitude: number };
export type Item = { readonly found: Located; readonly columns: FacetColumns; readonly row: number };

export function openFiles({ download }: FileClient, maxAge: number) {
  const chunks = new Map<string, Promise<Item[]>>();
  let opened: Promise<Root> | undefined;
  let asked = 0;
  const read = async <Value>(
    key: string,
    parse: (bytes: Uint8Array) => Value | undefined,
  ): Promise<Value> => {
    const value = parse(new Uint8Array(await (await download(key)).arrayBuffer()));
    if (value === undefined) throw new Error(`${key} is damaged.`);
    return value;
  };
  const open = async (before: Root | undefined): Promise<Root> => {
    const release = await read(CURRENT_KEY, parseCurrent);
    const parse = (bytes: Uint8Array) => parseRoot(bytes, release);
    return before?.release === release ? before : read(rootKey(release), parse);
  };
  const itemsOf = async (chunk: string, facets: string): Promise<Item[]> => {
    const [{ count, entries }, bytes] = await Promise.all([
      read(chunkKey(chunk), parseChunk),
      read(facetsKey(facets), (all) => all),
    ]);
    const columns = parseFacetColumns(bytes, count);
    const text = new TextDecoder().decode(entries);
    const summaries = summariesIn(text);
    if (summaries?.length !== count) throw new Error(`${chunkKey(chunk)} is damaged.`);
    if (columns?.first !== summaries[0]!.id) throw new Error(`${facetsKey(facets)} is damaged.`);
    return summaries.map((summary, row) => {
      const found = { ...summary, latitude: columns!.latitude[row]!, longitude: columns!.longitude[row]! };
      return { found, columns: columns!, row };
    });
  };
  const countriesOf = async (root: Root, city: string): Promise<string[]> => {
    const shard = shardFor(root, city);
    const cities = shard === undefined ? undefined : await read(citiesKey(shard), parseShard);
    return cities?.get(city)?.countries.map(({ country }) => country) ?? [];
  };
  return {
    /** The live root: asked for again after a while, or after a failure. */
    async root(isFresh = false): Promise<Root> {
      const before = await opened?.catch(() => undefined);
      if (!before || isFresh || Date.now() - asked > maxAge) {
        asked = Date.now();
        opened = open(before);
      }
      return opened!;
    },
    /** @throws SearchSizeError when there are more than `most`. */
    async items(root: Root, { country = '', city = '' }: Filter, most: number): Promise<Item[]> {
      const countries = city && !country ? await countriesOf(root, city) : [country];
      // Two countries may share a chunk.
      const places = [...new Set(countries.flatMap((one) => chunksOf(root, one, city)))];
      const properties = places.reduce((sum, place) => sum + place.end - place.start, 0);
      if (properties > most) throw new SearchSizeError(properties);
      const facets = facetDigests(root);
      const all = await Promise.all(
        places.map((place) => {
          const name = facets[root.chunks.indexOf(place)]!;
          const key = place.digest + name;
          const known = chunks.get(key) ?? itemsOf(place.digest, name);
          chunks.set(key, known);
          known.catch(() => chunks.delete(key));
          return known;
        }),
      );
      const isIn = ({ found }: Item) =>
        (!country || found.country === country) && (!city || found.city === city);
      return all.flat().filter(isIn);
    },
  };
}

function summariesIn(text: string): Summary[] | undefined {
  try {
    const summaries = JSON.parse(`[${text}]`) as (Summary | null)[];
    const isWhole = summaries.every((one) =>
      [one?.id, one?.title, one?.city, one?.country].every((value) => typeof value === 'string'),
    );
    return isWhole ? (summaries as Summary[]) : undefined;
  } catch {
    return undefined;
  }
}

function chunksOf(root: Root, country: string, city: string): Root['chunks'] {
  const { chunks } = root;
  const range = countryRange(root, country);
  if (!range) return [];
  const ofCountry = chunks.filter(({ start, end }) => start < range.end && end > range.start);
  if (!city) return ofCountry;
  const place = { country, folded: fold(city), city };
  const first = Math.max(
    0,
    lastIndex(chunks, (chunk) => comparePlaces(chunk, place) < 0),
  );
  const last = lastIndex(chunks, (chunk) => comparePlaces(chunk, place) <= 0);
  return chunks.slice(first, last + 1);
}
