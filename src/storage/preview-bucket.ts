/** Sends the requests for a preview's own objects to its folder, and those for immutable objects to the bucket. */

import { isSharedKey } from '../contract/object-kinds.ts';
import { previewKeyPrefix } from '../contract/preview.ts';
import { type Bucket, ConditionFailed } from './bucket.ts';

/** Never replaces or removes a shared object, so credentials need those permissions only for `_previews/`. */
export function openPreviewBucket(bucket: Bucket, name: string): Bucket {
  const folder = previewKeyPrefix(name);
  const own = bucket.within?.(folder) ?? below(bucket, folder);
  return joined(own, bucket, `${bucket.name} (preview ${name})`);
}

function joined(own: Bucket, bucket: Bucket, name: string): Bucket {
  const placeOf = (key: string) => (isSharedKey(key) ? bucket : own);
  return {
    ...own,
    name,
    pace: bucket.pace,
    // A preview's folder has its own fence. The fence of the bucket does not know this holder, and would refuse it.
    limited: (limit) => joined(own.limited(limit), own.fence ? bucket : bucket.limited(limit), name),
    within: undefined,
    // The body of an immutable object is sent whole, under a condition.
    writeLarge: undefined,
    read: (key) => placeOf(key).read(key),
    readLarge: own.readLarge && bucket.readLarge && ((key) => placeOf(key).readLarge!(key)),
    inspect: (key) => placeOf(key).inspect(key),
    async write(key, body, headers, condition) {
      if (!isSharedKey(key)) return own.write(key, body, headers, condition);
      try {
        return await bucket.write(key, body, headers, { absent: true });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        return { tag: '', wasPresent: true };
      }
    },
  };
}

function below(bucket: Bucket, prefix: string): Bucket {
  const at = (key: string) => prefix + key;
  const { readLarge } = bucket;
  return {
    ...bucket,
    limited: (limit) => below(bucket.limited(limit), prefix),
    read: (key) => bucket.read(at(key)),
    readLarge: readLarge && ((key) => readLarge(at(key))),
    inspect: (key) => bucket.inspect(at(key)),
    write: (key, ...rest) => bucket.write(at(key), ...rest),
    writeLarge: undefined,
    discardParts: undefined,
    async *list(start, after) {
      const last = after === undefined ? undefined : at(after);
      for await (const object of bucket.list(at(start), last))
        yield { ...object, key: object.key.slice(prefix.length) };
    },
    remove: (keys) => bucket.remove(keys.map(at)),
  };
}
