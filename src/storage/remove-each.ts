import { BucketError } from './bucket.ts';
import { forEachConcurrently } from './for-each.ts';
import { type RetryOptions, sendChange } from './retry.ts';

const REMOVALS = 16;

/**
 * For stores that remove one object per request. Each is retried; the error of its last attempt is marked as permanent,
 * so that no other layer repeats the whole group.
 */
export function removeEach(
  keys: Iterable<string>,
  options: RetryOptions,
  remove: (key: string) => Promise<unknown>,
): Promise<void> {
  return forEachConcurrently(keys, options.pace ?? REMOVALS, (key) =>
    sendChange(options, () => remove(key)).catch((error: unknown) => {
      throw error instanceof BucketError ? Object.assign(error, { isTransient: false }) : error;
    }),
  );
}
