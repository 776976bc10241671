/** Maps the keys of a preview: its own objects to its folder, immutable objects to the bucket's. */

import { ROOTS_FOLDER } from '../contract/object-keys.ts';
import { isSharedKey } from '../contract/object-kinds.ts';
import { previewFolder } from '../contract/preview.ts';
import { type Bucket, ConditionFailed, type RequestLimit } from './bucket.ts';

/** Shared objects are created, never replaced or removed: a key for `_previews/` needs no such rights elsewhere. */
export function openPreviewBucket(bucket: Bucket, name: string): Bucket {
  const folder = previewFolder(name);
  const own = bucket.within?.(folder) ?? below(bucket, folder);
  const placeOf = (key: string) => (isOwn(key) ? own : bucket);
  // The preview's holder has its own fence, not that of the bucket.
  const limitOf = (key: string, limit: RequestLimit | undefined) =>
    isOwn(key) || !own.fence ? limit : undefined;
  return {
    ...own,
    name: `${bucket.name} (preview ${name})`,
    pace: bucket.pace,
    within: undefined,
    // The body of an immutable object is sent whole, under a condition.
    writeLarge: undefined,
    read: (key, limit) => placeOf(key).read(key, limitOf(key, limit)),
    readLarge:
      own.readLarge &&
      bucket.readLarge &&
      ((key, limit) => placeOf(key).readLarge!(key, limitOf(key, limit))),
    inspect: (key, limit) => placeOf(key).inspect(key, limitOf(key, limit)),
    async write(key, body, headers, condition, limit) {
      if (isOwn(key)) return own.write(key, body, headers, condition, limit);
      try {
        return await bucket.write(key, body, headers, { absent: true }, limitOf(key, limit));
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        return { tag: '' };
      }
    },
  };
}

/** Another version of this program may split a root differently, so each preview has its own. */
function isOwn(key: string): boolean {
  return !isSharedKey(key) || key.startsWith(`${ROOTS_FOLDER}/`);
}

function below(bucket: Bucket, prefix: string): Bucket {
  const at = (key: string) => prefix + key;
  const { readLarge } = bucket;
  return {
    ...bucket,
    read: (key, limit) => bucket.read(at(key), limit),
    readLarge: readLarge && ((key, limit) => readLarge(at(key), limit)),
    inspect: (key, limit) => bucket.inspect(at(key), limit),
    write: (key, ...rest) => bucket.write(at(key), ...rest),
    writeLarge: undefined,
    discardParts: undefined,
    async *list(start, after, limit) {
      const last = after === undefined ? undefined : at(after);
      for await (const object of bucket.list(at(start), last, limit))
        yield { ...object, key: object.key.slice(prefix.length) };
    },
    remove: (keys, limit) => bucket.remove(keys.map(at), limit),
  };
}
