/** A small catalogue of hostile names, and its files, made by naive code that shares nothing with the compiler. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  CURRENT_KEY,
  mediaKey,
  pageKey,
  problemKey,
  propertyKey,
  totalKey,
} from '../../src/contract/object-keys.ts';
import type { OriginKind } from '../../src/contract/origin-status.ts';
import { problemDocuments } from '../../src/contract/problem.ts';
import { serializeCurrent, UNKNOWN_BUILD } from '../../src/release/root-contents.ts';
import type { ScopeTotal } from '../../src/targets/target.ts';
import { makeTree, type Summary } from './tree.ts';

export type { Summary };

/** The settings of a fixture. */
export type FixtureOptions = {
  base: string;
  sizes: number[] | 'all';
  /** The keys themselves; empty for an open list. */
  keys: string[];
  /** What is stored beside the release tree: nothing if packed, by default a file for each page and detail. */
  layout?: 'packed' | undefined;
  /** The store of the files behind a target that has an origin. */
  origin?: OriginKind | undefined;
  /** Whether all details of the packed layout are in parts, and none is a file. @default false */
  isWhole?: boolean;
  /** Whether some pages have no file. */
  hasMissingPages?: boolean;
  /** Whether lists for those with a key are public: only for a target that does not guard yet. */
  hasPublicLists?: boolean | undefined;
};

/** A page of a country. */
type CountryPage = { country: string; size: number; number: number };

export type Fixture = FixtureOptions & {
  /** Pages that have no file, though their totals say that they exist. */
  missing: CountryPage[];
  summaries: Summary[];
  files: Map<string, Buffer>;
  /** Details by id. */
  details: ReadonlyMap<string, string>;
  /** Names of the cities, each in at least one country. */
  cities: string[];
  /** The release that lists name; undefined when they name none. */
  release?: string;
};

export const CACHE_CONTROL = {
  api: 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400',
  media: 'public, max-age=31536000, immutable',
  problem: 'public, max-age=10',
  release: 'public, max-age=5, stale-while-revalidate=60, stale-if-error=86400',
};

/** The headers with which a file is stored. */
export function cachingOf(key: string): keyof typeof CACHE_CONTROL {
  if (key === '_catalogue/current.json') return 'release';
  const isNamedByContent = [
    ...[
      'media/',
      'explorer/',
      '_catalogue/chunks/',
      '_catalogue/cities/',
      '_catalogue/documents/',
      '_catalogue/facets/',
      '_catalogue/images/',
      '_catalogue/roots/',
    ],
    '_catalogue/parts/',
  ];
  return isNamedByContent.some((folder) => key.startsWith(folder)) ? 'media' : 'api';
}

/** Content of a file outside every root: no answer may contain it. */
export const CANARY = 'CANARY-7f3a51';

/** A text in each private file of publishing: no answer may contain it. */
export const INTERNAL = 'INTERNAL-c05e';

/** Those files. */
export const INTERNAL_KEYS = [
  '_catalogue/log/00000001.json',
  '.catalogue-incoming/0123456789abcdef',
  '_previews/pr-0/0123456789abcdef/index.html',
];

/** Keys that are protected in a catalogue with keys, as listed in the decisions of the specification. */
export const GUARDED_KEY =
  /^_catalogue\/(?:pages|chunks|cities|roots|countries|documents|facets|images|parts)\/|^_catalogue\/(?:current|countries)\.json$|^properties\.|^changes\//;

/** A part of the details. */
export const PART_KEY = '_catalogue/parts/0123456789abcdef0123456789abcdef.ndjson';

/** Other files that show the list. */
const LIST_FILES = [
  ...['_catalogue/countries.json', '_catalogue/countries/GB.json'],
  ...['properties.ndjson', 'properties.geojson', 'properties.csv'],
  PART_KEY,
  '_catalogue/documents/0123456789abcdef0123456789abcdef',
  '_catalogue/images/0123456789abcdef0123456789abcdef.json',
  'changes/index.json',
  'changes/2026-11.ndjson',
  'changes/feed.xml',
];

/** The longest city that a request may name: 120 bytes. */
export const LONGEST_CITY = 'é'.repeat(60);

const CITIES: [country: string, city: string, count: number][] = [
  ['FR', 'Paris', 127],
  ['US', 'Paris', 9],
  ['FR', 'paris', 2],
  ['FR', 'Saint-Denis', 3],
  ['RE', 'Saint-Denis', 2],
  ['RE', 'Saint-Denis/Réunion', 2],
  ['BR', 'São Paulo', 30],
  ['IT', "L'Aquila", 2],
  ['DE', 'Frankfurt (Oder)', 2],
  // Every letter in both cases, up to and past the length that one target spells letter by letter.
  ['DE', 'abcdefghijklmnop', 1],
  ['DE', 'ABCDEFGHIJKLMNOP', 1],
  ['DE', 'qrstuvwxyz-QRS z', 1],
  ['DE', 'TUVWXYZ', 1],
  ['DE', 'QRSTUVWXYZ-abc xy', 1],
  ['JP', '東京', 4],
  ['MV', '🏝️ Atoll', 1],
  ['GB', 'A&B', 2],
  ['GB', 'A+B', 1],
  ['GB', 'A B', 3],
  ['GB', 'A  B', 1],
  ['GB', 'A%20B', 1],
  ['GB', '100% Real', 1],
  ['GB', '%', 1],
  ['GB', '%41', 1],
  ['GB', 'x=y', 1],
  ['GB', '=', 1],
  ['GB', 'semi;colon', 1],
  ['GB', '..', 1],
  ['GB', '.', 1],
  ['GB', '../../../../canary', 1],
  ['GB', 'C:\\Temp*?"<>|', 1],
  ['GB', 'trailing.', 1],
  ['GB', 'CON', 1],
  ['GB', '-', 2],
  ['GB', '--', 1],
  ['GB', '#hash', 1],
  ['GB', '~', 1],
  ['GB', '~tilde!*', 1],
  ['GB', '{braces}$var', 1],
  ['GB', '${uri}$1\\1', 1],
  ['GB', '{{.Req.URL}}', 1],
  ['GB', '<!--#echo var="QUERY_STRING" -->', 1],
  ['GB', '<esi:include src="/canary"/>', 1],
  ['GB', '%[query]%{HTTP_HOST}e', 1],
  ['GB', "');--", 1],
  ['GB', '`id`$(id)', 1],
  ['GB', 'filter[country]', 1],
  ['GB', '25-1', 1],
  ['GB', 'total', 1],
  ['GB', '0', 1],
  ['GB', 'null', 1],
  ['GB', '__proto__', 1],
  ['GB', 'é', 1],
  ['GB', 'a,b', 1],
  ['GB', '7e', 1],
  ['XK', LONGEST_CITY, 2],
];

/** The catalogue, in memory. */
export function makeFixture(options: FixtureOptions): Fixture {
  const summaries: Summary[] = [];
  const files = new Map<string, Buffer>();
  const put = (key: string, content: string | Buffer) => files.set(key, Buffer.from(content));
  for (const [country, city, count] of CITIES) {
    for (let index = 0; index < count; index++) {
      const hash = createHash('sha256').update(`${country}/${city}/${index}`).digest('hex');
      const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
      const thumbnail =
        index % 3 === 2 ? null : `http://localhost:8080${options.base}/media/${hash.slice(0, 20)}.webp`;
      summaries.push({ id, title: `House ${hash.slice(0, 3)} “${city}”`, city, country, thumbnail });
    }
  }
  summaries.sort((one, other) => compare(sortKey(one), sortKey(other)));
  const details = new Map(
    summaries.map(({ id, title, city, country }) => [
      id,
      JSON.stringify({ title, currency: 'EUR', city, country, facilities: [], photo: [], hotel_policy: [] }),
    ]),
  );
  const isPacked = options.layout === 'packed';
  // In the packed layout, a list names a property of which only a release before the live one has the detail.
  const removed = isPacked && !options.isWhole ? summaries.slice(-1) : [];
  if (!isPacked) for (const { id } of summaries) put(propertyKey(id), details.get(id)!);
  const detailsIn = (some: readonly Summary[]) => new Map(some.map(({ id }) => [id, details.get(id)!]));
  const settings = {
    ...{ base: options.base, url: '', media_url: '' },
    ...{ page_sizes: options.sizes, layout: options.layout ?? 'pages', cache_control: CACHE_CONTROL },
    api_keys: options.keys.length > 0,
  };
  const contents = { settings, headers: {}, documents: {}, images: [] };
  const before = removed.map((summary) => makeTree([summary], detailsIn([summary]), 40, contents));
  const tree = makeTree(
    summaries,
    detailsIn(summaries.slice(0, summaries.length - removed.length)),
    40,
    contents,
  );
  for (const made of [...before, tree]) for (const [key, bytes] of made.files) put(key, bytes);
  const current = {
    release: tree.release,
    build: UNKNOWN_BUILD,
    before: before.map(({ release }) => release),
  };
  put(CURRENT_KEY, serializeCurrent(current));
  if (!isPacked) putPages(summaries, options.sizes, put);
  for (const [name, problem] of problemDocuments(options)) put(problemKey(name), JSON.stringify(problem));
  const photo = Buffer.alloc(5000, 'photo bytes ');
  put(mediaKey('00ff00ff00ff00ff00ff00ff00ff00ff.jpg'), photo);
  put('openapi.json', '{"openapi":"3.1.1"}');
  put('problems.html', '<!doctype html><title>Problems</title>');
  put('docs/index.html', '<!doctype html><title>Documentation</title>');
  put('index.html', '<!doctype html><title>Catalogue</title>');
  put('explorer/app-AbCd_-12.js', 'export {};');
  for (const key of LIST_FILES) put(key, `{"shows":"the list, in ${key}"}`);
  for (const key of INTERNAL_KEYS) put(key, `{"internal":"${INTERNAL}"}`);
  const cities = [...new Set(CITIES.map(([, city]) => city))];
  const isMissing = options.hasMissingPages && !isPacked;
  const missing = isMissing ? [1, 4, 9].map((number) => ({ country: 'US', size: 1, number })) : [];
  for (const { country, size, number } of missing) files.delete(pageKey(folderOf(country), size, number));
  return {
    ...options,
    ...{ summaries, files, details, cities, missing },
    ...(isPacked ? { release: tree.release } : {}),
  };
}

function putPages(
  summaries: Summary[],
  sizes: FixtureOptions['sizes'],
  put: (key: string, content: string) => void,
): void {
  for (const scope of scopesOf(summaries)) {
    const folder = folderOf(scope.country, scope.city);
    const entries = select(summaries, scope.country, scope.city);
    put(totalKey(folder), String(entries.length));
    const every = sizes === 'all' ? Array.from({ length: 100 }, (_, index) => index + 1) : sizes;
    for (const size of every) {
      for (let number = 1; (number - 1) * size < entries.length; number++) {
        put(pageKey(folder, size, number), pageText(entries, size, number));
      }
    }
  }
}

/** Writes the files below `<folder>/public`, and a canary beside it; returns the root. */
export function writeFixture(fixture: Fixture, folder: string): string {
  const root = join(folder, 'public');
  const made = new Set<string>();
  for (const [key, content] of fixture.files) {
    const path = join(root, key);
    const parent = dirname(path);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    writeFileSync(path, content);
  }
  writeFileSync(join(folder, 'canary'), CANARY);
  writeFileSync(join(folder, 'canary.json'), CANARY);
  return root;
}

/** Entries of a scope; undefined is no filter. */
export function select(summaries: Summary[], country?: string, city?: string): Summary[] {
  return summaries.filter(
    (summary) =>
      (country === undefined || summary.country === country) && (city === undefined || summary.city === city),
  );
}

/** The whole body of a page, past the end too. */
export function pageText(entries: Summary[], size: number, number: number): string {
  return JSON.stringify({
    data: entries.slice((number - 1) * size, number * size),
    meta: { pagination: { current_page: number, per_page: size, total_entries: entries.length } },
  });
}

/** Every scope that has entries. */
export function scopesOf(summaries: Summary[]): { country?: string; city?: string }[] {
  const scopes = new Map<string, { country?: string; city?: string }>([['', {}]]);
  for (const { country, city } of summaries) {
    scopes.set(`c ${country}`, { country });
    scopes.set(`t ${city}`, { city });
    scopes.set(`b ${country} ${city}`, { country, city });
  }
  return [...scopes.values()];
}

/** The scopes that targets know. */
export function scopeTotals({ summaries }: Fixture): ScopeTotal[] {
  return scopesOf(summaries).map(({ country, city }) => ({
    folder: folderOf(country, city),
    total: select(summaries, country, city).length,
  }));
}

function folderOf(country?: string, city?: string): string {
  const name = city === undefined ? '-' : Buffer.from(city, 'utf8').toString('hex');
  return `_catalogue/pages/${country ?? '-'}/${name}`;
}

function sortKey({ country, city, title, id }: Summary): string[] {
  const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return [country, fold(city), city, fold(title), title, id];
}

function compare(one: string[], other: string[]): number {
  for (let index = 0; index < one.length; index++) {
    const left = Buffer.from(one[index]!);
    const order = Buffer.compare(left, Buffer.from(other[index]!));
    if (order !== 0) return order;
  }
  return 0;
}
