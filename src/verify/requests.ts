import { accessOf } from '../contract/access.ts';
import { API_KEY_HEADER } from '../contract/headers.ts';
import { API_PATH, LIST_PATH } from '../contract/object-keys.ts';
import { isTreeKey } from '../contract/object-kinds.ts';
import { pageCount, type Range } from '../contract/pagination.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, PARAMETERS } from '../contract/parameters.ts';
import type { Summary } from '../contract/property.ts';
import { idInSummary, pagesFromNumber, type Release, readSummaries } from '../release/release.ts';
import type { Scope } from '../release/sequence.ts';
import { apiKeyHeaders, undefinedIfLeafDamaged } from './response.ts';

export type ProbeRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type VerifyExtent = { readonly all: boolean; readonly sample: number };

/** `first`: first property of the lists. `ids`: properties to check. */
export type ChosenProperties = { readonly first: Summary | undefined; readonly ids: readonly string[] };

export async function chooseProperties(
  release: Release,
  { all, sample }: VerifyExtent,
): Promise<ChosenProperties> {
  const textsIn = async ({ start, end }: Range) =>
    (await undefinedIfLeafDamaged(readSummaries(release, start, end))) ?? [];
  const at = (place: number) => ({ start: place, end: place + 1 });
  const { chunks, total } = release.root;
  const [first] = await textsIn(at(0));
  const ids: string[] = [];
  for (const range of all ? chunks : evenlySpaced([...Array(total).keys()], sample).map(at))
    ids.push(...(await textsIn(range)).map(idInSummary));
  return { first: first === undefined ? undefined : (JSON.parse(first) as Summary), ids };
}

export function* probeRequests(
  release: Release,
  base: string,
  extent: VerifyExtent,
  { first, ids }: ChosenProperties,
  apiKey: string | undefined,
): Generator<ProbeRequest> {
  const key = apiKeyHeaders(apiKey);
  const list = (query: string, method = 'GET', headers: Record<string, string> = {}): ProbeRequest => ({
    method,
    path: base + LIST_PATH,
    query,
    headers: { ...key, ...headers },
  });
  const at = (path: string, method = 'GET'): ProbeRequest => ({
    method,
    path: base + path,
    query: '',
    headers: {},
  });

  yield list('');
  yield list('', 'HEAD');
  if (release.settings.api_keys) {
    yield { ...list(''), headers: {} };
    yield { ...list(''), headers: { [API_KEY_HEADER]: 'not-a-key' } };
  }
  const hasLists = canReadLists(release, apiKey);
  if (hasLists) {
    for (const query of listQueries(release, first)) yield list(query);
    for (const query of faultyQueries()) yield list(query);
  }
  const preflight = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' };
  yield { ...list('', 'OPTIONS', preflight) };
  for (const method of ['POST', 'PUT', 'DELETE']) yield list('', method);

  if (first) {
    yield at(`${LIST_PATH}/${first.id.toUpperCase()}`);
    yield at(`${LIST_PATH}/${first.id}`, 'HEAD');
    yield at(`${LIST_PATH}/${first.id}`, 'OPTIONS');
    yield at(`${LIST_PATH}/${first.id}`, 'POST');
    yield at(`${LIST_PATH}/${first.id}/`);
  }
  yield at(`${LIST_PATH}/ffffffff-ffff-4fff-bfff-ffffffffffff`);
  yield at(`${LIST_PATH}/not-an-id`);
  yield at(`${LIST_PATH}/`);
  yield at(`${API_PATH}/unknown`);

  for (const id of ids) yield at(`${LIST_PATH}/${id}`);
  if (hasLists) {
    for (const page of pagesToCheck(release, extent)) yield list(queryOf(page));
  }
  const file = (name: string): ProbeRequest => ({ ...at(`/${name}`), headers: key });
  for (const document of Object.keys(release.documents)) {
    // Objects of the release tree are checked through the lists. Their own paths may be unreachable.
    if (isTreeKey(document)) continue;
    if (hasLists || accessOf(document) === 'open') yield file(document);
  }
}

export function canReadLists({ settings }: Release, apiKey: string | undefined): boolean {
  return !settings.api_keys || apiKey !== undefined;
}

function* listQueries({ root }: Release, first: Summary | undefined): Generator<string> {
  yield `page[number]=1&page[size]=${DEFAULT_PAGE_SIZE}`;
  yield `page%5bsize%5d=${DEFAULT_PAGE_SIZE}&page%5Bnumber%5D=%31`;
  yield 'page[number]=&filter[city]=&utm_source=x';
  yield `page[number]=999999999&page[size]=${DEFAULT_PAGE_SIZE}`;
  if (!first) return;
  const city = encodeURIComponent(first.city);
  yield `filter[country]=${first.country}`;
  yield `filter[city]=${city}`;
  yield `filter[city]=${city.replace(/%20/g, '+')}&filter[country]=${first.country}`;
  yield `filter[country]=${first.country}&page[number]=999999`;
  yield `filter[country]=${unusedCountry(root.countries)}`;
  yield `filter[city]=${city}%20nowhere`;
}

function* faultyQueries(): Generator<string> {
  yield 'filter[contry]=IE';
  yield 'page[limit]=10';
  yield 'filter[country]=ie';
  for (const value of ['0', '-1', '01', '1.5', 'x', '1000000000']) yield `page[number]=${value}`;
  for (const value of ['0', String(MAX_PAGE_SIZE + 1), 'x']) yield `page[size]=${value}`;
  for (const { name } of PARAMETERS) {
    yield `${name}=1&${name}=2`;
    yield `${name}=%E9`;
    yield `${name}=%4`;
  }
}

function unusedCountry(countries: Release['root']['countries']): string {
  const used = new Set(countries.map(({ country }) => country));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const one of letters) for (const two of letters) if (!used.has(one + two)) return one + two;
  return 'ZZ';
}

type ScopePage = {
  readonly folder: string;
  readonly scope: Scope;
  readonly size: number;
  readonly number: number;
};

export function pagesToCheck(release: Release, { all, sample }: VerifyExtent): Iterable<ScopePage> {
  return all ? everyPage(release) : evenlySpaced([...firstPages(release)], sample);
}

function* everyPage(release: Release): Generator<ScopePage> {
  for (const [folder, scope] of release.scopes) {
    for (const size of release.sizes) {
      for (const { number } of pagesFromNumber(folder, scope, size, 1)) yield { folder, scope, size, number };
    }
  }
}

function* firstPages({ scopes, sizes }: Release): Generator<ScopePage> {
  let turn = 0;
  for (const [folder, scope] of scopes) {
    const size = sizes[turn++ % sizes.length]!;
    yield { folder, scope, size, number: 1 };
    const last = pageCount(scope.total, size);
    if (last > 1) yield { folder, scope, size, number: last };
  }
}

function queryOf({ scope: { country, city }, size, number }: ScopePage): string {
  const parts = [`page[number]=${number}`, `page[size]=${size}`];
  if (city) parts.unshift(`filter[city]=${encodeURIComponent(city)}`);
  if (country) parts.unshift(`filter[country]=${country}`);
  return parts.join('&');
}

/** Evenly spaced, from the first to the last; only the first if `count` is 1. */
export function evenlySpaced<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  if (count === 1) return items.slice(0, 1);
  return Array.from(
    { length: count },
    (_, index) => items[Math.round((index * (items.length - 1)) / (count - 1))]!,
  );
}
