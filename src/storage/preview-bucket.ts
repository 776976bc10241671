/** Sends requests for a preview's own objects to the preview's folder, and those for shared objects to the bucket. */
import { isSharedKey } from '../contract/object-kinds.ts';
import { previewKeyPrefix } from '../contract/preview-keys.ts';
import { type Bucket, ConditionFailed } from './bucket.ts';

/** Never replaces or removes a shared object, so credentials need those permissions only for `_previews/`. */
export function openPreviewBucket(bucket: Bucket, name: string): Bucket {
  const folder = previewKeyPrefix(name);
  const own = bucket.within?.(folder) ?? prefixedBucket(bucket, folder);
  return splitBucket(own, bucket, `${bucket.name} (preview ${name})`);
}

function splitBucket(own: Bucket, bucket: Bucket, name: string): Bucket {
  const placeOf = (key: string) => (isSharedKey(key) ? bucket : own);
  return {
    name,
    pace: bucket.pace,
    // A preview's folder has its own fence. The fence of the bucket does not know this holder, and would refuse it.
    limited: (limit) => splitBucket(own.limited(limit), own.fence ? bucket : bucket.limited(limit), name),
    discardParts: own.discardParts,
    keepsVersions: own.keepsVersions,
    list: own.list,
    remove: own.remove,
    fence: own.fence,
    restoreModes: own.restoreModes,
    // No `writeLarge`: the body of a shared object is sent whole, under a condition.
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

function prefixedBucket(bucket: Bucket, prefix: string): Bucket {
  const at = (key: string) => prefix + key;
  const { readLarge } = bucket;
  return {
    name: bucket.name,
    pace: bucket.pace,
    keepsVersions: bucket.keepsVersions,
    fence: bucket.fence,
    limited: (limit) => prefixedBucket(bucket.limited(limit), prefix),
    read: (key) => bucket.read(at(key)),
    readLarge: readLarge && ((key) => readLarge(at(key))),
    inspect: (key) => bucket.inspect(at(key)),
    write: (key, ...rest) => bucket.write(at(key), ...rest),
    async *list(start, after) {
      const last = after === undefined ? undefined : at(after);
      for await (const object of bucket.list(at(start), last))
        yield { ...object, key: object.key.slice(prefix.length) };
    },
    remove: (keys) => bucket.remove(keys.map(at)),
  };
}
