/** Requests for JSON, with revalidation and repetition. */
import { RELEASE_HEADER } from '../contract/headers.ts';
import { CatalogueError, ConnectionError, objectOf, ProblemError, unexpected } from './errors.ts';
import type { ClientOptions } from './options.ts';
import { retryAfterOf, withRetries } from './retry.ts';

/** What came: the JSON, and the release that it is of, where the catalogue says so. */
export type JsonAnswer<Body> = { readonly body: Body; readonly release: string | null };

/** Headers of a request, by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Whether an object is what was asked for, as far as it is looked at. */
export type Fits = (value: Readonly<Record<string, unknown>>) => boolean;

/** What asks the catalogue, and again where that may help. @throws ConnectionError, or ProblemError for an error status. */
export type Requester = {
  /** Asks for anything; its body is not read. */
  readonly open: (url: string, headers: RequestHeaders, signal: AbortSignal | undefined) => Promise<Response>;
  /**
   * Asks for an object of JSON, or for a text.
   *
   * @param fits whether an object is what was asked for; if not, something in between answered. Undefined for a text.
   */
  readonly read: <Body>(
    url: string,
    headers: RequestHeaders,
    signal: AbortSignal | undefined,
    fits?: Fits,
  ) => Promise<JsonAnswer<Body>>;
};

/** Makes what asks. */
export function createRequester(options: ClientOptions): Requester {
  const { cache, onCacheError, fetch: sender = fetch } = options;

  /** Asks once. What `read` makes of the answer may break off like the answer itself. */
  const send = async <Value>(
    url: string,
    headers: RequestHeaders,
    signal: AbortSignal | undefined,
    read: (response: Response) => Value,
  ): Promise<Awaited<Value>> => {
    let response: Response | undefined;
    let body = '';
    try {
      // Called without an object before it: a browser's fetch refuses another one than the window.
      response = await sender(url, { headers, signal: ownSignal(signal)! });
      if (response.ok || response.status === 304) return await read(response);
      body = await response.text();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      // One of the caller's fetch, which refused an answer, is no failure of the network.
      if (error instanceof CatalogueError) throw error;
      // An error status says enough.
      if (!response || response.ok) throw new ConnectionError(url, response?.status, error);
    }
    throw new ProblemError(url, response.status, body, retryAfterOf(response.headers));
  };

  /** What the cache of the caller gives. When the cache fails, the request goes on as if nothing were kept. */
  const fromCache = async <Value>(ask: () => Value): Promise<Awaited<Value> | undefined> => {
    try {
      return await ask();
    } catch (error) {
      onCacheError?.(error);
      return undefined;
    }
  };

  return {
    open: (url, headers, signal) =>
      withRetries(options, signal, () => send(url, headers, signal, (response) => response)),
    async read(url, headers, signal, fits) {
      const kept = fits && (await fromCache(() => cache?.get(url)));
      const known = objectOf(kept?.text);
      // What is kept may be broken.
      const tag = known && fits?.(known) && kept?.etag;
      const all = { ...headers, ...(tag && { 'If-None-Match': tag }) };
      return withRetries(options, signal, async () => {
        const [response, text] = await send(url, all, signal, textOf);
        const isKept = tag && response.status === 304;
        const value = isKept ? known : fits && objectOf(text);
        const isRight = isKept || response.status === 200;
        if (!isRight || (fits && !(value && fits(value))))
          throw unexpected(url, response.status, response.headers.get('Content-Type') ?? 'untyped', text);
        const etag = fits && response.headers.get('ETag');
        if (etag && !isKept) await fromCache(() => cache?.set(url, { etag, text }));
        return { body: (fits ? value : text) as never, release: response.headers.get(RELEASE_HEADER) };
      });
    },
  };
}

const textOf = async (response: Response) => [response, await response.text()] as const;

/** Node's `fetch` leaves a listener on its signal until the request is collected as garbage, and warns of 1,500. */
const ownSignal = (signal: AbortSignal | undefined) => signal && AbortSignal.any([signal]);
