/** Sends requests again that failed for a reason that goes away. */
import { type BackoffOptions, backOff } from './backoff.ts';
import { type Bucket, BucketError, ConditionFailed } from './bucket.ts';

/** How often, and how long to wait. */
export type RetryOptions = BackoffOptions & {
  /** Attempts of one request, the first one included. @default 7 */
  readonly attempts?: number | undefined;
};

/** A bucket that tries again what may succeed a moment later. */
export function withRetry(bucket: Bucket, options: RetryOptions = {}): Bucket {
  const { attempts = 7 } = options;
  /** Waits for the next attempt, or throws when there is none. */
  const passed = async (error: unknown, attempt: number) => {
    if (!(error instanceof BucketError) || !error.isTransient || attempt >= attempts) throw error;
    await backOff(attempt, options);
  };

  const again = async <T>(request: (attempt: number) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request(attempt);
      } catch (error) {
        await passed(error, attempt);
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
          await passed(error, attempt);
        }
      }
    },
    remove: (keys) => again(() => bucket.remove(keys)),
  };
}
