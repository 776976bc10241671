/** Requests for JSON, with revalidation and repetition. */
import { RELEASE_HEADER } from '../contract/headers.ts';
import { AnswerError, CatalogueError, ConnectionError, ProblemError } from './errors.ts';
import type { ClientOptions, ResponseCache } from './options.ts';
import { type RetryPolicy, retryAfterOf, withRetries } from './retry.ts';

/** What came: the JSON, and the release that it is of, where the catalogue says so. */
export type Answer<Body> = { readonly body: Body; readonly release: string | null };

/** Headers of a request, by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Whether an object is what was asked for, as far as it is looked at. */
export type Fits = (value: Readonly<Record<string, unknown>>) => boolean;

/** What asks the catalogue. */
export type Requester = {
  readonly policy: RetryPolicy;
  /** Asks once. @throws ConnectionError, or ProblemError for an error status; a 304 or 206 is an answer. */
  readonly send: (url: string, headers: RequestHeaders, signal: AbortSignal | undefined) => Promise<Response>;
  /** Asks for a text, and again where that may help. */
  readonly text: (url: string, headers: RequestHeaders, signal: AbortSignal | undefined) => Promise<string>;
  /**
   * Asks for an object of JSON, and again where that may help.
   *
   * @param fits whether an object is what was asked for; if not, something in between answered.
   */
  readonly json: <Body>(
    url: string,
    headers: RequestHeaders,
    fits: Fits,
    signal: AbortSignal | undefined,
  ) => Promise<Answer<Body>>;
};

/** Makes what asks. */
export function createRequester(options: ClientOptions): Requester {
  const { retries = 2, maxRetryDelay = 30_000, fetch: sender = fetch } = options;
  const policy = { retries, maxRetryDelay };
  const cache = guarded(options);

  const send: Requester['send'] = async (url, headers, signal) => {
    let response: Response;
    try {
      // Called without an object before it: a browser's fetch refuses another one than the window.
      response = await sender(url, { headers, signal: signal ?? null });
    } catch (error) {
      throw failureOf(url, undefined, error, signal);
    }
    const { status } = response;
    if (response.ok || status === 304) return response;
    const body = await bodyOf(response, url, signal).catch((error: unknown) => {
      // The status says enough.
      if (error instanceof ConnectionError) return '';
      throw error;
    });
    throw new ProblemError(url, status, body, retryAfterOf(response.headers));
  };

  const text: Requester['text'] = (url, headers, signal) =>
    withRetries(policy, signal, async () => {
      const response = await send(url, headers, signal);
      const body = await bodyOf(response, url, signal);
      if (response.status !== 200) throw unexpected(url, response.status, body);
      return body;
    });

  const json: Requester['json'] = async (url, headers, fits, signal) => {
    let cached = await cache.get(url);
    return withRetries(policy, signal, async () => {
      const all: Record<string, string> = { Accept: 'application/json', ...headers };
      if (cached) all['If-None-Match'] = cached.etag;
      let response = await send(url, all, signal);
      if (cached && response.status === 304) {
        const body = parse(cached.text);
        if (isObject(body) && fits(body)) return { body: body as never, release: releaseOf(response) };
        // What was kept is broken.
        cached = undefined;
        response = await send(url, { Accept: 'application/json', ...headers }, signal);
      }
      const body = await bodyOf(response, url, signal);
      if (response.status !== 200) throw unexpected(url, response.status, body);
      const value = parse(body);
      if (!isObject(value) || !fits(value)) {
        const type = response.headers.get('Content-Type') ?? 'no media type';
        throw new AnswerError(`${url} answered 200 (${type}), but not what the API gives.`, url, 200, body);
      }
      const etag = response.headers.get('ETag');
      if (etag) await cache.set(url, { etag, text: body });
      return { body: value as never, release: releaseOf(response) };
    });
  };

  return { policy, send, text, json };
}

/** The body as text. @throws ConnectionError when it breaks off. */
async function bodyOf(response: Response, url: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw failureOf(url, response.status, error, signal);
  }
}

/**
 * What to throw when `fetch`, or the reading of a body, throws. A `CatalogueError` comes from a `fetch` of the caller
 * that refused an answer: it is no failure of the network, so it is thrown as it is, and never repeated.
 */
export function failureOf(
  url: string,
  status: number | undefined,
  error: unknown,
  signal: AbortSignal | undefined,
): unknown {
  if (signal?.aborted) return signal.reason;
  return error instanceof CatalogueError ? error : new ConnectionError(url, status, error);
}

/** An answer with a status of success that was not asked for. */
export function unexpected(url: string, status: number, body: string): AnswerError {
  return new AnswerError(`${url} answered ${status} where 200 was expected.`, url, status, body);
}

function releaseOf(response: Response): string | null {
  return response.headers.get(RELEASE_HEADER);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The cache of the caller. When it fails, the request goes on as if nothing were kept. */
function guarded({ cache, onCacheError = () => {} }: ClientOptions): ResponseCache {
  return {
    async get(url) {
      try {
        const kept = await cache?.get(url);
        return typeof kept?.etag === 'string' && typeof kept.text === 'string' ? kept : undefined;
      } catch (error) {
        onCacheError(error);
        return undefined;
      }
    },
    async set(url, response) {
      try {
        await cache?.set(url, response);
      } catch (error) {
        onCacheError(error);
      }
    },
  };
}
