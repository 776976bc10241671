/** Options of the client and its calls. */

/** Cached parts of an answer: its entity tag and its JSON text. */
export type CachedResponse = { readonly etag: string; readonly text: string };

export type ResponseCache = {
  readonly get: (url: string) => CachedResponse | undefined | Promise<CachedResponse | undefined>;
  readonly set: (url: string, response: CachedResponse) => unknown;
};

export type RequestOptions = { readonly signal?: AbortSignal | undefined };

/** Options of a request for a file: of this release or a later one, so that no older copy of a cache is used. */
export type FileOptions = RequestOptions & { readonly release?: string | undefined };

export type ClientOptions = {
  /** URL in front of `/api/v1/public/properties`. */
  readonly baseUrl: string;
  /** API key, where the catalogue requires one. Sent with all requests but `getProperty`, which needs none. */
  readonly apiKey?: string;
  /**
   * Cache of answers, which are revalidated by their entity tag; a `Map` will do. When it fails, requests go on without
   * it. @default none
   */
  readonly cache?: ResponseCache;
  /** Receives the cache's errors. @default they are ignored */
  readonly onCacheError?: (error: unknown) => void;
  /** Number of retries after a network error, or a status 408, 429, 500, 502, 503 or 504. @default 2 */
  readonly retries?: number;
  /**
   * Longest wait before a retry, in milliseconds. When the server asks for more (`Retry-After`), its answer is thrown
   * instead, with `retryAfter`. @default 30000
   */
  readonly maxRetryDelay?: number;
  /**
   * Public keys of a catalogue that signs its releases, one or several; an answer that none of them signed is refused
   * with a `SignatureError`. Not signed are changes, and what `download` gives. Above 1,000 properties, the first check
   * of a list or a property reads 48 bytes a property, once a release. Needs Ed25519 of WebCrypto. @default nothing is
   * checked
   */
  readonly key?: string | readonly string[];
  /** Greatest number of a statement seen before: an older release is refused. @default 0 */
  readonly seen?: number;
  /** `base_url` of the catalogue, where `baseUrl` is that of a copy. @default `baseUrl` */
  readonly catalogue?: string;
  /**
   * Function that sends requests. Its errors count as network errors and are retried, except a `CatalogueError`, which
   * is rethrown. @default the global `fetch`
   */
  readonly fetch?: typeof fetch;
};

export type Filter = {
  /** ISO 3166-1 alpha-2 code, upper case. */
  readonly country?: string | undefined;
  /** Exact name of a city. */
  readonly city?: string | undefined;
};

export type ListQuery = Filter & {
  /** Page number, from 1. @default 1 */
  readonly page?: number | undefined;
  /** Entries per page, 1 to 100; a catalogue may offer only some sizes. @default 25 */
  readonly size?: number | undefined;
};

export type IterateOptions = RequestOptions & {
  /** Number of pages requested ahead of the current one, at least 1. @default 2 */
  readonly prefetch?: number;
};
