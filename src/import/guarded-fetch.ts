/** A `fetch` for services that may mean no good: bounded in time and size, and never sent to another host. */
import { EnvironmentError } from '../errors.ts';

/** Bounds of one request. */
export type FetchBounds = {
  /** Most bytes of a body, counted as they arrive. */
  readonly maxBytes: number;
  /** Most milliseconds for everything. */
  readonly timeoutMs: number;
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

/**
 * Makes the function. Redirects are followed within the origin only: a header with a key would go along.
 *
 * @throws EnvironmentError `foreign-redirect`, `answer-too-large`; a TypeError, as `fetch` does, when the network fails
 *   or it takes too long.
 */
export function createGuardedFetch({ maxBytes, timeoutMs }: FetchBounds): typeof fetch {
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input);
    for (let hops = 0; ; hops++) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
      let response: Response;
      try {
        response = await fetch(url, { ...init, signal, redirect: 'manual' });
        if (!REDIRECTS.has(response.status)) return await bounded(response, url, maxBytes);
      } catch (error) {
        if (timeout.aborted) throw new TypeError(`${url.href} took longer than ${timeoutMs / 1000} seconds.`);
        throw error;
      }
      await response.body?.cancel();
      url = redirected(response, url, hops);
    }
  };
}

function redirected(response: Response, url: URL, hops: number): URL {
  const location = response.headers.get('location') ?? '';
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (next?.origin === url.origin && hops < MAX_REDIRECTS) return next;
  throw new EnvironmentError(
    'foreign-redirect',
    next && next.origin !== url.origin
      ? `${url.href} redirects to another host, ${next.origin}. Give the address of that one, if it is to be trusted.`
      : `${url.href} redirects without end, or nowhere.`,
  );
}

/** The same response, its body read and within bounds. */
async function bounded(response: Response, url: URL, maxBytes: number): Promise<Response> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > maxBytes) {
      throw new EnvironmentError('answer-too-large', `${url.href} answers with more than ${maxBytes} bytes.`);
    }
    pieces.push(piece);
  }
  const { status, headers } = response;
  // These statuses have no body (Fetch Standard, "null body status").
  const body = [204, 205, 304].includes(status) ? null : new Blob(pieces as Uint8Array<ArrayBuffer>[]);
  const kept = new Headers([...headers].filter(([name]) => !/^content-(?:encoding|length)$/i.test(name)));
  return new Response(body, { status, headers: kept });
}
