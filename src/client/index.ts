/**
 * The client of the API, without dependencies, for browsers, Node.js, Deno, Bun, Workers and every other platform with
 * `fetch`.
 *
 * @example
 * const catalogue = createClient({ baseUrl: 'https://stays.example' });
 * for await (const { title } of catalogue.iterateProperties({ country: 'IE' })) console.log(title);
 */
import {
  CHANGES_FOLDER,
  CHANGES_INDEX_KEY,
  COUNTRIES_KEY,
  changesKey,
  cityListKey,
  type DownloadName,
  GEOJSON_KEY,
  INDEX_KEY,
  POINTS_FOLDER,
  pointsKey,
} from '../contract/document-keys.ts';
import { API_KEY_HEADER, RELEASE_HEADER } from '../contract/headers.ts';
import { KEPT_RELEASES_KEY, LIST_PATH } from '../contract/keys.ts';
import type { Statement } from '../contract/statement.ts';
import type { Property, PropertyRecord } from './declared.ts';
import { type DownloadOptions, download } from './download.ts';
import { type FollowEvent, type FollowOptions, follow } from './follow.ts';
import { iterate, type PageOf } from './iterate.ts';
import { parseLines } from './lines.ts';
import type { ClientOptions, FileOptions, IterateOptions, ListQuery, RequestOptions } from './options.ts';
import { createRequester, type Fits, type RequestHeaders } from './request.ts';
import { createTrust } from './trust.ts';
import type {
  CatalogueIndex,
  Changes,
  ChangesIndex,
  CityList,
  Countries,
  DownloadList,
  FeatureCollection,
  KeptReleases,
  Page,
  Points,
  Summary,
} from './types.ts';

export type { Attribute, Declarations, Translation } from '../contract/declarations.ts';
export type { DownloadName } from '../contract/document-keys.ts';
export { type LocalizedText, type LocalizedTexts, localized } from '../contract/localized.ts';
export type { Property, PropertyRecord } from './declared.ts';
export type { DownloadOptions } from './download.ts';
export {
  AnswerError,
  CatalogueError,
  ConnectionError,
  ProblemError,
  ReleaseChangedError,
  type SignatureCode,
  SignatureError,
} from './errors.ts';
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

/**
 * The client. Each call may throw a `CatalogueError`, or the abort reason of its signal.
 *
 * `Attributes`: type of the fields that the catalogue declares, such as `components['schemas']['Attributes']` that
 * `openapi-typescript` makes; undefined for any catalogue.
 */
export type Client<Attributes = undefined> = {
  /** Reads one page of the list. A page past the end is empty. */
  readonly listProperties: (query?: ListQuery, options?: RequestOptions) => Promise<Page>;
  /** Reads one property. Throws the problem `property-not-found` for an unknown id. */
  readonly getProperty: (id: string, options?: RequestOptions) => Promise<Property<Attributes>>;
  /**
   * Iterates over the properties of a filter, page by page. Where the catalogue names its releases, all pages are of
   * one release, so each property comes exactly once; when that release disappears before the end, this throws the
   * problem `release-gone`. Elsewhere, a publish in between may shift entries from one page to another.
   */
  readonly iterateProperties: (
    query?: Omit<ListQuery, 'page'>,
    options?: IterateOptions,
  ) => AsyncGenerator<Summary, void, undefined>;
  /** Reads the index: the offered files, and the name of the release. */
  readonly getIndex: (options?: RequestOptions) => Promise<CatalogueIndex>;
  /** Reads the countries that have properties, for a filter. */
  readonly getCountries: (options?: RequestOptions) => Promise<Countries>;
  /** Reads the cities of a country, for a filter. Throws `not-found` for a country without properties. */
  readonly getCities: (country: string, options?: RequestOptions) => Promise<CityList>;
  /**
   * Reads the coordinates of a country's properties, with ids and titles. Throws `not-found` for a country without
   * properties.
   */
  readonly getPoints: (country: string, options?: RequestOptions) => Promise<Points>;
  /**
   * Reads every property as a point, all in memory. Throws `not-found` without downloads, or where they are in parts:
   * then read the parts listed in the index, each of which is a feature collection.
   */
  readonly getGeoJson: (options?: RequestOptions) => Promise<FeatureCollection>;
  /**
   * Iterates over all properties with all fields, of one release. Reads the files of the index one at a time, so that
   * memory does not grow with the catalogue; `onRestart` reports that the release has disappeared. Throws `not-found`
   * without downloads.
   */
  readonly downloadProperties: (
    options?: DownloadOptions,
  ) => AsyncGenerator<PropertyRecord<Attributes>, void, undefined>;
  /** Requests a file listed in `downloads` of the index, to save it or pass it on; its body is not read yet. */
  readonly download: (file: DownloadName | (string & {}), options?: RequestOptions) => Promise<Response>;
  /**
   * Reads the statement of the live release, and checks it: its `number` is what a later client needs as `seen`. Throws a
   * `SignatureError`; a `TypeError` without `key`.
   */
  readonly getStatement: () => Promise<Statement>;
  /**
   * Reads which releases can be read, and until when: a pinned one ends after its `keptUntil`. Throws `not-found` for a
   * catalogue that promises nothing.
   */
  readonly getKeptReleases: (options?: RequestOptions) => Promise<KeptReleases>;
  /** Reads the months with changes. Throws `not-found` for a catalogue without a history. */
  readonly getChangesIndex: (options?: RequestOptions) => Promise<ChangesIndex>;
  /** Reads the changes of a month, `yyyy-mm`, by release, oldest first. */
  readonly getChanges: (month: string, options?: RequestOptions) => Promise<Changes[]>;
  /**
   * Iterates over the changes since a release, each once, oldest first; an event `restart` means that no changes lead
   * to the present release. Without `interval`, the loop ends when it is up to date.
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
export function createClient<Attributes = undefined>(options: ClientOptions): Client<Attributes> {
  const base = options.baseUrl.replace(/\/+$/, '');
  const list = base + LIST_PATH;
  const requester = createRequester(options);
  const { apiKey } = options;
  const key: RequestHeaders = apiKey ? { [API_KEY_HEADER]: apiKey } : {};
  const urlOf = (file: string, release?: string | null) =>
    `${base}/${file}${release ? `?release=${release}` : ''}`;
  const readBytes = (file: string) => requester.bytes(urlOf(file), key);
  const trust = createTrust({ catalogue: base, ...options }, readBytes);
  const bodyOf = async <Body>(file: string, { signal, release }: FileOptions, fits?: Fits) => {
    const { body, text } = await requester.read<Body>(urlOf(file, release), key, signal, fits);
    if (!file.startsWith(`${CHANGES_FOLDER}/`)) await trust?.file(file, text);
    return body;
  };
  const pageOf: PageOf = async (query, signal, release) => {
    const headers = release ? { ...key, [RELEASE_HEADER]: release } : key;
    const answer = await requester.read<Page>(list + queryText(query), headers, signal, isPage);
    await trust?.page(query, answer.body);
    return answer;
  };
  /** Makes a request for a file that is an object with this member. */
  const get =
    <Body>(file: string, member: string) =>
    (fileOptions: FileOptions = {}) =>
      bodyOf<Body>(file, fileOptions, has(member));
  /** Makes a request for the file of a country. */
  const ofCountry =
    <Body>(keyOf: (country: string) => string, member: string) =>
    (country: string, fileOptions?: FileOptions) =>
      get<Body>(keyOf(encodeURIComponent(country)), member)(fileOptions);
  const lines = async <Line>(file: string, member: keyof Line & string, fileOptions: FileOptions) =>
    parseLines<Line>(await bodyOf(file, fileOptions), urlOf(file, fileOptions.release), member);
  const index = get<CatalogueIndex>(INDEX_KEY, 'release');
  const listOf = (file: string, fileOptions: FileOptions) => get<DownloadList>(file, 'parts')(fileOptions);
  const months = get<ChangesIndex>(CHANGES_INDEX_KEY, 'months');
  const changes = async (month: string, fileOptions: FileOptions = {}) => [
    ...(await lines<Changes>(changesKey(month), 'release', fileOptions)),
  ];

  return {
    listProperties: async (query = {}, { signal } = {}) => (await pageOf(query, signal, null)).body,
    getProperty: async (id, { signal } = {}) => {
      const url = `${list}/${encodeURIComponent(id)}`;
      const { body } = await requester.read<Property<Attributes>>(url, {}, signal, has('title'));
      await trust?.property(id, body);
      return body;
    },
    getStatement: async () => (await trust!.signed()).statement,
    iterateProperties: (query = {}, iterateOptions = {}) => iterate(pageOf, query, iterateOptions),
    getIndex: index,
    getCountries: get(COUNTRIES_KEY, 'countries'),
    getCities: ofCountry<CityList>(cityListKey, 'cities'),
    getPoints: async (country, fileOptions) => {
      const { parts, ...file } = await ofCountry<Points>(pointsKey, 'points')(country, fileOptions);
      const partOf = (href: string) => get<Points>(`${POINTS_FOLDER}/${href}`, 'points')(fileOptions);
      const files = [file, ...(await Promise.all((parts ?? []).map(partOf)))];
      return { ...file, points: files.flatMap(({ points }) => points) };
    },
    getGeoJson: get(GEOJSON_KEY, 'features'),
    downloadProperties: (downloadOptions = {}) =>
      download<PropertyRecord<Attributes>>({ index, list: listOf, lines }, options, downloadOptions),
    download: (file, { signal } = {}) => requester.open(urlOf(file), key, signal),
    getKeptReleases: get(KEPT_RELEASES_KEY, 'releases'),
    getChangesIndex: months,
    getChanges: changes,
    followChanges: (followOptions) => follow({ index, months, changes }, followOptions),
  };
}

/** Returns a test for objects with this member. */
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
