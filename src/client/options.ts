/** What the calls of the client take. */

/** The parts of an answer that are kept: its entity tag, and its JSON text. */
export type CachedResponse = { readonly etag: string; readonly text: string };

/** Where answers are kept, by URL. */
export type ResponseCache = {
  readonly get: (url: string) => CachedResponse | undefined | Promise<CachedResponse | undefined>;
  readonly set: (url: string, response: CachedResponse) => unknown;
};

/** How to make a request. */
export type RequestOptions = { readonly signal?: AbortSignal | undefined };

/** How to ask for a file: of a release, or of a later one, so that no answer of before it comes out of a cache. */
export type FileOptions = RequestOptions & { readonly release?: string | undefined };

/** How a client works. */
export type ClientOptions = {
  /** URL in front of `/api/v1/public/properties`. */
  readonly baseUrl: string;
  /** The key of a catalogue that asks for one. It is sent with everything but `getProperty`, which needs none. */
  readonly apiKey?: string;
  /**
   * Where answers are kept, to be revalidated by their entity tag; a `Map` will do. When it fails, requests go on
   * without it. @default none
   */
  readonly cache?: ResponseCache;
  /** Called with what the cache threw. @default nothing happens */
  readonly onCacheError?: (error: unknown) => void;
  /** How often a request is repeated after a network error, or an answer 408, 429, 500, 502, 503 or 504. @default 2 */
  readonly retries?: number;
  /**
   * Longest wait before a repetition, in milliseconds. A server that asks for a longer one (`Retry-After`) is not asked
   * again: its answer is thrown, with `retryAfter`. @default 30000
   */
  readonly maxRetryDelay?: number;
  /**
   * What sends requests. What it throws counts as a network error, and the request is repeated; a `CatalogueError` is
   * final, and thrown as it is. @default the global `fetch`
   */
  readonly fetch?: typeof fetch;
};

/** Which properties. */
export type Filter = {
  /** ISO 3166-1 alpha-2 code, upper case. */
  readonly country?: string | undefined;
  /** Exact name. */
  readonly city?: string | undefined;
};

/** The page to ask for, and the filter of its properties. */
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
