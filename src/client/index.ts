/**
 * The client of the API, without dependencies, for browsers, Node.js, Deno, Bun, Workers and every other platform with
 * `fetch`.
 *
 * @example
 * const catalogue = createClient({ baseUrl: 'https://stays.example' });
 * for await (const { title } of catalogue.iterateProperties({ country: 'IE' })) console.log(title);
 */

import type { Declarations } from '../contract/declarations.ts';
import {
  CHANGES_INDEX_KEY,
  COUNTRIES_KEY,
  changesKey,
  cityListKey,
  type DownloadName,
  GEOJSON_KEY,
  INDEX_KEY,
} from '../contract/document-keys.ts';
import { API_KEY_HEADER, RELEASE_HEADER } from '../contract/headers.ts';
import { KEPT_RELEASES_KEY, LIST_PATH } from '../contract/object-keys.ts';
import type { Statement } from '../contract/statement.ts';
import { type DownloadOptions, download } from './download.ts';
import { SignatureError, unexpectedAnswer } from './errors.ts';
import { type FollowEvent, type FollowOptions, follow } from './follow.ts';
import { iterateEntries, type PageOf } from './iterate.ts';
import type { ClientOptions, FileOptions, IterateOptions, ListQuery, RequestOptions } from './options.ts';
import { createRequester, type Fits, type RequestHeaders } from './request.ts';
import { createTrust } from './trust.ts';
import type {
  CatalogueIndex,
  Changes,
  ChangesIndex,
  CityList,
  Countries,
  FeatureCollection,
  Property as InterfaceProperty,
  PropertyRecord as InterfaceRecord,
  KeptReleases,
  Page,
  Root,
  Summary,
} from './types.ts';

export type { Attribute, Declarations, Translation } from '../contract/declarations.ts';
export type { DownloadName } from '../contract/document-keys.ts';
export { type LocalizedText, type LocalizedTexts, localized } from '../contract/localized.ts';
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

/** The declared fields of a catalogue, as its OpenAPI document has them in `Attributes`; undefined: of any catalogue. */
type Declared<Attributes> = ([Attributes] extends [undefined]
  ? Pick<Declarations, 'attributes'>
  : { readonly attributes: Attributes }) &
  Pick<Declarations, 'translations'>;

export type Property<Attributes = undefined> = InterfaceProperty & Declared<Attributes>;
export type PropertyRecord<Attributes = undefined> = InterfaceRecord & Declared<Attributes>;

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
   * problem `release-gone`. Elsewhere, a publish in between may shift entries from one page to another: throws a
   * `ReleaseChangedError` where the number of entries differs, and with `key` where any entry does. Begin again then.
   */
  readonly iterateProperties: (
    query?: Omit<ListQuery, 'page'>,
    options?: IterateOptions,
  ) => AsyncGenerator<Summary, void, undefined>;
  /** Reads the index: the offered files, and the name of the release. */
  readonly getIndex: (options?: RequestOptions) => Promise<CatalogueIndex>;
  readonly getCountries: (options?: RequestOptions) => Promise<Countries>;
  /** Reads the cities of a country, for a filter. Throws `not-found` for a country without properties. */
  readonly getCities: (country: string, options?: RequestOptions) => Promise<CityList>;
  /**
   * Reads every property as a point, all in memory. Throws `not-found` where the catalogue has no such file.
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
   * `SignatureError`, also without `key`.
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
    const request = () => requester.read<Body>(urlOf(file, release), key, signal, fits);
    return (await (trust ? trust.file(file, request) : request())).body;
  };
  const pageOf: PageOf = (query, signal, first) => {
    // The name in an answer is not signed.
    const release = first?.release && (first.signed?.manifest.release ?? first.release);
    const headers = release ? { ...key, [RELEASE_HEADER]: release } : key;
    const request = () => requester.read<Page>(list + queryText(query), headers, signal, isPage);
    return trust ? trust.page(query, request, first?.signed) : request();
  };
  /** Makes a request for a file that is an object with this member. */
  const get =
    <Body>(file: string, member: string) =>
    (fileOptions: FileOptions = {}) =>
      bodyOf<Body>(file, fileOptions, has(member));
  const ofCountry =
    <Body>(keyOf: (country: string) => string, member: string) =>
    (country: string, fileOptions?: FileOptions) =>
      get<Body>(keyOf(encodeURIComponent(country)), member)(fileOptions);
  const lines = async <Line>(file: string, member: keyof Line & string, fileOptions: FileOptions) =>
    parseLines<Line>(await bodyOf(file, fileOptions), urlOf(file, fileOptions.release), member);
  const index = get<CatalogueIndex>(INDEX_KEY, 'release');
  const root = (file: string, fileOptions: FileOptions) => get<Root>(file, 'details')(fileOptions);
  const months = get<ChangesIndex>(CHANGES_INDEX_KEY, 'months');
  const changes = async (month: string, fileOptions: FileOptions = {}) => [
    ...(await lines<Changes>(changesKey(month), 'release', fileOptions)),
  ];

  return {
    listProperties: async (query = {}, { signal } = {}) => (await pageOf(query, signal, undefined)).body,
    getProperty: async (id, { signal } = {}) => {
      const url = `${list}/${encodeURIComponent(id)}`;
      const request = () => requester.read<Property<Attributes>>(url, {}, signal, has('title'));
      return (await (trust ? trust.property(id, request) : request())).body;
    },
    getStatement: async () => {
      if (!trust) throw new SignatureError('invalid-key', base);
      return trust.statement();
    },
    iterateProperties: (query = {}, iterateOptions = {}) => iterateEntries(pageOf, query, iterateOptions),
    getIndex: index,
    getCountries: get(COUNTRIES_KEY, 'countries'),
    getCities: ofCountry<CityList>(cityListKey, 'cities'),
    getGeoJson: get(GEOJSON_KEY, 'features'),
    downloadProperties: (downloadOptions = {}) =>
      download<PropertyRecord<Attributes>>({ index, root, lines }, options, downloadOptions),
    download: (file, { signal } = {}) => requester.open(urlOf(file), key, signal),
    getKeptReleases: get(KEPT_RELEASES_KEY, 'releases'),
    getChangesIndex: months,
    getChanges: changes,
    followChanges: (followOptions) => follow({ index, months, changes }, followOptions),
  };
}

function has(member: string): Fits {
  return (value) => {
    const found = value[member];
    const { downloads } = value;
    const isWhole = Array.isArray(found) ? found.every(isObject) : typeof found === 'string';
    return isWhole && (downloads === undefined || isListOf(downloads, isDownload));
  };
}

const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isListOf = (value: unknown, isOne: (one: unknown) => boolean) =>
  Array.isArray(value) && value.every(isOne);
const isDownload = (value: unknown) =>
  isObject(value) && isText(value.name) && (value.root === undefined || isText(value.root));

const isPage: Fits = ({ data, meta }) =>
  Array.isArray(data) && ((meta as Page['meta'] | undefined)?.pagination?.per_page ?? 0) > 0;

function queryText({ country, city, page, size }: ListQuery): string {
  const values = {
    'filter[country]': country,
    'filter[city]': city,
    'page[number]': page,
    'page[size]': size,
  };
  // The API takes an empty value for none.
  const given = Object.entries(values).filter(([, value]) => (value ?? '') !== '') as [string, string][];
  return given[0] ? `?${new URLSearchParams(given)}` : '';
}

/**
 * Yields the object of each line.
 *
 * @param member a member that every object has.
 * @throws AnswerError at the first invalid line.
 */
function* parseLines<Line>(text: string, url: string, member: keyof Line & string): Generator<Line> {
  try {
    const lines = text.split('\n');
    if (lines.pop()) throw new Error('the last line is not whole');
    for (const line of lines) {
      const value: unknown = JSON.parse(line);
      if (typeof (value as Line | null)?.[member] !== 'string') throw new Error(`a line has no ${member}`);
      yield value as Line;
    }
  } catch (error) {
    throw unexpectedAnswer(url, 200, (error as Error).message, text);
  }
}
