import { type Bucket, RequestExpired } from './bucket.ts';
import type { LockHandle } from './lock-handle.ts';
import { confirmWriteAfterError } from './retrying-bucket.ts';

/** Maximum attempts of a request that arrives too late although the lock is still held. */
const MAX_LATE_ATTEMPTS = 5;

export function createLockedBucket(unlocked: Bucket, { limit, recover, observe }: LockHandle): Bucket {
  const bucket = unlocked.limited(limit);
  const held = async <T>(request: () => Promise<T>): Promise<T> => {
    for (let time = 1; ; time++) {
      await limit.ready();
      const { holder } = limit;
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof RequestExpired) || time === MAX_LATE_ATTEMPTS) throw error;
        // A beat shows whether the request was only late, or the lock is lost.
        if (limit.holder === holder) await recover();
      }
    }
  };
  const read: Bucket['read'] = (key) => held(() => observe(() => bucket.read(key)));
  const locked: Bucket = {
    name: bucket.name,
    pace: bucket.pace,
    limited: () => locked,
    fence: bucket.fence,
    read,
    readLarge:
      bucket.readLarge &&
      (async (key) => {
        const large = await held(() => bucket.readLarge!(key));
        return large && { size: large.size, read: (from, to) => held(() => large.read(from, to)) };
      }),
    inspect: (key) => held(() => bucket.inspect(key)),
    async write(key, body, headers, condition) {
      const written = held(() => observe(() => bucket.write(key, body, headers, condition)));
      return written.catch((error: unknown) => confirmWriteAfterError(error, body, () => read(key)));
    },
    writeLarge:
      bucket.writeLarge &&
      ((key, body, headers) => held(() => observe(() => bucket.writeLarge!(key, body, headers)))),
    discardParts: bucket.discardParts && ((isOurs) => held(() => bucket.discardParts!(isOurs))),
    restoreModes: bucket.restoreModes,
    remove: (keys) => held(() => observe(() => bucket.remove(keys))),
    async *list(prefix, after) {
      await limit.ready();
      yield* bucket.list(prefix, after);
    },
  };
  return locked;
}
