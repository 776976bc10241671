import { objectKindOf } from '../contract/object-kinds.ts';
import {
  type Bucket,
  ConditionFailed,
  compareKeys,
  etagOf,
  type ListedObject,
  type StoredObject,
} from './bucket.ts';
import { entryNumber, isLogKey, parseEntry, serializeEntry } from './lock-log.ts';

/** Discards writes, but remembers `current.json` and control objects, since a publisher reads them back. */
export function withDryRun(bucket: Bucket): Bucket {
  const remembered = new Map<string, StoredObject | undefined>();
  const isRemembered = (key: string) => ['current', 'control'].includes(objectKindOf(key));

  const read = async (key: string): Promise<StoredObject | undefined> => {
    if (remembered.has(key)) return remembered.get(key);
    const object = await bucket.read(key);
    return object && isLogKey(key) ? asGivenBack(key, object, bucket.name) : object;
  };
  const dry: Bucket = {
    name: bucket.name,
    pace: bucket.pace,
    // A dry run changes nothing, so it needs no limit.
    limited: () => dry,
    read,
    // Objects kept in memory are never large.
    readLarge: bucket.readLarge,
    inspect: bucket.inspect,
    keepsVersions: bucket.keepsVersions,
    async *list(prefix, after = '') {
      const written: ListedObject[] = [];
      for (const [key, object] of remembered)
        if (object && key.startsWith(prefix) && compareKeys(key, after) > 0)
          written.push({ key, tag: object.tag, size: object.body.length, modified: new Date() });
      written.sort((one, other) => compareKeys(one.key, other.key));
      for await (const object of bucket.list(prefix, after)) {
        while (written[0] && compareKeys(written[0].key, object.key) < 0) yield written.shift()!;
        if (!remembered.has(object.key)) yield object;
      }
      yield* written;
    },
    async write(key, body, _headers, condition) {
      const tag = etagOf(body);
      if (!isRemembered(key)) return { tag };
      const present = condition ? await read(key) : undefined;
      if (present) throw new ConditionFailed(key);
      remembered.set(key, { body, tag });
      return { tag };
    },
    // Large objects are never read back.
    writeLarge: async () => ({ tag: '' }),
    async remove(keys) {
      for (const key of keys) if (isRemembered(key)) remembered.set(key, undefined);
      return {};
    },
    // Does nothing, but must exist: without a fence, `takeLock` could wait for late requests of an earlier publish.
    fence: async () => {},
  };
  return dry;
}

/** Makes a held lock look as if it was given back, so that a dry run can take it. */
function asGivenBack(key: string, { body, ...rest }: StoredObject, name: string): StoredObject {
  const entry = parseEntry(body, name);
  if (entry?.kind !== 'begin') return { body, ...rest };
  const ended = entryNumber(key) ?? 0;
  return { ...rest, body: serializeEntry({ ...entry, kind: 'end', ended, quiet: null, suspect: true }) };
}
