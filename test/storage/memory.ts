/** A bucket in memory. */
import {
  type Bucket,
  ConditionFailed,
  etagOf,
  MIN_REMAINING,
  type ObjectHeaders,
  RequestExpired,
  type RequestLimit,
} from '../../src/storage/bucket.ts';

/** An object as it is kept. */
type KeptObject = {
  readonly body: Buffer;
  readonly headers: ObjectHeaders;
  readonly tag: string;
  readonly modified: Date;
};

/** How to open one. */
export type MemoryOptions = {
  /** @default memory */
  readonly name?: string | undefined;
  /** The time of the store. @default the machine's */
  readonly now?: (() => Date) | undefined;
  /** Its objects, by key; two buckets with one map hold the same objects. @default an empty map */
  readonly objects?: Map<string, KeptObject> | undefined;
};

/** Opens a bucket with all promises of {@link Bucket}, headers and conditions included, and without a fence. */
export function openMemory({
  name = 'memory',
  now = () => new Date(),
  objects = new Map(),
}: MemoryOptions = {}): Bucket {
  const admit = (limit: RequestLimit | undefined) => {
    limit?.signal.throwIfAborted();
    if (limit && limit.remaining() < MIN_REMAINING) throw new RequestExpired(name);
  };
  return {
    name,
    async read(key, limit) {
      admit(limit);
      const object = objects.get(key);
      return object && { body: object.body, tag: object.tag, modified: object.modified, time: now() };
    },
    async inspect(key, limit) {
      admit(limit);
      const object = objects.get(key);
      if (!object) return undefined;
      const { body, tag, modified, headers } = object;
      return { tag, size: body.length, modified, headers };
    },
    async write(key, body, headers, condition, limit) {
      admit(limit);
      if (condition && objects.has(key)) throw new ConditionFailed(key);
      const tag = etagOf(body);
      const time = now();
      objects.set(key, { body, headers, tag, modified: time });
      return { tag, time };
    },
    async *list(prefix, after = '', limit) {
      admit(limit);
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix));
      for (const key of keys.sort(byBytes)) {
        const object = objects.get(key);
        if (!object || byBytes(key, after) <= 0) continue;
        yield { key, tag: object.tag, size: object.body.length, modified: object.modified };
      }
    },
    async remove(keys, limit) {
      admit(limit);
      for (const key of keys) objects.delete(key);
    },
  };
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
