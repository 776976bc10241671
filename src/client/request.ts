import { RELEASE_HEADER } from '../contract/headers.ts';
import {
  CatalogueError,
  ConnectionError,
  ProblemError,
  parseJsonObject,
  unexpectedAnswerError,
} from './errors.ts';
import type { ClientOptions } from './options.ts';
import { retryAfterOf, withRetries } from './retry.ts';

export type JsonResponse<Body> = {
  readonly url: string;
  readonly body: Body;
  readonly text: string;
  readonly release: string | null;
};

export type RequestHeaders = Readonly<Record<string, string>>;

/** A quick test that an object is of the requested kind. A proxy, for example, may answer with another object. */
export type ObjectTest = (value: Readonly<Record<string, unknown>>) => boolean;

export type Requester = {
  /** Retries failed requests. Does not read the body. @throws ConnectionError; ProblemError for an error status */
  readonly open: (url: string, headers: RequestHeaders, signal: AbortSignal | undefined) => Promise<Response>;
  readonly bytes: (url: string, headers: RequestHeaders) => Promise<ArrayBuffer>;
  /**
   * Retries failed requests.
   * @param fits returns false for an object of another kind. Without `fits`, `body` is the text of the response
   * @throws ConnectionError; ProblemError for an error status; AnswerError for any other unexpected response
   */
  readonly read: <Body>(
    url: string,
    headers: RequestHeaders,
    signal: AbortSignal | undefined,
    fits?: ObjectTest,
  ) => Promise<JsonResponse<Body>>;
};

export function createRequester(options: ClientOptions): Requester {
  const { cache, onCacheError, fetch: sender = fetch } = options;

  /** Errors of `read` count as network errors, since the body may be cut off. */
  const send = async <Value>(
    url: string,
    headers: RequestHeaders,
    signal: AbortSignal | undefined,
    read: (response: Response) => Value,
  ): Promise<Awaited<Value>> => {
    let response: Response | undefined;
    let body = '';
    try {
      // Called without a receiver: a browser's `fetch` accepts only `window` as `this`.
      response = await sender(url, { headers, signal: ownSignal(signal)! });
      if (response.ok || response.status === 304) return await read(response);
      body = await response.text();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      // Thrown by the caller's own `fetch`, so not necessarily a network error.
      if (error instanceof CatalogueError) throw error;
      // If the body of an error response is cut off, its status is enough for a `ProblemError`.
      if (!response || response.ok) throw new ConnectionError(url, response?.status, error);
    }
    throw new ProblemError(url, response.status, body, retryAfterOf(response.headers));
  };

  /** A failing cache must not fail the request. */
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
    bytes: (url, headers) =>
      withRetries(options, undefined, () =>
        send(url, headers, undefined, (response) => response.arrayBuffer()),
      ),
    async read(url, headers, signal, fits) {
      const kept = fits && (await fromCache(() => cache?.get(url)));
      const known = parseJsonObject(kept?.text);
      // The cached ETag is sent only if the cached text is undamaged.
      const tag = known && fits?.(known) && kept?.etag;
      const all = { ...headers, ...(tag && { 'If-None-Match': tag }) };
      return withRetries(options, signal, async () => {
        const [response, text] = await send(url, all, signal, textOf);
        const isKept = tag && response.status === 304;
        const value = isKept ? known : fits && parseJsonObject(text);
        const isRight = isKept || response.status === 200;
        if (!isRight || (fits && !(value && fits(value))))
          throw unexpectedAnswerError(
            url,
            response.status,
            response.headers.get('Content-Type') ?? 'untyped',
            text,
          );
        const etag = fits && response.headers.get('ETag');
        if (etag && !isKept) await fromCache(() => cache?.set(url, { etag, text }));
        return {
          url,
          body: (fits ? value : text) as never,
          text: isKept ? kept!.text : text,
          release: response.headers.get(RELEASE_HEADER),
        };
      });
    },
  };
}

const textOf = async (response: Response) => [response, await response.text()] as const;

/** Each request gets its own signal: Node's `fetch` leaves a listener on the signal, and warns at 1,500 listeners. */
const ownSignal = (signal: AbortSignal | undefined) => signal && AbortSignal.any([signal]);
