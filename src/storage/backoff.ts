import { setTimeout as pause } from 'node:timers/promises';

export type BackoffOptions = {
  /** Maximum milliseconds before the second attempt; doubles with each further attempt. @default 200 */
  readonly delay?: number | undefined;
  /** The doubling stops at this many milliseconds. A delay that the server asks for is added. @default 20000 */
  readonly longest?: number | undefined;
  readonly sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
  readonly random?: (() => number) | undefined;
  /** Returns the delay in milliseconds that the server asks for, such as by `Retry-After`. @default none */
  readonly askedDelay?: ((error: unknown) => number | undefined) | undefined;
};

/** If the server asks for a longer delay than this many milliseconds, the retries end. */
const MAX_ASKED_DELAY = 120_000;

/** Waits with full jitter, so that clients that failed together do not return together. */
export async function backOff(
  attempt: number,
  { delay = 200, longest = 20_000, sleep = pause, random = Math.random }: BackoffOptions,
  least = 0,
): Promise<void> {
  await sleep(least + random() * Math.min(longest, delay * 2 ** (attempt - 1)));
}

/** @throws the first error that is permanent or asks for too long a delay, or the error of the last attempt */
export async function retry<T>(
  attempts: number,
  work: () => Promise<T>,
  isTransient: (error: unknown) => boolean = () => true,
  options: BackoffOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const asked = options.askedDelay?.(error) ?? 0;
      if (attempt >= attempts || !isTransient(error) || asked > MAX_ASKED_DELAY) throw error;
      await backOff(attempt, options, asked);
    }
  }
}

/** `Retry-After` (RFC 9110, 10.2.3) in milliseconds; undefined when it is missing or malformed. */
export function parseRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(value)) return 1000 * Number(value);
  const wait = /^\s*[A-Za-z]{3}/.test(value) ? Date.parse(value) - now : Number.NaN;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
