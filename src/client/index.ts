/**
 * The client of the API, without dependencies, for browsers, Node.js, Deno, Bun and Workers: whatever has `fetch`.
 *
 * @example
 * const catalogue = createClient({ baseUrl: 'https://stays.example' });
 * for await (const { title } of catalogue.iterateProperties({ country: 'IE' })) console.log(title);
 */
import {
  CHANGES_INDEX_KEY,
  COUNTRIES_KEY,
  changesKey,
  cityListKey,
  type DownloadName,
  GEOJSON_KEY,
  INDEX_KEY,
  pointsKey,
} from '../contract/document-keys.ts';
import { API_KEY_HEADER, RELEASE_HEADER } from '../contract/headers.ts';
import { LIST_PATH } from '../contract/keys.ts';
import { type DownloadOptions, download } from './download.ts';
import { type FollowEvent, type FollowOptions, follow } from './follow.ts';
import { iterate, type PageOf } from './iterate.ts';
import { parseLines } from './lines.ts';
import type { ClientOptions, FileOptions, IterateOptions, ListQuery, RequestOptions } from './options.ts';
import { createRequester, type Fits, type RequestHeaders } from './request.ts';
import type {
  CatalogueIndex,
  Changes,
  ChangesIndex,
  CityList,
  Countries,
  FeatureCollection,
  Page,
  Points,
  Property,
  PropertyRecord,
  Summary,
} from './types.ts';

export type { DownloadName } from '../contract/document-keys.ts';
export type { DownloadOptions } from './download.ts';
export { AnswerError, CatalogueError, ConnectionError, ProblemError, ReleaseChangedError } from './errors.ts';
export type { FollowEvent, FollowOptions } from './follow.ts';
export type {
  CachedResponse,
  ClientOptions,
  Filter,
  IterateOptions,
  ListQuery,
  RequestOptions,
  ResponseCache,
} from './options.ts';
export type * from './types.ts';

/** What a client can do. Each call may throw a `CatalogueError`, or the reason of its signal. */
export type Client = {
  /** One page of the list. A page past the end is empty. */
  readonly listProperties: (query?: ListQuery, options?: RequestOptions) => Promise<Page>;
  /** One property. Throws the problem `property-not-found` when no property has the id. */
  readonly getProperty: (id: string, options?: RequestOptions) => Promise<Property>;
  /**
   * Every property of a filter, page by page. Where the catalogue names its releases, all pages are of the one that
   * the first page is of, so each property comes exactly once; when that release is gone before the end, this throws
   * the problem `release-gone`. Elsewhere, a catalogue that is published meanwhile may shift entries from one page
   * to another.
   */
  readonly iterateProperties: (
    query?: Omit<ListQuery, 'page'>,
    options?: IterateOptions,
  ) => AsyncGenerator<Summary, void, undefined>;
  /** What the catalogue offers, and the name of its release. */
  readonly getIndex: (options?: RequestOptions) => Promise<CatalogueIndex>;
  /** The countries that have properties, to fill a filter with. */
  readonly getCountries: (options?: RequestOptions) => Promise<Countries>;
  /** The cities of a country, to fill a filter with. Throws `not-found` for one without properties. */
  readonly getCities: (country: string, options?: RequestOptions) => Promise<CityList>;
  /** Where the properties of a country are, with ids and titles. Throws `not-found` for one without properties. */
  readonly getPoints: (country: string, options?: RequestOptions) => Promise<Points>;
  /**
   * Every property as a point, all in memory at once. Throws `not-found` where there are no downloads, or where they are in
   * parts: then read the parts that the index lists. Each is a feature collection.
   */
  readonly getGeoJson: (options?: RequestOptions) => Promise<FeatureCollection>;
  /**
   * Every property with all its fields, of one release. The files that the index lists are read one after the other, so
   * memory does not grow with the catalogue; `onRestart` says when parts of the release have gone. Throws `not-found`
   * where there are no downloads.
   */
  readonly downloadProperties: (options?: DownloadOptions) => AsyncGenerator<PropertyRecord, void, undefined>;
  /** A file of `downloads` of the index as it is, to be saved or passed on; its body has not been read. */
  readonly download: (file: DownloadName | (string & {}), options?: RequestOptions) => Promise<Response>;
  /** The months that have changes. Throws `not-found` where none are recorded. */
  readonly getChangesIndex: (options?: RequestOptions) => Promise<ChangesIndex>;
  /** What each release of a month, `yyyy-mm`, changed, oldest first. */
  readonly getChanges: (month: string, options?: RequestOptions) => Promise<Changes[]>;
  /**
   * What changed since a release: each change once, oldest first, and an event `restart` where no changes lead to the
   * present release. Without `interval`, the loop ends when all is up to date.
   */
  readonly followChanges: (options: FollowOptions) => AsyncGenerator<FollowEvent, void, undefined>;
};

/**
 * Makes a client.
 *
 * @example
 * const catalogue = createClient({ baseUrl: 'https://stays.example' });
 * (await catalogue.listProperties({ country: 'IE' })).data.length // 1
 */
export function createClient(options: ClientOptions): Client {
  const base = options.baseUrl.replace(/\/+$/, '');
  const list = base + LIST_PATH;
  const requester = createRequester(options);
  const { apiKey } = options;
  const key: RequestHeaders = apiKey ? { [API_KEY_HEADER]: apiKey } : {};
  const urlOf = (file: string, release?: string) => `${base}/${file}${release ? `?release=${release}` : ''}`;
  const bodyOf = async <Body>(url: string, headers: RequestHeaders, fits?: Fits, signal?: AbortSignal) =>
    (await requester.read<Body>(url, headers, signal, fits)).body;
  const pageOf: PageOf = (query, signal, release) =>
    requester.read<Page>(
      list + queryText(query),
      release ? { ...key, [RELEASE_HEADER]: release } : key,
      signal,
      isPage,
    );
  /** What asks for a file that is an object with this member. */
  const get =
    <Body>(file: string, member: string) =>
    ({ signal, release }: FileOptions = {}) =>
      bodyOf<Body>(urlOf(file, release), key, has(member), signal);
  /** The same for the file of a country. */
  const ofCountry =
    <Body>(keyOf: (country: string) => string, member: string) =>
    (country: string, fileOptions?: FileOptions) =>
      get<Body>(keyOf(encodeURIComponent(country)), member)(fileOptions);
  const lines = async <Line>(file: string, member: keyof Line & string, { signal, release }: FileOptions) => {
    const url = urlOf(file, release);
    return parseLines<Line>(await bodyOf(url, key, undefined, signal), url, member);
  };
  const index = get<CatalogueIndex>(INDEX_KEY, 'release');
  const months = get<ChangesIndex>(CHANGES_INDEX_KEY, 'months');
  const changes = async (month: string, fileOptions: FileOptions = {}) => [
    ...(await lines<Changes>(changesKey(month), 'release', fileOptions)),
  ];

  return {
    listProperties: async (query = {}, { signal } = {}) => (await pageOf(query, signal, null)).body,
    getProperty: (id, { signal } = {}) =>
      bodyOf(`${list}/${encodeURIComponent(id)}`, {}, has('title'), signal),
    iterateProperties: (query = {}, iterateOptions = {}) => iterate(pageOf, query, iterateOptions),
    getIndex: index,
    getCountries: get(COUNTRIES_KEY, 'countries'),
    getCities: ofCountry<CityList>(cityListKey, 'cities'),
    getPoints: ofCountry<Points>(pointsKey, 'points'),
    getGeoJson: get(GEOJSON_KEY, 'features'),
    downloadProperties: (downloadOptions = {}) => download({ index, lines }, options, downloadOptions),
    download: (file, { signal } = {}) => requester.open(urlOf(file), key, signal),
    getChangesIndex: months,
    getChanges: changes,
    followChanges: (followOptions) => follow({ index, months, changes }, followOptions),
  };
}

/** Whether an object has this member. */
function has(member: string): Fits {
  return (value) => member in value;
}

const isPage: Fits = ({ data, meta }) =>
  Array.isArray(data) && ((meta as Page['meta'] | undefined)?.pagination?.per_page ?? 0) > 0;

function queryText({ country, city, page, size }: ListQuery): string {
  const values = {
    'filter[country]': country,
    'filter[city]': city,
    'page[number]': page,
    'page[size]': size,
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined) as [string, string][];
  return given[0] ? `?${new URLSearchParams(given)}` : '';
}
