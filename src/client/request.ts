/** Requests with revalidation and repetition. */
import { RELEASE_HEADER } from '../contract/headers.ts';
import type { Problem } from '../contract/problem.ts';
import type { ClientOptions } from './index.ts';
import { ProblemError } from './problem-error.ts';

/** What is kept of an answer: its entity tag, and its JSON text. */
export type CachedResponse = { readonly etag: string; readonly text: string };

/** Where answers are kept, by URL. */
export type ResponseCache = {
  readonly get: (url: string) => CachedResponse | undefined | Promise<CachedResponse | undefined>;
  readonly set: (url: string, response: CachedResponse) => unknown;
};

/** How to make a request. */
export type RequestOptions = { readonly signal?: AbortSignal | undefined };

/** Longest wait before a repetition, in milliseconds, whatever the server asks for. */
const LONGEST_WAIT = 10_000;

/** What came: the JSON, and the release that it is of, where the catalogue says so. */
export type Answer<Body> = { readonly body: Body; readonly release: string | null };

/** Asks for JSON. */
export type Requester = <Body>(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal | undefined,
) => Promise<Answer<Body>>;

/** Makes the function that asks. */
export function createRequester({ cache, retries = 2, fetch: send = fetch }: ClientOptions): Requester {
  return async (url, headers, signal) => {
    const cached = await cache?.get(url);
    const all: Record<string, string> = { Accept: 'application/json', ...headers };
    if (cached) all['If-None-Match'] = cached.etag;
    for (let attempt = 0; ; attempt++) {
      let wait = 0;
      try {
        // Called without an object before it: a browser's fetch wants none.
        const response = await send(url, { headers: all, signal: signal ?? null });
        const release = response.headers.get(RELEASE_HEADER);
        if (cached && response.status === 304) return { body: JSON.parse(cached.text), release };
        const text = await response.text();
        const { status } = response;
        if (response.ok) {
          const etag = response.headers.get('ETag');
          if (etag) await cache?.set(url, { etag, text });
          return { body: JSON.parse(text), release };
        }
        if (attempt >= retries || (status !== 429 && status < 500)) {
          throw new ProblemError(url, status, problemOf(response, text));
        }
        wait = 1000 * Number(response.headers.get('Retry-After')) || 0;
      } catch (error) {
        // What fetch throws when the network fails is a TypeError; JSON and problems are no reason to ask again.
        if (attempt >= retries || !(error instanceof TypeError) || signal?.aborted) throw error;
      }
      const backoff = 2 ** attempt * (100 + 200 * Math.random());
      await pause(Math.min(Math.max(wait, backoff), LONGEST_WAIT), signal);
    }
  };
}

function problemOf(response: Response, text: string): Problem | undefined {
  return response.headers.get('Content-Type')?.startsWith('application/problem+json')
    ? JSON.parse(text)
    : undefined;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
