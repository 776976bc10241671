/**
 * The client of the API, without dependencies, for browsers, Node.js, Deno, Bun and Workers: whatever has `fetch`.
 *
 * @example
 * const catalogue = createClient({ baseUrl: 'https://stays.example' });
 * for await (const { title } of catalogue.iterateProperties({ country: 'IE' })) console.log(title);
 */
import { RELEASE_HEADER } from '../contract/headers.ts';
import { LIST_PATH } from '../contract/layout.ts';
import type { Page, Property, Summary } from '../contract/property.ts';
import { iterate, type PageOf } from './iterate.ts';
import { createRequester, type RequestOptions, type ResponseCache } from './request.ts';

export type { Problem, ProblemCode } from '../contract/problem.ts';
export type { Page, Photo, Property, Summary } from '../contract/property.ts';
export { ProblemError } from './problem-error.ts';
export type { CachedResponse, RequestOptions, ResponseCache } from './request.ts';

/** How a client works. */
export type ClientOptions = {
  /** URL in front of `/api/v1/public/properties`. */
  readonly baseUrl: string;
  /** The key for the list of a catalogue that asks for one. It is sent with the list only. */
  readonly apiKey?: string;
  /** Where answers are kept, to be revalidated by their entity tag; a `Map` will do. @default none */
  readonly cache?: ResponseCache;
  /** How often a request is repeated after a network error, or an answer 429 or 5xx. @default 2 */
  readonly retries?: number;
  /** What sends requests. @default the global `fetch` */
  readonly fetch?: typeof fetch;
};

/** Which properties. */
export type Filter = {
  /** ISO 3166-1 alpha-2 code, upper case. */
  readonly country?: string | undefined;
  /** Exact name. */
  readonly city?: string | undefined;
};

/** Which page of which properties. */
export type ListQuery = Filter & {
  /** Page number, from 1. @default 1 */
  readonly page?: number | undefined;
  /** Results per page, 1 to 100; a catalogue may offer only some. @default 25 */
  readonly size?: number | undefined;
};

/** How to go through all pages. */
export type IterateOptions = RequestOptions & {
  /** Pages that are asked for ahead of the one in use, at least 1. @default 2 */
  readonly prefetch?: number;
};

/** What a client can do. Each call may throw a {@link ProblemError}, or the error of `fetch`. */
export type Client = {
  /** One page of the list. A page past the end is empty. */
  readonly listProperties: (query?: ListQuery, options?: RequestOptions) => Promise<Page>;
  /** One property. Throws the problem `property-not-found` when there is none. */
  readonly getProperty: (id: string, options?: RequestOptions) => Promise<Property>;
  /**
   * Every property of a filter, page by page. Where the catalogue names its releases, all pages are of the one that
   * the first page is of, so each property comes exactly once; when that release is gone before the end, this throws
   * the problem `release-gone`. Elsewhere, a catalogue that is published anew meanwhile may shift entries from one page
   * to another.
   */
  readonly iterateProperties: (
    query?: Omit<ListQuery, 'page'>,
    options?: IterateOptions,
  ) => AsyncGenerator<Summary, void, undefined>;
};

/** Makes a client. */
export function createClient(options: ClientOptions): Client {
  const list = options.baseUrl.replace(/\/+$/, '') + LIST_PATH;
  const request = createRequester(options);
  const { apiKey } = options;
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'X-API-KEY': apiKey };
  const pageOf: PageOf = (query, signal, release) =>
    request<Page>(
      list + queryText(query),
      release ? { ...headers, [RELEASE_HEADER]: release } : headers,
      signal,
    );
  return {
    listProperties: async (query = {}, { signal } = {}) => (await pageOf(query, signal, null)).body,
    getProperty: async (id, { signal } = {}) =>
      (await request<Property>(`${list}/${encodeURIComponent(id)}`, {}, signal)).body,
    iterateProperties: (query, iterateOptions) => iterate(pageOf, query ?? {}, iterateOptions ?? {}),
  };
}

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
