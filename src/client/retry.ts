/** When a request is repeated, and how long to wait before. */
import { ConnectionError, ProblemError } from './errors.ts';
import type { ClientOptions } from './options.ts';

/** How often a request is repeated, and the longest wait in between, in milliseconds. */
export type RetryPolicy = Pick<ClientOptions, 'retries' | 'maxRetryDelay'>;

/** Statuses after which the same request may succeed a little later. */
const TRANSIENT: readonly number[] = [408, 429, 500, 502, 503, 504];

/**
 * Calls a function until it succeeds, fails for good, or has been called often enough. Between two calls it waits as long
 * as the server asked (`Retry-After`), or longer with each failure.
 *
 * @throws the failure itself when a repetition is of no use, or the server asked for a longer wait than is allowed; the
 * reason of the signal.
 */
export async function withRetries<Value>(
  { retries = 2, maxRetryDelay = 30_000 }: RetryPolicy,
  signal: AbortSignal | undefined,
  attempt: () => Promise<Value>,
): Promise<Value> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const problem = error instanceof ProblemError ? error : undefined;
      const isTransient = problem ? TRANSIENT.includes(problem.status) : error instanceof ConnectionError;
      const asked = problem?.retryAfter ?? 0;
      // Asking sooner than the server wants would make things worse.
      if (signal?.aborted || failures >= retries || !isTransient || asked > maxRetryDelay) throw error;
      const growing = 2 ** failures * (100 + 200 * Math.random());
      await pause(Math.max(asked, Math.min(growing, maxRetryDelay)), signal);
    }
  }
}

/**
 * Milliseconds that an answer asks to wait (RFC 9110, 10.2.3); undefined when it does not, or not in a way that can be
 * read. A date counts from that of the answer, since the clocks of two machines differ.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return 1000 * Number(text);
  const isDate = /^[A-Za-z]{3,9},? /.test(text);
  const wait = Date.parse(isDate ? text : '') - (Date.parse(headers.get('Date') ?? '') || Date.now());
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Milliseconds after which what does not agree is looked at again: parts of it may come out of caches. */
export const SECOND_LOOK = 5000;

/** Waits. @throws the reason of the signal. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
