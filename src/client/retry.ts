/** When a request is repeated, and how long to wait before. */
import { ConnectionError, ProblemError } from './errors.ts';

/** How often a request is repeated, and the longest wait in between. */
export type RetryPolicy = {
  readonly retries: number;
  /** Milliseconds. */
  readonly maxRetryDelay: number;
};

/** Statuses after which the same request may succeed a little later. */
const TRANSIENT: readonly number[] = [408, 429, 500, 502, 503, 504];

/** Calls a function until it succeeds, fails for good, or has been called often enough. */
export async function withRetries<Value>(
  { retries, maxRetryDelay }: RetryPolicy,
  signal: AbortSignal | undefined,
  attempt: () => Promise<Value>,
): Promise<Value> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures >= retries) throw error;
      await beforeRepetition(error, failures, maxRetryDelay, signal);
    }
  }
}

/**
 * Waits as long as is due after a failure: as the server asked (`Retry-After`), or longer with each failure.
 *
 * @param failures that came before this one.
 * @throws the failure itself when a repetition is of no use, or the server asked for a longer wait than is allowed; the
 * reason of the signal.
 */
export async function beforeRepetition(
  error: unknown,
  failures: number,
  maxRetryDelay: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isProblem = error instanceof ProblemError;
  const isTransient = isProblem ? TRANSIENT.includes(error.status) : error instanceof ConnectionError;
  const asked = isProblem ? (error.retryAfter ?? 0) : 0;
  // Asking sooner than the server wants would make things worse.
  if (signal?.aborted || !isTransient || asked > maxRetryDelay) throw error;
  const growing = 2 ** Math.min(failures, 20) * (100 + 200 * Math.random());
  await pause(Math.max(asked, Math.min(growing, maxRetryDelay)), signal);
}

/**
 * Milliseconds that an answer asks to wait (RFC 9110, 10.2.3); undefined when it does not, or not in a way that can be
 * read. A date counts from that of the answer, since the clocks of two machines differ.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('Retry-After')?.trim();
  if (!text) return undefined;
  if (/^\d{1,9}$/.test(text)) return 1000 * Number(text);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const sent = Date.parse(headers.get('Date') ?? '');
  const wait = Date.parse(text) - (Number.isNaN(sent) ? Date.now() : sent);
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Waits. @throws the reason of the signal. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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
