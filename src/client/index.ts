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
  type DOWNLOAD_KEYS,
  GEOJSON_KEY,
  INDEX_KEY,
  NDJSON_KEY,
  pointsKey,
} from '../contract/document-keys.ts';
import { API_KEY_HEADER, RELEASE_HEADER } from '../contract/headers.ts';
import { LIST_PATH } from '../contract/keys.ts';
import { type DownloadOptions, download } from './download.ts';
import { changesOf, type FollowEvent, type FollowOptions, follow } from './follow.ts';
import { iterate, type PageOf } from './iterate.ts';
import type { ClientOptions, IterateOptions, ListQuery, RequestOptions } from './options.ts';
import { createRequester, type Fits, type RequestHeaders } from './request.ts';
import { withRetries } from './retry.ts';
import type {
  CatalogueIndex,
  Changes,
  ChangesIndex,
  Countries,
  FeatureCollection,
  Page,
  Points,
  Property,
  PropertyRecord,
  Summary,
} from './types.ts';

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

/** A file with every property. */
export type DownloadName = (typeof DOWNLOAD_KEYS)[number];

/** What a client can do. Each call may throw a `CatalogueError`, or the reason of its signal. */
export type Client = {
  /** One page of the list. A page past the end is empty. */
  readonly listProperties: (query?: ListQuery, options?: RequestOptions) => Promise<Page>;
  /** One property. Throws the problem `property-not-found` when there is none. */
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
  /** Countries and cities, to fill a filter with. */
  readonly getCountries: (options?: RequestOptions) => Promise<Countries>;
  /** Where the properties of a country are, with ids and titles. Throws `not-found` for one without properties. */
  readonly getPoints: (country: string, options?: RequestOptions) => Promise<Points>;
  /** Every property as a point, all in memory at once. Throws `not-found` where there are no downloads. */
  readonly getGeoJson: (options?: RequestOptions) => Promise<FeatureCollection>;
  /**
   * Every property with all its fields, of one release, as the bytes arrive: memory does not grow with the catalogue. A
   * connection that breaks is taken up where it was, and `onRestart` says when that cannot be. Throws `not-found` where
   * there are no downloads.
   */
  readonly downloadProperties: (options?: DownloadOptions) => AsyncGenerator<PropertyRecord, void, undefined>;
  /** A file with every property as it is, to be saved or passed on; its body has not been read. */
  readonly download: (name: DownloadName, options?: RequestOptions) => Promise<Response>;
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
  const key: RequestHeaders = apiKey === undefined ? {} : { [API_KEY_HEADER]: apiKey };
  const urlOf = (file: string, release?: string) =>
    `${base}/${file}${release ? `?release=${encodeURIComponent(release)}` : ''}`;
  const bodyOf = async <Body>(url: string, headers: RequestHeaders, fits: Fits, signal?: AbortSignal) =>
    (await requester.json<Body>(url, headers, fits, signal)).body;
  const pageOf: PageOf = (query, signal, release) =>
    requester.json<Page>(
      list + queryText(query),
      release ? { ...key, [RELEASE_HEADER]: release } : key,
      isPage,
      signal,
    );
  const changes = async (url: string, signal?: AbortSignal) =>
    changesOf(await requester.text(url, key, signal), url);

  return {
    listProperties: async (query = {}, { signal } = {}) => (await pageOf(query, signal, null)).body,
    getProperty: (id, { signal } = {}) =>
      bodyOf(`${list}/${encodeURIComponent(id)}`, {}, has('title'), signal),
    iterateProperties: (query, iterateOptions) => iterate(pageOf, query ?? {}, iterateOptions ?? {}),
    getIndex: ({ signal } = {}) => bodyOf(urlOf(INDEX_KEY), key, has('release', 'links'), signal),
    getCountries: ({ signal } = {}) => bodyOf(urlOf(COUNTRIES_KEY), key, has('countries'), signal),
    getPoints: (country, { signal } = {}) =>
      bodyOf(urlOf(pointsKey(encodeURIComponent(country))), key, has('ids', 'titles'), signal),
    getGeoJson: ({ signal } = {}) => bodyOf(urlOf(GEOJSON_KEY), key, has('features'), signal),
    downloadProperties: (downloadOptions = {}) =>
      download(requester, urlOf(NDJSON_KEY, downloadOptions.release), key, downloadOptions),
    download: (name, { signal } = {}) =>
      withRetries(requester.policy, signal, () => requester.send(urlOf(name), key, signal)),
    getChangesIndex: ({ signal } = {}) => bodyOf(urlOf(CHANGES_INDEX_KEY), key, has('months'), signal),
    getChanges: (month, { signal } = {}) => changes(urlOf(changesKey(month)), signal),
    followChanges: (followOptions) =>
      follow(
        {
          index: (release, signal) => bodyOf(urlOf(INDEX_KEY, release), key, has('release', 'links'), signal),
          months: (release, signal) => bodyOf(urlOf(CHANGES_INDEX_KEY, release), key, has('months'), signal),
          changes: (month, release, signal) => changes(urlOf(changesKey(month), release), signal),
        },
        followOptions,
      ),
  };
}

/** Whether an object has all these members. */
function has(...members: readonly string[]): Fits {
  return (value) => members.every((member) => member in value);
}

const isPage: Fits = ({ data, meta }) =>
  Array.isArray(data) && ((meta as Page['meta'] | undefined)?.pagination?.per_page ?? 0) > 0;

function queryText({ country, city, page, size }: ListQuery): string {
  const values: [string, string | number | undefined][] = [
    ['filter[country]', country],
    ['filter[city]', city],
    ['page[number]', page],
    ['page[size]', size],
  ];
  const parts = values
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value as string)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}
