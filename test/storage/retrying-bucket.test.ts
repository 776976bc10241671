/** Further attempts, and what they ask of a limit. */
import { expect, it } from 'vitest';
import {
  type Bucket,
  BucketError,
  ConditionFailed,
  type LockLimit,
  RequestExpired,
} from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import { openMemory } from './memory.ts';

const busy = () => new BucketError('bucket-busy', 'busy', true);
const denied = () => new BucketError('bucket-denied', 'denied', false);
const body = Buffer.from('x');

/** A bucket whose first requests fail in the given way; later ones succeed. */
function failing(...errors: unknown[]) {
  let now = 0;
  const memory = openMemory({ now: () => new Date(1000 * now++) });
  const requests: string[] = [];
  const step = <T>(name: string, work: () => T): T => {
    requests.push(name);
    const error = errors.shift();
    if (error) throw error;
    return work();
  };
  const bucket: Bucket = {
    ...memory,
    read: async (key) => step('read', () => memory.read(key)),
    inspect: async (key) => step('inspect', () => memory.inspect(key)),
    write: async (...args) => step('write', () => memory.write(...args)),
    remove: async (keys) => step('remove', () => memory.remove(keys)),
    async *list(...args) {
      for await (const object of memory.list(...args)) yield step(`list ${object.key}`, () => object);
    },
  };
  return { memory, requests, bucket: withRetry(bucket, { attempts: 3, sleep: async () => {} }) };
}

function limited() {
  const heard: string[] = [];
  const limit: LockLimit = {
    holder: 'holder',
    remaining: () => 30_000,
    signal: new AbortController().signal,
    ready: async () => void heard.push('ready'),
    unsettled: () => void heard.push('unsettled'),
  };
  return { limit, heard };
}

it.each<[string, (bucket: Bucket) => Promise<unknown>]>([
  ['a read', (bucket) => bucket.read('a')],
  ['an inspection', (bucket) => bucket.inspect('a')],
])('%s asks its limit before each attempt, and leaves nothing behind', async (_name, send) => {
  const { bucket, requests } = failing(busy(), busy());
  const { limit, heard } = limited();
  expect(await send(bucket.limited(limit))).toBeUndefined();
  expect(requests).toHaveLength(3);
  expect(heard).toEqual(['ready', 'ready', 'ready']);
  const { bucket: broken } = failing(busy(), busy(), busy());
  await expect(send(broken.limited(limit))).rejects.toMatchObject({ code: 'bucket-busy' });
});

it.each<[string, (bucket: Bucket) => Promise<unknown>]>([
  ['a write', (bucket) => bucket.write('a', body, CONTROL_OBJECT_HEADERS)],
  ['a removal', (bucket) => bucket.remove(['a'])],
])('%s reports each attempt that may have taken effect', async (_name, send) => {
  const outcomes = async (...errors: unknown[]) => {
    const { bucket } = failing(...errors);
    const { limit, heard } = limited();
    const outcome = await send(bucket.limited(limit)).then(
      () => 'done',
      (error: unknown) => error,
    );
    return { outcome, heard };
  };
  expect(await outcomes(busy(), busy())).toEqual({
    outcome: 'done',
    heard: ['ready', 'unsettled', 'ready', 'unsettled', 'ready'],
  });
  // The request came too late, so it took no effect.
  expect(await outcomes(new RequestExpired('a'))).toEqual({ outcome: 'done', heard: ['ready', 'ready'] });
  for (const error of [denied(), new Error('broken'), { isTransient: true }])
    expect(await outcomes(error)).toEqual({ outcome: error, heard: ['ready'] });
});

it('a condition that fails at once is not a lost answer', async () => {
  const { bucket, memory, requests } = failing();
  await memory.write('a', body, CONTROL_OBJECT_HEADERS);
  const write = () => bucket.write('a', body, CONTROL_OBJECT_HEADERS, { absent: true });
  await expect(write()).rejects.toBeInstanceOf(ConditionFailed);
  expect(requests).toEqual(['write']);
});

it('a write whose answer was lost is recognised by its bytes, and has the time of its effect (A2)', async () => {
  const { bucket, memory, requests } = failing(busy());
  const { tag, time } = await memory.write('a', body, CONTROL_OBJECT_HEADERS);
  const condition = { absent: true } as const;
  expect(await bucket.write('a', body, CONTROL_OBJECT_HEADERS, condition)).toEqual({ tag, time });
  expect(requests).toEqual(['write', 'write', 'read']);
  const other = failing(busy());
  await other.memory.write('a', Buffer.from('y'), CONTROL_OBJECT_HEADERS);
  await expect(other.bucket.write('a', body, CONTROL_OBJECT_HEADERS, condition)).rejects.toThrow(
    ConditionFailed,
  );
  const gone = failing(busy(), new ConditionFailed('a'));
  await expect(gone.bucket.write('a', body, CONTROL_OBJECT_HEADERS, condition)).rejects.toThrow(
    ConditionFailed,
  );
  const broken = failing(busy(), new Error('broken'));
  await expect(broken.bucket.write('a', body, CONTROL_OBJECT_HEADERS, condition)).rejects.toThrow('broken');
  expect(broken.requests).toEqual(['write', 'write']);
});

it('a listing continues after the last key, with as many attempts for each page', async () => {
  const keys = async (...errors: unknown[]) => {
    const { bucket, memory, requests } = failing(...errors);
    for (const key of ['a', 'b', 'c']) await memory.write(key, body, CONTROL_OBJECT_HEADERS);
    const { limit, heard } = limited();
    const found: string[] = [];
    const outcome = await (async () => {
      for await (const { key } of bucket.limited(limit).list('')) found.push(key);
      return 'done';
    })().catch((error: unknown) => error);
    return { found, outcome, requests, waits: heard.length };
  };
  expect(await keys(undefined, busy(), busy(), undefined, busy(), busy())).toEqual({
    found: ['a', 'b', 'c'],
    outcome: 'done',
    requests: ['a', 'b', 'b', 'b', 'c', 'c', 'c'].map((key) => `list ${key}`),
    waits: 5,
  });
  const { found, outcome } = await keys(undefined, busy(), busy(), busy());
  expect([found, outcome]).toEqual([['a'], expect.objectContaining({ code: 'bucket-busy' })]);
  expect((await keys(denied())).requests).toEqual(['list a']);
});

it('large objects have as many attempts, and are offered where the bucket has them alone', async () => {
  const { memory, requests } = failing();
  const errors = [busy(), undefined, busy()];
  const attempt = <T>(name: string, result: T) => {
    requests.push(name);
    const error = errors.shift();
    if (error) throw error;
    return result;
  };
  const read = async (from: number, to: number) => attempt('part', body.subarray(from, to));
  const bucket: Bucket = { ...memory, readLarge: async (key) => attempt(key, { size: 1, read }) };
  const retried = (of: Bucket) => withRetry(of, { attempts: 3, sleep: async () => {} });
  const { limit, heard } = limited();
  const large = (await retried(bucket).limited(limit).readLarge!('a'))!;
  expect([large.size, await large.read(0, 1)]).toEqual([1, body]);
  expect([requests, heard.length]).toEqual([['a', 'a', 'part', 'part'], 4]);
  const none = retried({ ...memory, readLarge: async () => undefined });
  expect(await none.readLarge!('a')).toBeUndefined();
  expect(retried({ ...memory, readLarge: undefined }).readLarge).toBeUndefined();
});
