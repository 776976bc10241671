import { BucketError, type RemoveResult } from './bucket.ts';
import { forEachConcurrently } from './for-each.ts';
import { type RetryOptions, sendChange } from './retrying-bucket.ts';

const REMOVALS = 16;

/**
 * For stores that remove one object per request. Retries each request. If a request still fails, its error is marked as
 * not transient, so that `withRetry` does not repeat the removal of all keys.
 */
export async function removeEach(
  keys: Iterable<string>,
  options: RetryOptions,
  remove: (key: string) => Promise<RemoveResult | undefined>,
): Promise<RemoveResult> {
  let time: Date | undefined;
  await forEachConcurrently(keys, options.pace ?? REMOVALS, async (key) => {
    const removed = await sendChange(options, () => remove(key)).catch((error: unknown) => {
      throw error instanceof BucketError ? Object.assign(error, { isTransient: false }) : error;
    });
    if (removed?.time && !(time && time > removed.time)) ({ time } = removed);
  });
  return { time };
}
