/**
 * Reads the tree of a signed release (docs/release-format.md), so that responses can be compared with it. Does not use
 * `tree/serve`, which would make the client a fifth larger. To be small, this module parses whole objects, and does
 * not check their members once their digest is right.
 */
import { partKey } from '../contract/document-keys.ts';
import { chunkKey, citiesKey } from '../contract/object-keys.ts';
import { compareByCodePoint } from '../contract/sort-order.ts';
import type { ListQuery } from './options.ts';
import type { Page } from './types.ts';

export type ReleaseRoot = {
  readonly version: number;
  readonly facets: string;
  readonly total: number;
  readonly countries: readonly (readonly [country: string, count: number])[];
  readonly cities: readonly (readonly [from: number, digest: string])[];
  readonly chunks: readonly (readonly [digest: string, count: number, folded: string, city: string])[];
  readonly details: readonly (readonly [digest: string, from: string])[];
};

/**
 * A city name and its form for sorting; then, for each country that has a city of that name, the country's code and
 * the number of properties in the city.
 */
export type CityRow = readonly [city: string, folded: string, ...counts: (string | number)[]];

type Entries = Page['data'];

/** The methods return exactly the response bodies that a server would send. */
export type ReleaseTree = {
  readonly page: (query: ListQuery) => Promise<string>;
  /** Undefined if the release lacks the property. */
  readonly detail: (id: string) => Promise<string | undefined>;
};

/** Used if no size is requested (specification, "Pagination"). */
const DEFAULT_SIZE = 25;

export function openReleaseTree(
  { total, countries, cities, chunks, details }: ReleaseRoot,
  read: (file: string, digest: string) => Promise<ArrayBuffer>,
): ReleaseTree {
  const textOf = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);
  const jsonOf = async (file: string, digest: string) => JSON.parse(textOf(await read(file, digest)));
  const entriesOf = async (index: number): Promise<Entries> => {
    const digest = chunks[index]![0];
    return ((await jsonOf(chunkKey(digest), digest)) as { entries: Entries }).entries;
  };
  const between = async (from: number, to: number): Promise<Entries> => {
    const found: Entries[] = [];
    let start = 0;
    for (let index = 0; start < to && index < chunks.length; index++) {
      const end = start + chunks[index]![1];
      if (end > from) found.push((await entriesOf(index)).slice(Math.max(0, from - start), to - start));
      start = end;
    }
    return found.flat();
  };
  /** Sort key of each chunk's first entry. */
  const keys = () => {
    let [run, end, start] = [-1, 0, 0];
    return chunks.map(([, count, folded, city]) => {
      while (start >= end) end += countries[++run]![1];
      start += count;
      return `${countries[run]![0]}\0${folded}\0${city}`;
    });
  };
  const inCity = async (country: string, city: string): Promise<Entries> => {
    const found: Entries[] = [];
    const tables = cities.map(([, digest]) => jsonOf(citiesKey(digest), digest) as Promise<CityRow[]>);
    const row = (await Promise.all(tables)).flat().find(([name]) => name === city);
    for (let at = 2; row && at < row.length; at += 2) {
      if (country !== '' && row[at] !== country) continue;
      const key = `${row[at]}\0${row[1]}\0${city}`;
      let index = keys().filter((one) => compareByCodePoint(one, key) < 0).length - 1;
      for (let left = row[at + 1] as number; left > 0; index++) {
        const own = index < 0 ? [] : await entriesOf(index);
        found.push(own.filter((one) => one.country === row[at] && one.city === city));
        left -= found.at(-1)!.length;
      }
    }
    return found.flat();
  };
  return {
    async page({ country = '', city = '', page, size }) {
      const [number, per_page] = [Number(page || 1), Number(size || DEFAULT_SIZE)];
      const [from, to] = [(number - 1) * per_page, number * per_page];
      let [data, total_entries]: [Entries, number] = [[], total];
      if (city !== '') {
        const all = await inCity(country, city);
        [data, total_entries] = [all.slice(from, to), all.length];
      } else {
        let start = 0;
        if (country !== '') {
          const before = countries.filter(([name]) => name < country);
          start = before.reduce((sum, [, count]) => sum + count, 0);
          total_entries = countries.find(([name]) => name === country)?.[1] ?? 0;
        }
        if (from < total_entries) data = await between(start + from, start + Math.min(to, total_entries));
      }
      const pagination = { current_page: number, per_page, total_entries };
      return JSON.stringify({ data, meta: { pagination } });
    },
    async detail(id) {
      const [digest] = details.filter(([, from]) => from <= id).at(-1) ?? [];
      const head = `{"id":"${id}",`;
      const lines = digest ? textOf(await read(partKey(digest), digest)).split('\n') : [];
      const line = lines.find((one) => one.startsWith(head));
      return line && `{${line.slice(head.length)}`;
    },
  };
}
