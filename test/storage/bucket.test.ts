/** The promises of every bucket, checked with a real S3 server. */
import { expect, it, onTestFinished } from 'vitest';
import { bodyMatchesETag, PART_SIZE } from '../../src/storage/body.ts';
import { BucketError, type LockLimit } from '../../src/storage/bucket.ts';
import { openBucket } from '../../src/storage/open-bucket.ts';
import { listKeys } from '../support/bucket.ts';
import { useS3 } from '../support/s3.ts';
import { describePromises, headers, readsParts, text } from './promises.ts';

const s3 = useS3();
const { openPrefix } = s3;

describePromises('S3', openPrefix);
it('S3 reads an object in parts, and no part of an object that was replaced', () => readsParts(openPrefix()));

it('S3 writes a large object in parts, and discards the remains of an unfinished one', async () => {
  const bucket = s3.open();
  const bytes = Buffer.alloc(PART_SIZE + 12_345, 'property ');
  const body = { size: bytes.length, read: async (from: number, to: number) => bytes.subarray(from, to) };
  const limit: LockLimit = {
    holder: 'one',
    remaining: () => 30_000,
    signal: new AbortController().signal,
    ready: async () => {},
    unsettled: () => {},
  };
  const limited = bucket.limited(limit);
  const { tag } = await limited.writeLarge!('all é.ndjson', body, headers);
  expect(await bodyMatchesETag(tag, body)).toBe(true);
  const present = await bucket.read('all é.ndjson');
  expect(present?.body.equals(bytes)).toBe(true);
  expect(present?.tag).toBe(tag);
  expect(await bucket.inspect('all é.ndjson')).toMatchObject({ headers, size: bytes.length });
  const failing = { ...body, read: () => Promise.reject(new Error('gone')) };
  await expect(limited.writeLarge!('cut', failing, headers)).rejects.toThrow('gone');
  await limited.discardParts!(() => true);
  expect(await listKeys(bucket)).toEqual(['all é.ndjson']);
});

it('S3 keeps headers, and a prefix separates two catalogues', async () => {
  const one = openPrefix();
  const other = openPrefix();
  await one.write('a.json', text('{}'), { ...headers, contentEncoding: 'gzip' });
  await other.write('b.json', text('[]'), headers);
  expect((await one.inspect('a.json'))?.headers).toEqual({ ...headers, contentEncoding: 'gzip' });
  expect((await other.inspect('b.json'))?.headers).toEqual(headers);
  expect(await listKeys(one)).toEqual(['a.json']);
});

it('S3 lists more than one page of keys', async () => {
  const bucket = s3.open(undefined, { listed: 3 });
  const all = Array.from({ length: 10 }, (_, index) => `k${index}`);
  for (const key of all) await bucket.write(key, text('x'), headers);
  expect(await listKeys(bucket)).toEqual(all);
  expect(await listKeys(bucket, '', 'k4')).toEqual(all.slice(5));
});

it('a bucket that does not answer is described in the error', async () => {
  const retry = { attempts: 2, delay: 1 };
  const outcome = async (target: string, endpoint: string) => {
    const { bucket, close } = await openBucket(target, { endpoint, retry });
    onTestFinished(close);
    return bucket.read('a').then(
      () => 'read',
      (error: unknown) => (error instanceof BucketError ? error.code : String(error)),
    );
  };
  expect(await outcome('s3://nothing-here', s3.endpoint())).toBe('bucket-missing');
  expect(await outcome('s3://stays', 'http://127.0.0.1:9')).toBe('bucket-unreachable');
  process.env.AWS_ACCESS_KEY_ID = 'another';
  onTestFinished(() => {
    process.env.AWS_ACCESS_KEY_ID = 'test-key';
  });
  // Stores have different names for an unknown key.
  expect(await outcome('s3://stays', s3.endpoint())).toMatch(/^bucket-(?:denied|credentials)$/);
});
