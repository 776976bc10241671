import { expect, it } from 'vitest';
import { type LockLimit, RequestExpired } from '../../src/storage/bucket.ts';
import { listKeys } from '../support/bucket.ts';
import { openMemory } from './memory.ts';
import { describePromises } from './promises.ts';

describePromises('memory', openMemory);

const headers = { contentType: 'text/plain', cacheControl: 'no-store' };
const limitOf = (remaining: number, signal = new AbortController().signal): LockLimit => ({
  holder: 'holder',
  remaining: () => remaining,
  signal,
  ready: async () => {},
  unsettled: () => {},
});

it('keeps headers and times, and two buckets with one map hold the same objects', async () => {
  let now = new Date(1000);
  const objects = new Map();
  const bucket = openMemory({ now: () => now, objects });
  const { tag, time } = await bucket.write('a', Buffer.from('xy'), headers);
  expect(time).toEqual(new Date(1000));
  now = new Date(5000);
  const other = openMemory({ now: () => now, objects, name: 'other' });
  expect(await other.read('a')).toEqual({
    body: Buffer.from('xy'),
    tag,
    modified: new Date(1000),
    time: new Date(5000),
  });
  expect(await other.inspect('a')).toEqual({ tag, size: 2, modified: new Date(1000), headers });
  expect([bucket.name, other.name]).toEqual(['memory', 'other']);
});

it('refuses requests with less than a second left, but none without a limit', async () => {
  const bucket = openMemory();
  const requests = (limit: LockLimit) => {
    const limited = bucket.limited(limit);
    return [
      () => limited.read('a'),
      () => limited.inspect('a'),
      () => limited.write('a', Buffer.from('x'), headers),
      () => limited.remove(['a']),
      async () => {
        for await (const _object of limited.list(''));
      },
    ];
  };
  for (const request of requests(limitOf(999))) await expect(request()).rejects.toThrow(RequestExpired);
  for (const request of requests(limitOf(1000))) await request();
  const reason = new Error('over');
  for (const request of requests(limitOf(1000, AbortSignal.abort(reason))))
    await expect(request()).rejects.toBe(reason);
});

it('lists in the order of the bytes of the keys, for any order of writes', async () => {
  const bucket = openMemory();
  for (const key of ['a/\u{1f600}', 'b', 'a/\uff5e', 'a', 'xa/'])
    await bucket.write(key, Buffer.from(key), headers);
  expect(await listKeys(bucket)).toEqual(['a', 'a/\uff5e', 'a/\u{1f600}', 'b', 'xa/']);
  expect(await listKeys(bucket, 'a/')).toEqual(['a/\uff5e', 'a/\u{1f600}']);
  expect(await listKeys(bucket, '', 'a/\uff5e')).toEqual(['a/\u{1f600}', 'b', 'xa/']);
});
