import { setTimeout as pause } from 'node:timers/promises';

export type BackoffOptions = {
  /** Upper limit of the first delay; it doubles with each attempt. @default 200 */
  readonly delay?: number | undefined;
  /** Upper limit of every delay. @default 20000 */
  readonly longest?: number | undefined;
  /** Waits; tests replace it. @default the timer of Node.js */
  readonly sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** Returns a number from 0 up to, but not including, 1. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Returns the delay that the server asks for, at least. @default none */
  readonly asked?: ((error: unknown) => number | undefined) | undefined;
};

/** Longest delay that a server may ask for, in milliseconds; a longer one ends the retries. */
const LONGEST_ASKED = 120_000;

/**
 * Waits for a random share of an exponentially growing delay ("full jitter"), so that clients which failed together do
 * not return together.
 */
export async function backOff(
  attempt: number,
  { delay = 200, longest = 20_000, sleep = pause, random = Math.random }: BackoffOptions,
  least = 0,
): Promise<void> {
  await sleep(least + random() * Math.min(longest, delay * 2 ** (attempt - 1)));
}

/**
 * Repeats `work` until it succeeds, with {@link backOff} after each failure.
 *
 * @param isPassing tells whether a failure is transient.
 * @throws the first failure that is not transient, or the failure of the last attempt.
 */
export async function retry<T>(
  attempts: number,
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean = () => true,
  options: BackoffOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const asked = options.asked?.(error) ?? 0;
      if (attempt >= attempts || !isPassing(error) || asked > LONGEST_ASKED) throw error;
      await backOff(attempt, options, asked);
    }
  }
}

/** Reads `Retry-After` (RFC 9110, 10.2.3) as milliseconds; undefined when it is missing or malformed. */
export function retryAfterOf(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(value)) return 1000 * Number(value);
  const wait = /^\s*[A-Za-z]{3}/.test(value) ? Date.parse(value) - now : Number.NaN;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
