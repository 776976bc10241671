import { ConnectionError, ProblemError } from './errors.ts';
import type { ClientOptions } from './options.ts';

export type RetryPolicy = Pick<ClientOptions, 'retries' | 'maxRetryDelay'>;

const TRANSIENT: readonly number[] = [408, 429, 500, 502, 503, 504];

/**
 * Waits as long as the server asks (`Retry-After`), otherwise with exponential backoff.
 * @throws the last failure, or the signal's abort reason
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
      if (signal?.aborted || failures >= retries || !isTransient || asked > maxRetryDelay) throw error;
      const growing = 2 ** failures * (100 + 200 * Math.random());
      await pause(Math.max(asked, Math.min(growing, maxRetryDelay)), signal);
    }
  }
}

/**
 * Milliseconds until the server accepts a retry (RFC 9110, 10.2.3). Undefined if the header is missing or malformed.
 * A date in the header is compared with the `Date` of the response or, if that is missing, with this machine's clock.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return 1000 * Number(text);
  const isDate = /^[A-Za-z]{3,9},? /.test(text);
  const wait = Date.parse(isDate ? text : '') - (Date.parse(headers.get('Date') ?? '') || Date.now());
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Milliseconds to wait before files that disagree are read again: some may be stale copies from caches. */
export const RECHECK_DELAY = 5000;

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
