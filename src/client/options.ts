export type CachedResponse = { readonly etag: string; readonly text: string };

export type ResponseCache = {
  readonly get: (url: string) => CachedResponse | undefined | Promise<CachedResponse | undefined>;
  readonly set: (url: string, response: CachedResponse) => unknown;
};

export type RequestOptions = { readonly signal?: AbortSignal | undefined };

/**
 * `release`: name of a release. It is added to the URL, so that no cache answers with a copy from before that
 * release.
 */
export type FileOptions = RequestOptions & { readonly release?: string | undefined };

export type ClientOptions = {
  /** Without `/api/v1/public/properties`. */
  readonly baseUrl: string;
  /** Sent with all requests except `getProperty`, which needs no key. */
  readonly apiKey?: string;
  /**
   * Caches JSON responses and revalidates them by ETag; a `Map` will do. If the cache fails, requests are sent without
   * it. @default none
   */
  readonly cache?: ResponseCache;
  /** @default cache errors are ignored */
  readonly onCacheError?: (error: unknown) => void;
  /** Number of retries after a network error or a status 408, 429, 500, 502, 503 or 504. @default 2 */
  readonly retries?: number;
  /**
   * Longest wait before a retry, in milliseconds. If the server asks for a longer one (`Retry-After`), the error is
   * thrown at once, with `retryAfter`. @default 30000
   */
  readonly maxRetryDelay?: number;
  /**
   * Public keys of a catalogue that signs its releases. If a response does not match a release that one of these keys
   * signed, a `SignatureError` is thrown. Changes, kept releases and what `download` returns are not checked. The first
   * check of a release reads its root. Each check of a list or property also reads the objects that contain the list or
   * property, unless they are in memory. Needs Ed25519 in WebCrypto. @default nothing is checked
   */
  readonly key?: string | readonly string[];
  /**
   * The `number` of the newest statement that `getStatement` has returned so far. An older release throws a
   * `SignatureError`. @default 0
   */
  readonly seen?: number;
  /** `base_url` of the catalogue; with `key`, needed if `baseUrl` is a mirror. @default `baseUrl` */
  readonly catalogue?: string;
  /**
   * Sends the requests. Errors that it throws count as network errors. A `CatalogueError` is rethrown unchanged: it is
   * retried only if it is a `ConnectionError`, or a `ProblemError` with a status that `retries` names.
   * @default the global `fetch`
   */
  readonly fetch?: typeof fetch;
};

export type Filter = {
  /** ISO 3166-1 alpha-2 code in upper case. */
  readonly country?: string | undefined;
  /** Exact name, as `getCities` returns it. */
  readonly city?: string | undefined;
};

export type ListQuery = Filter & {
  /** @default 1 */
  readonly page?: number | undefined;
  /** Entries per page, 1 to 100. A catalogue may offer only some sizes. @default 25 */
  readonly size?: number | undefined;
};

export type IterateOptions = RequestOptions & {
  /** Number of pages requested ahead, at least 1. @default 2 */
  readonly prefetch?: number;
};

/** `bytes` is the root. It cannot contain `release`, since that name is computed from the digest of `bytes`. */
export type LiveRoot = { readonly release: string; readonly bytes: ArrayBuffer };

export type FileClient = {
  readonly readRoot: (known?: string) => Promise<LiveRoot | undefined>;
  readonly readObject: (file: string, digest: string) => Promise<ArrayBuffer>;
};
