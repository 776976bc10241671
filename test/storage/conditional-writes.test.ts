/** Testing whether a store honours conditions. */
import { expect, it } from 'vitest';
import { type Bucket, BucketError, type Condition, ConditionFailed } from '../../src/storage/bucket.ts';
import { assertRefusals, writeIf } from '../../src/storage/conditional-writes.ts';
import { CONTROL_HEADERS } from '../../src/storage/reserved-keys.ts';
import { openMemory } from './memory.ts';

const body = Buffer.from('x');
const refusing = (code: 'condition-unsupported' | 'bucket-denied'): Bucket => ({
  ...openMemory({ name: 's3://stays' }),
  write: async () => {
    throw new BucketError(code, 'said so', false);
  },
});

it('writes with headers that prevent caching', async () => {
  const bucket = openMemory();
  const { tag } = await writeIf(bucket, 'a', body, { absent: true });
  expect(await bucket.inspect('a')).toMatchObject({ tag, headers: CONTROL_HEADERS });
  await expect(writeIf(bucket, 'a', body, { absent: true })).rejects.toBeInstanceOf(ConditionFailed);
});

it('names a store without conditional writes, and passes on other failures', async () => {
  await expect(writeIf(refusing('condition-unsupported'), 'a', body, { absent: true })).rejects.toMatchObject(
    {
      name: 'UsageError',
      code: 'no-conditional-writes',
      message:
        's3://stays does not honour conditional writes, which keep two publishers apart (said so). If nothing else can publish at the same time, use --no-lock.',
    },
  );
  const denied = writeIf(refusing('bucket-denied'), 'a', body, { absent: true });
  await expect(denied).rejects.toMatchObject({ code: 'bucket-denied' });
  const broken = new Error('broken');
  const failing: Bucket = { ...openMemory(), write: () => Promise.reject(broken) };
  await expect(writeIf(failing, 'a', body, { absent: true })).rejects.toBe(broken);
  await expect(assertRefusals(failing, 'a', body)).rejects.toBe(broken);
});

it('tries both conditions on an existing object', async () => {
  const bucket = openMemory({ name: 'store' });
  await bucket.write('a', Buffer.from('held'), CONTROL_HEADERS);
  const tried: (Condition | undefined)[] = [];
  const watched = (isIgnored: (condition: Condition) => boolean): Bucket => ({
    ...bucket,
    write(key, bytes, headers, condition) {
      tried.push(condition);
      return bucket.write(key, bytes, headers, isIgnored(condition!) ? undefined : condition);
    },
  });
  await assertRefusals(
    watched(() => false),
    'a',
    body,
  );
  expect(tried).toEqual([{ absent: true }, { tag: '"00000000000000000000000000000000"' }]);
  expect((await bucket.read('a'))!.body.toString()).toBe('held');
  for (const [name, what] of [
    ['absent', 'a second write with If-None-Match: * was written'],
    ['tag', 'a write with If-Match of another tag was written'],
  ] as const) {
    const outcome = assertRefusals(
      watched((condition) => name in condition),
      'a',
      body,
    );
    await expect(outcome).rejects.toMatchObject({
      code: 'no-conditional-writes',
      message: expect.stringContaining(`(${what})`),
    });
  }
});
