import { kindOf } from '../contract/kinds.ts';
import { type Bucket, ConditionFailed, type Limit, type StoredObject, tagOf } from './bucket.ts';
import { parseRecord, recordBytes } from './lease-record.ts';
import { LOCK_KEY } from './reserved-keys.ts';

/** Discards writes and removals, but keeps control objects in memory, since a publisher reads them back. */
export function withDryRun(bucket: Bucket): Bucket {
  const remembered = new Map<string, StoredObject | undefined>();
  const isRemembered = (key: string) => ['manifest', 'control'].includes(kindOf(key));

  const read = async (key: string, limit?: Limit): Promise<StoredObject | undefined> => {
    if (remembered.has(key)) return remembered.get(key);
    const object = await bucket.read(key, limit);
    return key.endsWith(LOCK_KEY) && object ? free(object) : object;
  };
  return {
    name: bucket.name,
    pace: bucket.pace,
    read,
    // Objects kept in memory are never large.
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
    // Large objects are never read back.
    writeLarge: async () => ({ tag: '' }),
    async remove(keys) {
      for (const key of keys) if (isRemembered(key)) remembered.set(key, undefined);
    },
  };
}

/** Lets a dry run continue although the lease is held. */
function free({ body, ...rest }: StoredObject): StoredObject {
  const record = parseRecord(body);
  const suspect = record.suspect || record.held;
  return { ...rest, body: recordBytes({ ...record, held: false, settled: true, suspect }) };
}
