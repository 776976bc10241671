/**
 * Client of the API without dependencies, for browsers, Node.js, Deno, Bun, Workers and every other platform with
 * `fetch`.
 * @example
 * const catalogue = createClient({ baseUrl: 'https://stays.example' });
 * for await (const { title } of catalogue.iterateProperties({ country: 'IE' })) console.log(title);
 */

import type { DetailValues } from '../contract/detail-values.ts';
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
import { CURRENT_KEY, KEPT_RELEASES_KEY, LIST_PATH, rootKey } from '../contract/object-keys.ts';
import type { ReleaseStatement } from '../contract/release-statement.ts';
import { type DownloadOptions, downloadRecords } from './download.ts';
import { SignatureError, unexpectedAnswerError } from './errors.ts';
import { type FollowEvent, type FollowOptions, followChanges } from './follow.ts';
import { iterateEntries, type ReadPage } from './iterate.ts';
import type {
  ClientOptions,
  FileOptions,
  IterateOptions,
  ListQuery,
  LiveRoot,
  RequestOptions,
} from './options.ts';
import { createRequester, type ObjectTest, type RequestHeaders } from './request.ts';
import { createResponseVerifier } from './response-verifier.ts';
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

export type { Attribute, DetailValues, Translation } from '../contract/detail-values.ts';
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

type Declared<Attributes> = ([Attributes] extends [undefined]
  ? Pick<DetailValues, 'attributes'>
  : { readonly attributes: Attributes }) &
  Pick<DetailValues, 'translations'>;

/** A property as `getProperty` returns it. `Attributes`: as for {@link Client}. */
export type Property<Attributes = undefined> = InterfaceProperty & Declared<Attributes>;
/** A property with its id, as `downloadProperties` yields it. */
export type PropertyRecord<Attributes = undefined> = InterfaceRecord & Declared<Attributes>;

/**
 * Each call may throw a `CatalogueError`, or the abort reason of its signal. "Throws" with a code, such as `not-found`,
 * stands for a `ProblemError` with that code.
 * @typeParam Attributes type of the catalogue's declared fields, such as `components['schemas']['Attributes']` from
 * `openapi-typescript`. @default fields of any name and type
 */
export type Client<Attributes = undefined> = {
  /** `data` is empty past the last page. */
  readonly listProperties: (query?: ListQuery, options?: RequestOptions) => Promise<Page>;
  /** Throws `property-not-found`. */
  readonly getProperty: (id: string, options?: RequestOptions) => Promise<Property<Attributes>>;
  /**
   * Iterates over all properties of a filter, page by page. If the server names the release in a header, all pages come
   * from that release, so each property occurs exactly once. Throws `release-gone` if that release disappears.
   *
   * Without the header, a publish may move properties between pages. Throws a `ReleaseChangedError` if the total
   * changes or, with `key`, if a later page changes. After one of these errors, start over.
   */
  readonly iterateProperties: (
    query?: Omit<ListQuery, 'page'>,
    options?: IterateOptions,
  ) => AsyncGenerator<Summary, void, undefined>;
  readonly getIndex: (options?: RequestOptions) => Promise<CatalogueIndex>;
  readonly getCountries: (options?: RequestOptions) => Promise<Countries>;
  /** Throws `not-found` if the country has no properties. */
  readonly getCities: (country: string, options?: RequestOptions) => Promise<CityList>;
  /** Returns every property as a point, all in memory. Throws `not-found` if the catalogue does not offer points. */
  readonly getGeoJson: (options?: RequestOptions) => Promise<FeatureCollection>;
  /**
   * Iterates over all properties of one release, with all fields. Keeps one file at a time in memory. Throws
   * `not-found` if the catalogue offers no downloads, and a `ReleaseChangedError` if the release is removed meanwhile
   * and there is no `onRestart`, or after `retries` restarts.
   */
  readonly downloadProperties: (
    options?: DownloadOptions,
  ) => AsyncGenerator<PropertyRecord<Attributes>, void, undefined>;
  /** For `createSearch`. Undefined if the live release is the `known` one. */
  readonly readRoot: (known?: string) => Promise<LiveRoot | undefined>;
  /** For `createSearch`. Reads a file that the root names. */
  readonly readObject: (file: string, digest: string) => Promise<ArrayBuffer>;
  /** `file`: a `name` in the index's `downloads`. Does not read the body of the response: save it or pass it on. */
  readonly download: (file: DownloadName | (string & {}), options?: RequestOptions) => Promise<Response>;
  /**
   * Returns the verified statement of the live release. Store its `number` and pass it to later clients as `seen`.
   * Throws a `SignatureError` if the client has no `key`, or the release is not validly signed.
   */
  readonly getStatement: () => Promise<ReleaseStatement>;
  /**
   * Lists the live release and earlier ones that can still be read, each until its `keptUntil`. Throws `not-found` if
   * the catalogue does not list them.
   */
  readonly getKeptReleases: (options?: RequestOptions) => Promise<KeptReleases>;
  /** Throws `not-found` if the catalogue has no history. */
  readonly getChangesIndex: (options?: RequestOptions) => Promise<ChangesIndex>;
  /** Oldest first. @param month `yyyy-mm` */
  readonly getChanges: (month: string, options?: RequestOptions) => Promise<Changes[]>;
  /**
   * Iterates over the changes since a release, each once, oldest first. An event of kind `restart` means that
   * everything must be downloaded again. Without `interval`, the loop ends once it is up to date.
   */
  readonly followChanges: (options: FollowOptions) => AsyncGenerator<FollowEvent, void, undefined>;
};

/**
 * Sends no request until a method is called.
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
  const trust = createResponseVerifier({ catalogue: base, ...options }, readBytes);
  const bodyOf = async <Body>(file: string, { signal, release }: FileOptions, fits?: ObjectTest) => {
    const request = () => requester.read<Body>(urlOf(file, release), key, signal, fits);
    return (await (trust ? trust.file(file, request) : request())).body;
  };
  const pageOf: ReadPage = (query, signal, first) => {
    // The release's name in a response header is not signed. A client that verifies signatures sends the verified name.
    const release = first?.release && (first.signed?.release ?? first.release);
    const headers = release ? { ...key, [RELEASE_HEADER]: release } : key;
    const request = () => requester.read<Page>(list + queryText(query), headers, signal, isPage);
    return trust ? trust.page(query, request, first?.signed) : request();
  };
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
  const current = get<{ release: string }>(CURRENT_KEY, 'release');
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
      downloadRecords<PropertyRecord<Attributes>>({ index, root, lines }, options, downloadOptions),
    readRoot: async (known) => {
      if (trust) return trust.root(known);
      const { release } = await current();
      return release === known ? undefined : { release, bytes: await readBytes(rootKey(release)) };
    },
    readObject: trust?.object ?? readBytes,
    download: (file, { signal } = {}) => requester.open(urlOf(file), key, signal),
    getKeptReleases: get(KEPT_RELEASES_KEY, 'releases'),
    getChangesIndex: months,
    getChanges: changes,
    followChanges: (followOptions) => followChanges({ index, months, changes }, followOptions),
  };
}

function has(member: string): ObjectTest {
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

const isPage: ObjectTest = ({ data, meta }) =>
  Array.isArray(data) && ((meta as Page['meta'] | undefined)?.pagination?.per_page ?? 0) > 0;

function queryText({ country, city, page, size }: ListQuery): string {
  const values = {
    'filter[country]': country,
    'filter[city]': city,
    'page[number]': page,
    'page[size]': size,
  };
  // The API treats an empty value as missing.
  const given = Object.entries(values).filter(([, value]) => (value ?? '') !== '') as [string, string][];
  return given[0] ? `?${new URLSearchParams(given)}` : '';
}

/** @throws AnswerError if the last line is incomplete, or at a line whose `member` is missing or not a string */
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
    throw unexpectedAnswerError(url, 200, (error as Error).message, text);
  }
}
