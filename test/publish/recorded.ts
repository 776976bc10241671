import { type Bucket, ConditionFailed } from '../../src/storage/bucket.ts';
import { limited } from '../storage/memory.ts';

/**
 * A bucket that notes every request, such as `write media/x.jpg`, when it is made; and `refused media/x.jpg` when its
 * condition did not hold.
 */
export function recorded(bucket: Bucket, requests: string[] = []): { bucket: Bucket; requests: string[] } {
  const note = (name: string, key: string) => void requests.push(`${name} ${key}`);
  return {
    requests,
    bucket: {
      name: bucket.name,
      limited,
      fence: bucket.fence,
      read(key) {
        note('read', key);
        return bucket.read(key);
      },
      inspect(key) {
        note('inspect', key);
        return bucket.inspect(key);
      },
      async write(key, ...rest) {
        note('write', key);
        try {
          return await bucket.write(key, ...rest);
        } catch (error) {
          if (error instanceof ConditionFailed) note('refused', key);
          throw error;
        }
      },
      list(prefix, after) {
        note('list', prefix);
        return bucket.list(prefix, after);
      },
      remove(keys) {
        for (const key of keys) note('remove', key);
        return bucket.remove(keys);
      },
    },
  };
}

/** Number of the requests that wrote something. */
export function countWrites(requests: readonly string[]): number {
  const count = (name: string) => requests.filter((request) => request.startsWith(`${name} `)).length;
  return count('write') - count('refused');
}
