/** How long to wait before trying again. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Times in milliseconds. */
export type BackoffOptions = {
  /** Before the second attempt at most; doubled for each further one. @default 200 */
  readonly delay?: number | undefined;
  /** Between two attempts at most. @default 20000 */
  readonly longest?: number | undefined;
};

/** Waits a random part of a time that doubles ("full jitter"), so that many who failed do not come back at once. */
export async function backOff(
  attempt: number,
  { delay = 200, longest = 20_000 }: BackoffOptions,
): Promise<void> {
  await sleep(Math.random() * Math.min(longest, delay * 2 ** (attempt - 1)));
}
