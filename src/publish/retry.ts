/** Sends requests again that failed for a reason that goes away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bucket, BucketError, ConditionFailed } from './bucket.ts';

/** How often, and how long to wait. */
export type RetryOptions = {
  /** Attempts of one request, the first one included. @default 7 */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second attempt at most; doubled for each further one. @default 200 */
  readonly delay?: number | undefined;
  /** Milliseconds between two attempts at most. @default 20000 */
  readonly longest?: number | undefined;
};

/** A bucket that tries again, after a random part of a time that doubles ("full jitter"). */
export function withRetry(bucket: Bucket, options: RetryOptions = {}): Bucket {
  const { attempts = 7, delay = 200, longest = 20_000 } = options;

  const again = async <T>(request: (attempt: number) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request(attempt);
      } catch (error) {
        if (!(error instanceof BucketError) || !error.isTransient || attempt >= attempts) throw error;
        await sleep(Math.random() * Math.min(longest, delay * 2 ** (attempt - 1)));
      }
    }
  };

  return {
    name: bucket.name,
    read: (key) => again(() => bucket.read(key)),
    inspect: (key) => again(() => bucket.inspect(key)),
    write: (key, body, headers, condition) =>
      again(async (attempt) => {
        try {
          return await bucket.write(key, body, headers, condition);
        } catch (error) {
          // The attempt before may have arrived without the answer coming back.
          if (attempt === 1 || !(error instanceof ConditionFailed)) throw error;
          const present = await bucket.read(key);
          if (!present?.body.equals(body)) throw error;
          return present.tag;
        }
      }),
    async *list(prefix, after) {
      let last = after;
      for (let attempt = 1; ; attempt++) {
        try {
          for await (const object of bucket.list(prefix, last)) {
            yield object;
            last = object.key;
            attempt = 1;
          }
          return;
        } catch (error) {
          if (!(error instanceof BucketError) || !error.isTransient || attempt >= attempts) throw error;
          await sleep(Math.random() * Math.min(longest, delay * 2 ** (attempt - 1)));
        }
      }
    },
    remove: (keys) => again(() => bucket.remove(keys)),
  };
}
