/** A search of plain objects, by the words of docs/search.md and without code of the client. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import {
  createSearch,
  type FileClient,
  type Search,
  type SearchFilter,
  type SearchQuery,
} from '../../src/client/search.ts';
import { createWorkspace, idOf, type Workspace } from '../compile/workspace.ts';

export type House = {
  readonly id: string;
  readonly title: string;
  readonly city: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly facilities: readonly string[];
  readonly fields: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
};

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length]!;
const NAMES =
  'Rose Cottage Villa Málaga Château 東京ホテル Old Mill Farmhouse Lighthouse 12 102 Ba Sea-View Harbour cottages O’Brien ŒUVRE Rosé'.split(
    ' ',
  );
const PLACES = [
  ['IE', 'Galway'],
  ['IE', 'Cork'],
  ['FR', 'Paris'],
  ['FR', 'Newport'],
  ['GB', 'Newport'],
  ['GB', 'Ávila'],
] as const;
const WORDS = ['wifi', 'parking_lot', 'sauna', 'böat', 'garden'];

export function houses(count: number): House[] {
  return Array.from({ length: count }, (_, n) => {
    const random = (salt: number) => Math.imul(n + 1, 0x9e3779b1 ^ (salt * 0x85ebca6b)) >>> 7;
    const [country, city] = pick(PLACES, random(1));
    return {
      id: idOf(n + 1),
      title: Array.from({ length: 1 + (random(2) % 3) }, (_, at) => pick(NAMES, random(3 + at))).join(' '),
      ...{ city, country },
      latitude: ((random(6) % 1000) - 500) / 10,
      longitude: ((random(7) % 3600) - 1800) / 10,
      facilities: WORDS.filter((_, at) => random(8 + at) % 3 === 0),
      fields: {
        bedrooms: random(14) % 4 === 0 ? undefined : random(15) % 6,
        price_from: random(16) % 5 === 0 ? undefined : (random(17) % 40) / 4,
        property_type: pick(['cottage', 'villa', undefined], random(18)),
        pets: pick([true, false, undefined], random(19)),
        views: ['sea', 'lake'].filter((_, at) => random(20 + at) % 2 === 0),
        opened: pick(['2020-05-01', '2021-01-31', undefined], random(22)),
      },
    };
  });
}

/** Builds houses, and returns a client of the files. */
export async function publish(all: readonly House[]): Promise<{ client: FileClient; workspace: Workspace }> {
  const workspace = createWorkspace();
  workspace.configure(`layout: packed
targets: []
docs: false
explorer: { enabled: false }
bulk: false
fields:
  bedrooms: { filter: true }
  beds: {}
  price_from: { filter: true }
  property_type: {}
  pets: { type: boolean, filter: true }
  views: { type: choice, list: true, choices: [sea, lake], filter: true }
  opened: { type: date, filter: true }
`);
  all.forEach(({ fields, ...house }, n) => {
    const texts = Object.entries(fields).map(([name, value]) => [
      name,
      value === undefined || Array.isArray(value) ? value : String(value),
    ]);
    const [latitude, longitude] = [String(house.latitude), String(house.longitude)];
    workspace.add(n + 1, { ...house, latitude, longitude, ...Object.fromEntries(texts) });
  });
  await workspace.build();
  return { client: clientOf(workspace.public), workspace };
}

/** @param asked receives the key of each request. */
export function clientOf(root: string, asked: string[] = []): FileClient {
  return createClient({
    baseUrl: 'https://stays.example',
    retries: 0,
    fetch: async (url) => {
      const key = String(url).slice('https://stays.example/'.length);
      asked.push(key);
      const path = join(root, key);
      return existsSync(path) ? new Response(readFileSync(path)) : new Response('', { status: 404 });
    },
  });
}

const CJK = /[\u3040-\u30ff\u4e00-\u9fff]/;

function splitWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  const end = () => {
    if (word) words.push(word);
    word = '';
  };
  for (const sign of text.normalize('NFKD').toLowerCase()) {
    if (/\p{M}/u.test(sign)) continue;
    if (CJK.test(sign)) {
      end();
      words.push(sign);
    } else if (/[\p{L}\p{N}]/u.test(sign)) word += sign;
    else end();
  }
  end();
  return words;
}

/** Edits by the whole table of optimal string alignment. */
function edits(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let i = 1; i <= one.length; i++)
    for (let j = 1; j <= other.length; j++) {
      const last = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + last);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, table[i - 2]![j - 2]! + 1);
      table[i]![j] = least;
    }
  return table[one.length]![other.length]!;
}

const known = new Map<string, readonly [typos: number, starts: number] | undefined>();

/** Typos, and whether it is only the start; undefined for another word. */
export function likeness(wanted: string, word: string): readonly [typos: number, starts: number] | undefined {
  const key = `${wanted} ${word}`;
  if (known.has(key)) return known.get(key);
  const allowed = wanted.length < 3 || /[0-9]/.test(wanted) ? 0 : wanted.length < 8 ? 1 : 2;
  const typos = edits(wanted, word);
  const result =
    wanted === word
      ? ([0, 0] as const)
      : word.indexOf(wanted) === 0
        ? ([0, 1] as const)
        : typos <= allowed
          ? ([typos, 0] as const)
          : undefined;
  known.set(key, result);
  return result;
}

const split = new Map<string, string[]>();

function wordsIn(text: string): string[] {
  const words = split.get(text) ?? splitWords(text);
  split.set(text, words);
  return words;
}

function nearness({ title }: House, text: string): readonly [number, number] | undefined {
  const own = wordsIn(title);
  let [typos, starts] = [0, 0];
  for (const wanted of wordsIn(text)) {
    const best = own
      .map((word) => likeness(wanted, word))
      .filter((one) => one !== undefined)
      .sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
    if (!best) return undefined;
    typos += best[0];
    starts += best[1];
  }
  return [typos, starts];
}

const listed = (value: unknown) =>
  (value === undefined ? [] : [value].flat()) as (string | number | boolean)[];

function suits(house: House, name: string, filter: SearchFilter): boolean {
  const values = listed(house.fields[name]);
  if ('length' in filter)
    return filter.length === 0 || values.some((value) => filter.some((one) => one === value));
  const { minimum, maximum } = filter;
  if (minimum === undefined && maximum === undefined) return true;
  return values.some((value) => !(minimum! > value) && !(maximum! < value));
}

/** The distance by the law of cosines, in another way than the client. */
function kilometresTo(house: House, at: { latitude: number; longitude: number }): number {
  const point = ({ latitude, longitude }: { latitude: number; longitude: number }) => {
    const [a, b] = [(latitude / 180) * Math.PI, (longitude / 180) * Math.PI];
    return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a)] as const;
  };
  const [one, other] = [point(house), point(at)];
  const chord = Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
  return 2 * 6371.0088 * Math.asin(Math.min(1, chord / 2));
}

/** Ids in order, and the number of properties by field and value. `inOrder`: houses in the order of the list. */
function expected(inOrder: readonly House[], query: SearchQuery) {
  const { country, city, text = '', facilities = [], filter = {}, bounds, near } = query;
  const matching = inOrder.filter((house) => {
    if (country && house.country !== country) return false;
    if (city && house.city !== city) return false;
    if (bounds) {
      const { west, south, east, north } = bounds;
      if (house.latitude < south || house.latitude > north) return false;
      const turned = (degrees: number) => (degrees - west + 720) % 360;
      if (turned(house.longitude) > turned(east)) return false;
    }
    if (near?.within !== undefined && kilometresTo(house, near) > near.within) return false;
    return nearness(house, text) !== undefined && facilities.every((one) => house.facilities.includes(one));
  });
  const passing = (house: House, but?: string) =>
    Object.entries(filter).every(([name, one]) => name === but || suits(house, name, one));
  const found = matching.filter((house) => passing(house));
  const key = (house: House) => [...nearness(house, text)!, near ? kilometresTo(house, near) : 0];
  const keys = new Map(found.map((house) => [house, key(house)]));
  found.sort((a, b) => {
    const [one, other] = [keys.get(a)!, keys.get(b)!];
    return one[0]! - other[0]! || one[1]! - other[1]! || one[2]! - other[2]!;
  });
  const counts = new Map<string, number>();
  const count = (name: string, value: unknown) =>
    counts.set(`${name} ${value}`, (counts.get(`${name} ${value}`) ?? 0) + 1);
  for (const house of matching)
    for (const name of Object.keys(house.fields))
      if (passing(house, name)) for (const value of listed(house.fields[name])) count(name, value);
  for (const house of found) for (const word of house.facilities) count('facilities', word);
  return { ids: found.map(({ id }) => id), counts };
}

const typed = fc.oneof(
  fc.constantFrom(...NAMES),
  fc
    .tuple(fc.constantFrom(...NAMES), fc.nat(11), fc.constantFrom('', 'x', 'e', 'o'))
    .map(([name, at, letter]) => name.slice(0, at) + letter + name.slice(at + 1)),
  fc.tuple(fc.constantFrom(...NAMES), fc.nat(9)).map(([name, at]) => name.slice(0, at)),
  fc
    .tuple(fc.constantFrom(...NAMES), fc.nat(9))
    .map(
      ([name, at]) =>
        name.slice(0, at) + name.slice(at + 1, at + 2) + name.slice(at, at + 1) + name.slice(at + 2),
    ),
);
const rarely = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 1 });
const degrees = (most: number) => fc.integer({ min: -most, max: most });
const range = <T>(one: fc.Arbitrary<T>) => fc.record({ minimum: rarely(one), maximum: rarely(one) });

const queries: fc.Arbitrary<SearchQuery> = fc.record({
  country: fc.constantFrom(undefined, undefined, '', 'IE', 'FR', 'GB', 'XX'),
  city: fc.constantFrom(undefined, undefined, undefined, 'Galway', 'Newport', 'Ávila', 'Atlantis'),
  text: fc.option(
    fc.array(typed, { maxLength: 2 }).map((words) => words.join(' ')),
    { nil: undefined },
  ),
  facilities: rarely(fc.subarray([...WORDS, 'nothing'], { maxLength: 2 })),
  filter: rarely(
    fc.record(
      {
        bedrooms: fc.oneof(range(fc.nat(6)), fc.subarray([0, 1, 5])),
        price_from: range(fc.constantFrom(0, 2.5, 5.25, 9)),
        property_type: fc.subarray(['cottage', 'villa', 'castle']),
        pets: fc.subarray([true, false]),
        views: fc.subarray(['sea', 'lake']),
        opened: range(fc.constantFrom('2020-05-01', '2020-12-31', '2022-01-01')),
      },
      { requiredKeys: [] },
    ),
  ),
  bounds: rarely(
    fc.record({ west: degrees(180), south: degrees(60), east: degrees(180), north: degrees(60) }),
  ),
  near: rarely(
    fc.record({ latitude: degrees(60), longitude: degrees(180), within: rarely(fc.constantFrom(500, 3000)) }),
  ),
  page: fc.constantFrom(undefined, 1, 2, 40),
  size: fc.constantFrom(undefined, 1, 10),
});

/** A page, or all in one. */
const paged = queries.chain((query) =>
  fc.constantFrom(query, { ...query, page: 1, size: Number.POSITIVE_INFINITY }),
);

export async function housesInOrder(client: FileClient, all: readonly House[]): Promise<House[]> {
  const byId = new Map(all.map((house) => [house.id, house]));
  return (await createSearch(client)({ size: Number.POSITIVE_INFINITY })).data.map(({ id }) => byId.get(id)!);
}

/** Compares order, page, total and counts with those of the oracle. */
export function expectAgreement(
  search: Search,
  inOrder: readonly House[],
  runs: number,
  more: { readonly seed?: number } = {},
): Promise<void> {
  const agrees = fc.asyncProperty(paged, async (query) => {
    const { data, total, facets } = await search(query);
    const { ids, counts } = expected(inOrder, query);
    const { page = 1, size = 25 } = query;
    const isAll = size === Number.POSITIVE_INFINITY;
    expect(data.map(({ id }) => id)).toEqual(isAll ? ids : ids.slice((page - 1) * size, page * size));
    expect(total).toBe(ids.length);
    const flat = Object.entries(facets).flatMap(([name, values]) =>
      values.map(({ value, count }) => [`${name} ${value}`, count] as const),
    );
    expect(new Map(flat)).toEqual(counts);
  });
  return fc.assert(agrees, { numRuns: runs, ...more });
}
