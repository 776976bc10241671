/** Requests to a bucket are counted by their kind. */
import { expect, it } from 'vitest';
import { withTrafficCount } from '../../src/publish/traffic-count.ts';
import type { Bucket, LargeBody } from '../../src/storage/bucket.ts';
import { openMemory } from '../storage/memory.ts';

const HEADERS = { contentType: 'text/plain', cacheControl: 'no-store' };
const TIME = new Date('2026-01-01');
const NONE = {
  ...{ media: 0, details: 0, pages: 0, totals: 0, tree: 0 },
  ...{ problems: 0, documents: 0, history: 0 },
};

it.each([
  ['media/a.jpg', 'media'],
  ['_catalogue/properties/x.json', 'details'],
  ['_catalogue/pages/-/-/2-1.json', 'pages'],
  ['_catalogue/pages/-/-/total', 'totals'],
  ['_catalogue/chunks/x.json', 'tree'],
  ['_catalogue/current.json', 'tree'],
  ['_catalogue/problems/not-found.json', 'problems'],
  ['_catalogue/problems/list-unavailable.json', 'problems'],
  ['_catalogue/roots/x.json', 'tree'],
  ['_catalogue/images/x.json', 'tree'],
  ['_catalogue/documents/x', 'tree'],
  ['changes/index.json', 'history'],
  ['changes/2026-01.ndjson', 'history'],
  ['openapi.json', 'documents'],
  ['properties.ndjson', 'documents'],
  ['explorer/app.js', 'documents'],
])('counts %s as %s', async (key, group) => {
  const { bucket, traffic } = withTrafficCount(openMemory());
  await bucket.write(key, Buffer.from('12345'), HEADERS);
  expect(traffic).toEqual({ written: { ...NONE, [group]: 1 }, bytes: 5, removed: 0 });
  await bucket.remove([key, key]);
  expect(traffic.removed).toBe(2);
});

it('does not count objects of publishing itself, or failures', async () => {
  const memory = openMemory();
  const { bucket, traffic } = withTrafficCount(memory);
  for (const key of ['_catalogue/log/00000001.json', '_catalogue/releases.json']) {
    await bucket.write(key, Buffer.from('x'), HEADERS);
    await bucket.remove([key]);
  }
  await bucket.write('a', Buffer.from('x'), HEADERS);
  await expect(bucket.write('a', Buffer.from('y'), HEADERS, { absent: true })).rejects.toThrow('condition');
  expect(traffic).toEqual({ written: { ...NONE, documents: 1 }, bytes: 1, removed: 0 });
  const failing = withTrafficCount({ ...memory, remove: () => Promise.reject(new Error('no')) });
  await expect(failing.bucket.remove(['a'])).rejects.toThrow('no');
  expect(failing.traffic.removed).toBe(0);
});

it('passes every request on unchanged, and returns its answer', async () => {
  const asked: unknown[][] = [];
  const large: LargeBody = { size: 9, read: async () => Buffer.alloc(9) };
  const body = Buffer.from('x');
  const store: Bucket = {
    ...openMemory({ name: 'store' }),
    async write(...args) {
      asked.push(args);
      return { tag: 'small' };
    },
    async writeLarge(...args) {
      asked.push(args);
      return { tag: 'large' };
    },
    async remove(...args) {
      asked.push(args);
      return { time: TIME };
    },
  };
  const { bucket, traffic } = withTrafficCount(store);
  expect(await bucket.write('a', body, HEADERS, { absent: true })).toEqual({ tag: 'small' });
  expect(await bucket.writeLarge!('b', large, HEADERS)).toEqual({ tag: 'large' });
  expect(await bucket.remove(['c'])).toEqual({ time: TIME });
  expect(asked).toEqual([['a', body, HEADERS, { absent: true }], ['b', large, HEADERS], [['c']]]);
  expect(traffic).toEqual({ written: { ...NONE, documents: 2 }, bytes: 10, removed: 1 });
  expect([bucket.name, bucket.read]).toEqual(['store', store.read]);
  expect(withTrafficCount(openMemory()).bucket.writeLarge).toBeUndefined();
});
