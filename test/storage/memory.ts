/** A bucket in memory. */
import {
  type Bucket,
  ConditionFailed,
  etagOf,
  type LockLimit,
  MIN_REMAINING_TIME,
  type ObjectHeaders,
  RequestExpired,
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
  return {
    name,
    limited,
    async read(key) {
      const object = objects.get(key);
      return object && { body: object.body, tag: object.tag, modified: object.modified, time: now() };
    },
    async inspect(key) {
      const object = objects.get(key);
      if (!object) return undefined;
      const { body, tag, modified, headers } = object;
      return { tag, size: body.length, modified, headers };
    },
    async write(key, body, headers, condition) {
      if (condition && objects.has(key)) throw new ConditionFailed(key);
      const tag = etagOf(body);
      const time = now();
      objects.set(key, { body, headers, tag, modified: time });
      return { tag, time };
    },
    async *list(prefix, after = '') {
      const keys = [...objects.keys()].filter((key) => key.startsWith(prefix));
      for (const key of keys.sort(byBytes)) {
        const object = objects.get(key);
        if (!object || byBytes(key, after) <= 0) continue;
        yield { key, tag: object.tag, size: object.body.length, modified: object.modified };
      }
    },
    async remove(keys) {
      for (const key of keys) objects.delete(key);
      return { time: now() };
    },
  };
}

/** Of a bucket without a fence. Tests replace methods of a bucket by spreading it, and `this` has these. */
export function limited(this: Bucket, limit: LockLimit): Bucket {
  const admit = () => {
    limit.signal.throwIfAborted();
    if (limit.remaining() < MIN_REMAINING_TIME) throw new RequestExpired(bucket.name);
  };
  const bucket = this;
  return {
    ...bucket,
    read: async (key) => {
      admit();
      return bucket.read(key);
    },
    inspect: async (key) => {
      admit();
      return bucket.inspect(key);
    },
    write: async (...args) => {
      admit();
      return bucket.write(...args);
    },
    async *list(...args) {
      admit();
      yield* bucket.list(...args);
    },
    remove: async (keys) => {
      admit();
      return bucket.remove(keys);
    },
  };
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
