/** Sends requests again that failed for a reason that goes away. */
import { type BackoffOptions, backOff } from './backoff.ts';
import { type Bucket, BucketError, ConditionFailed, type Limit, RequestExpired } from './bucket.ts';

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

  const again = async <T>(
    limit: Limit | undefined,
    request: (attempt: number) => Promise<T>,
    changes = false,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      await limit?.ready();
      try {
        return await request(attempt);
      } catch (error) {
        if (changes && isUnknown(error)) limit?.unsettled();
        await passed(error, attempt);
      }
    }
  };

  return {
    ...bucket,
    read: (key, limit) => again(limit, () => bucket.read(key, limit)),
    inspect: (key, limit) => again(limit, () => bucket.inspect(key, limit)),
    write: (key, body, headers, condition, limit) => {
      const write = async (attempt: number) => {
        try {
          return await bucket.write(key, body, headers, condition, limit);
        } catch (error) {
          // The attempt before may have arrived without the answer coming back.
          if (attempt === 1 || !(error instanceof ConditionFailed)) throw error;
          const present = await bucket.read(key, limit);
          if (!present?.body.equals(body)) throw error;
          return { tag: present.tag, time: present.time };
        }
      };
      return again(limit, write, true);
    },
    async *list(prefix, after, limit) {
      let last = after;
      for (let attempt = 1; ; attempt++) {
        await limit?.ready();
        try {
          for await (const object of bucket.list(prefix, last, limit)) {
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
    remove: (keys, limit) => again(limit, () => bucket.remove(keys, limit), true),
  };
}

/** Whether a request that failed so may have taken effect, or still may. */
function isUnknown(error: unknown): boolean {
  return error instanceof BucketError && error.isTransient && !(error instanceof RequestExpired);
}
