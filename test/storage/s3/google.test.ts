/** Google Cloud Storage, with a server that is as strict as its documentation. */
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { PART_SIZE, writeBody } from '../../../src/storage/body.ts';
import { type LockLimit, RequestExpired } from '../../../src/storage/bucket.ts';
import { openBucket } from '../../../src/storage/open-bucket.ts';
import { isGoogleEndpoint } from '../../../src/storage/s3/google.ts';
import { listKeys } from '../../support/bucket.ts';
import { type Google, serveGoogle } from '../../support/google.ts';
import { describePromises, headers, readsParts, text } from '../promises.ts';

let google: Google;
beforeAll(async () => {
  google = await serveGoogle();
});

const limitOf = (remaining: number): LockLimit => ({
  holder: 'one',
  remaining: () => remaining,
  signal: new AbortController().signal,
  ready: async () => {},
  unsettled: () => {},
});

describePromises('Google Cloud Storage', () => google.open());

it('reads an object in parts, and no part of an object that was replaced', () => readsParts(google.open()));

it('reads compressed objects as they are stored, and with their headers', async () => {
  const bucket = google.open();
  const packed = gzipSync('property '.repeat(1000));
  const kept = { ...headers, contentEncoding: 'gzip' };
  const { tag } = await bucket.write('list.json', packed, kept);
  expect((await bucket.read('list.json'))?.body.equals(packed)).toBe(true);
  expect(await bucket.inspect('list.json')).toMatchObject({ size: packed.length, headers: kept, tag });
  const large = await bucket.readLarge!('list.json');
  expect((await large!.read(3, 20)).equals(packed.subarray(3, 20))).toBe(true);
});

it('sends a large object in one request, and removes one object at a time', async () => {
  const bucket = google.open('large');
  const bytes = Buffer.alloc(PART_SIZE + 12_345, 'property ');
  const body = { size: bytes.length, read: async (from: number, to: number) => bytes.subarray(from, to) };
  google.requests.length = 0;
  await writeBody(bucket, 'all é.ndjson', body, headers);
  expect(google.requests).toEqual(['PUT stays/large/all é.ndjson 200']);
  expect((await bucket.read('all é.ndjson'))?.body.equals(bytes)).toBe(true);
  await bucket.remove(['all é.ndjson', 'none']);
  expect(google.requests.slice(2).sort()).toEqual([
    'DELETE stays/large/all é.ndjson 204',
    'DELETE stays/large/none 404',
  ]);
});

it('lists more than one page of keys', async () => {
  const bucket = google.open(undefined, { listed: 3 });
  const all = Array.from({ length: 10 }, (_, index) => `k${index} ü`);
  for (const key of all) await bucket.write(key, text('x'), headers);
  expect(await listKeys(bucket)).toEqual(all);
  expect(await listKeys(bucket, '', 'k4 ü')).toEqual(all.slice(5));
});

it('a request that arrives after its limit has no effect', async () => {
  const bucket = google.open('late', { retry: { attempts: 1 } });
  await bucket.write('lock', text('1'), headers);
  const before = google.objects.get('late/lock')?.generation;
  google.delay = 3000;
  onTestFinished(() => {
    google.delay = 0;
  });
  const late = bucket.limited(limitOf(1500)).write('lock', text('2'), headers);
  await expect(late).rejects.toThrow(RequestExpired);
  expect(google.requests.at(-1)).toBe('PUT stays/late/lock 400');
  expect(google.objects.get('late/lock')?.generation).toBe(before);
});

it.each([
  ['https://storage.googleapis.com', true],
  ['https://stays.storage.googleapis.com', true],
  ['https://storage.europe-west3.rep.googleapis.com', true],
  ['https://storage.googleapis.com.example', false],
  ['https://mystorage.googleapis.com', false],
  ['https://s3.example/storage.googleapis.com', false],
])('%s is an endpoint of Google: %s', (endpoint, expected) => {
  expect(isGoogleEndpoint(endpoint)).toBe(expected);
});

it('opens gs://bucket/prefix', async () => {
  const { bucket, close } = await openBucket('gs://stays/live', { endpoint: google.endpoint });
  onTestFinished(close);
  expect(bucket.name).toBe('gs://stays/live');
  await bucket.write('a', text('1'), headers, { absent: true });
  expect(google.objects.has('live/a')).toBe(true);
});
