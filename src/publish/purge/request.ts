/** Sends requests to the APIs of caches, and retries them while an API is busy. */
import { setTimeout as pause } from 'node:timers/promises';
import { EnvironmentError } from '../../errors/errors.ts';
import { parseRetryAfter, retry } from '../../storage/backoff.ts';
import { isBusyCode } from '../../storage/http/errors.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from '../../storage/http-client.ts';

export type PurgeRequestOptions = {
  /** Upper limit of the first retry delay, in milliseconds. @default 1000 */
  readonly delay?: number | undefined;
  /** Aborts all requests and delays at once. @default never */
  readonly stopped?: AbortSignal | undefined;
};

export type PurgeClient = {
  readonly send: HttpClient['send'];
  /** Tries at most {@link ATTEMPTS} times. */
  readonly retry: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
};

/** Several, because caches limit requests per minute and refuse further ones. */
const ATTEMPTS = 5;

/** @throws EnvironmentError `invalidation-failed`, which names the cache; if `stopped` is aborted, its abort reason */
export async function withPurgeClient<Result>(
  cache: string,
  { delay = 1000, stopped }: PurgeRequestOptions,
  run: (client: PurgeClient) => Promise<Result>,
): Promise<Result> {
  const { send, close } = createHttpClient({ proxy: true });
  const sleep = (milliseconds: number) => pause(milliseconds, undefined, { signal: stopped });
  const isTransient = (error: unknown) => !stopped?.aborted && isRetryable(error);
  const askedDelay = (error: unknown) => (error instanceof PurgeRefusal ? error.retryAfter : undefined);
  stopped?.addEventListener('abort', close);
  try {
    stopped?.throwIfAborted();
    return await run({
      send,
      sleep,
      retry: (work) => retry(ATTEMPTS, work, isTransient, { delay, sleep, askedDelay }),
    });
  } catch (error) {
    stopped?.throwIfAborted();
    throw purgeError(cache, error);
  } finally {
    stopped?.removeEventListener('abort', close);
    close();
  }
}

export class PurgeRefusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Milliseconds until a retry is accepted; undefined if the response does not say. */
  readonly retryAfter: number | undefined;
  constructor({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>, text: string, code = '') {
    super(`${status} ${text}`);
    this.status = status;
    this.code = code;
    this.retryAfter = parseRetryAfter(headers['retry-after']?.toString());
  }
}

/** Whether a retry may succeed. Also true for every error without a valid response. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof PurgeRefusal)) return true;
  return error.status === 429 || error.status >= 500 || isBusyCode(error.code);
}

export function purgeError(cache: string, error: unknown): EnvironmentError {
  const { name, message } = error as Error;
  return new EnvironmentError(
    'invalidation-failed',
    `The bucket is up to date, but ${cache} has not purged what changed (${name}: ${message}). Run the command again, or "catalogue publish --purge", which purges everything.`,
    { cause: error },
  );
}
