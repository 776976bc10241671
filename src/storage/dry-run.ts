/** A bucket that takes everything and keeps nothing. */
import { MANIFEST_KEY } from '../contract/keys.ts';
import { type Bucket, ConditionFailed, type Limit, type StoredObject, tagOf } from './bucket.ts';
import { parseRecord, recordBytes } from './lease-record.ts';
import { isControlKey, LOCK_KEY } from './reserved-keys.ts';

/** Lets reads through. Writes and removals go nowhere, but for what a publisher reads back: that is remembered. */
export function withDryRun(bucket: Bucket): Bucket {
  const remembered = new Map<string, StoredObject | undefined>();
  const isRemembered = (key: string) => key === MANIFEST_KEY || isControlKey(key);

  const read = async (key: string, limit?: Limit): Promise<StoredObject | undefined> => {
    if (remembered.has(key)) return remembered.get(key);
    const object = await bucket.read(key, limit);
    return key === LOCK_KEY && object ? free(object) : object;
  };
  return {
    name: bucket.name,
    read,
    // No object that is remembered is large.
    readLarge: bucket.readLarge,
    inspect: bucket.inspect,
    list: bucket.list,
    async write(key, body, _headers, condition) {
      const tag = tagOf(body);
      if (!isRemembered(key)) return { tag };
      const present = condition ? await read(key) : undefined;
      const wanted = condition && 'tag' in condition ? condition.tag : undefined;
      if (condition && present?.tag !== wanted) throw new ConditionFailed(key);
      remembered.set(key, { body, tag });
      return { tag };
    },
    // No object that is read back is large.
    writeLarge: async () => ({ tag: '' }),
    async remove(keys) {
      for (const key of keys) if (isRemembered(key)) remembered.set(key, undefined);
    },
  };
}

/** A lease that is held does not keep a dry run from looking; what it says of unfinished work still counts. */
function free({ body, ...rest }: StoredObject): StoredObject {
  const record = parseRecord(body);
  const suspect = record.suspect || record.held;
  return { ...rest, body: recordBytes({ ...record, held: false, settled: true, suspect }) };
}
