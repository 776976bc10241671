/** Trying again, and how long to wait before that. */
import { setTimeout as pause } from 'node:timers/promises';

/** Times in milliseconds. */
export type BackoffOptions = {
  /** Before the second attempt at most; doubled for each further one. @default 200 */
  readonly delay?: number | undefined;
  /** Between two attempts at most. @default 20000 */
  readonly longest?: number | undefined;
  /** Waits, by the timer that a test may hand in. @default the timer of Node.js */
  readonly sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** From 0 up to 1. @default Math.random */
  readonly random?: (() => number) | undefined;
};

/** Waits a random part of a time that doubles ("full jitter"), so that many who failed do not come back at once. */
export async function backOff(
  attempt: number,
  { delay = 200, longest = 20_000, sleep = pause, random = Math.random }: BackoffOptions,
): Promise<void> {
  await sleep(random() * Math.min(longest, delay * 2 ** (attempt - 1)));
}

/**
 * Does something until it succeeds, with {@link backOff} after each failure.
 *
 * @param isPassing whether it may succeed a moment after this failure.
 * @throws the first failure that does not pass, or that of the last attempt.
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
      if (attempt >= attempts || !isPassing(error)) throw error;
      await backOff(attempt, options);
    }
  }
}
