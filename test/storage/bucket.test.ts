/** What every bucket promises: a folder, a real S3 server, and memory. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasTag, PART } from '../../src/storage/body.ts';
import {
  type Bucket,
  BucketError,
  ConditionFailed,
  type Limit,
  RequestExpired,
} from '../../src/storage/bucket.ts';
import { openFolder } from '../../src/storage/folder/bucket.ts';
import { openTarget } from '../../src/storage/open.ts';
import { withRetry } from '../../src/storage/retry.ts';
import { S3_BUCKET, type S3Server, startS3 } from '../publish/s3-server.ts';
import { openMemory } from './memory.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server.stop());

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), 'catalogue-bucket-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return join(root, 'bucket');
}

let prefixes = 0;
/** As a command opens it: some stores answer writes of one object that overlap with "try again". */
function openPrefix(): Bucket {
  const { bucket, close } = server.open(`p${prefixes++}`);
  onTestFinished(close);
  return withRetry(bucket);
}

const headers = { contentType: 'application/json', cacheControl: 'public, max-age=60' };
const text = (value: string) => Buffer.from(value);

async function keys(bucket: Bucket, prefix: string, after?: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of bucket.list(prefix, after)) found.push(key);
  return found;
}

describe.each([
  ['a folder', () => openFolder(folder(), { versioned: ['race', 'lock', 'none'] })],
  ['S3', openPrefix],
  ['memory', () => openMemory()],
])('%s', (_name, open) => {
  it('gives back what was written, and nothing for what was not', async () => {
    const bucket = open();
    expect(await bucket.read('a/b.json')).toBeUndefined();
    expect(await bucket.inspect('a/b.json')).toBeUndefined();
    const { tag } = await bucket.write('a/b.json', text('one'), headers);
    expect(tag.replaceAll('"', '')).toBe(createHash('md5').update('one').digest('hex'));
    expect(await bucket.read('a/b.json')).toMatchObject({ body: text('one'), tag });
    const info = await bucket.inspect('a/b.json');
    expect(info).toMatchObject({ tag, size: 3 });
    expect(Math.abs(Date.now() - info!.modified.getTime())).toBeLessThan(60_000);
    await bucket.write('a/b.json', text(''), headers);
    expect((await bucket.read('a/b.json'))?.body.length).toBe(0);
  });

  it('writes on a condition, or not at all', async () => {
    const bucket = open();
    const { tag: first } = await bucket.write('lock', text('1'), headers, { absent: true });
    await expect(bucket.write('lock', text('2'), headers, { absent: true })).rejects.toThrow(ConditionFailed);
    const { tag: second } = await bucket.write('lock', text('3'), headers, { tag: first });
    await expect(bucket.write('lock', text('4'), headers, { tag: first })).rejects.toThrow(ConditionFailed);
    await expect(bucket.write('none', text('5'), headers, { tag: second })).rejects.toThrow(ConditionFailed);
    expect((await bucket.read('lock'))?.body.toString()).toBe('3');
    expect(await bucket.read('none')).toBeUndefined();
  });

  it('lets one of many win a conditional write', async () => {
    const bucket = open();
    const race = (label: string, condition: { absent: true } | { tag: string }) =>
      Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          bucket.write('race', text(`${label}${index}`), headers, condition).then(
            () => index,
            (error: unknown) => {
              expect(error).toBeInstanceOf(ConditionFailed);
            },
          ),
        ),
      ).then((outcomes) => outcomes.filter((index) => index !== undefined));
    const [first, ...others] = await race('', { absent: true });
    expect(others).toEqual([]);
    const present = await bucket.read('race');
    expect(present?.body.toString()).toBe(String(first));
    expect(await race('again ', { tag: present!.tag })).toHaveLength(1);
  });

  it('lists in the order of the bytes of the keys, from any key on', async () => {
    const bucket = open();
    const all = ['a-', 'a/1.json', 'a/10.json', 'a/2/x', 'a/2.json', 'a0', 'b', 'media/é.jpg'];
    for (const key of all) await bucket.write(key, text(key), headers);
    const sorted = [...all].sort((one, other) => Buffer.compare(text(one), text(other)));
    expect(await keys(bucket, '')).toEqual(sorted);
    expect(await keys(bucket, 'a/')).toEqual(sorted.filter((key) => key.startsWith('a/')));
    expect(await keys(bucket, 'a/2')).toEqual(['a/2.json', 'a/2/x']);
    for (const after of sorted)
      expect(await keys(bucket, '', after)).toEqual(sorted.filter((key) => key > after));
    expect(await keys(bucket, 'none')).toEqual([]);
  });

  it('removes many at once, and what is not there without complaint', async () => {
    const bucket = open();
    for (const key of ['x/1', 'x/2', 'y']) await bucket.write(key, text(key), headers);
    await bucket.remove(['x/1', 'x/2', 'x/3']);
    expect(await keys(bucket, '')).toEqual(['y']);
    await bucket.remove([]);
  });
});

it('S3 takes a large object in parts, and discards what was left of one', async () => {
  const { bucket, close } = server.open(`p${prefixes++}`);
  onTestFinished(close);
  const bytes = Buffer.alloc(PART + 12_345, 'property ');
  const body = { size: bytes.length, read: async (from: number, to: number) => bytes.subarray(from, to) };
  const limit: Limit = {
    holder: 'one',
    remaining: () => 30_000,
    signal: new AbortController().signal,
    ready: async () => {},
    unsettled: () => {},
  };
  const { tag } = await bucket.writeLarge!('all é.ndjson', body, headers, limit);
  expect(await hasTag(tag, body)).toBe(true);
  const present = await bucket.read('all é.ndjson');
  expect(present?.body.equals(bytes)).toBe(true);
  expect(present?.tag).toBe(tag);
  expect(await bucket.inspect('all é.ndjson')).toMatchObject({ headers, size: bytes.length });
  const failing = { ...body, read: () => Promise.reject(new Error('gone')) };
  await expect(bucket.writeLarge!('cut', failing, headers, limit)).rejects.toThrow('gone');
  await bucket.discardParts!(() => true, limit);
  expect(await keys(bucket, '')).toEqual(['all é.ndjson']);
});

it('S3 keeps headers, and a prefix keeps two catalogues apart', async () => {
  const one = openPrefix();
  const other = openPrefix();
  await one.write('a.json', text('{}'), { ...headers, contentEncoding: 'gzip' });
  await other.write('b.json', text('[]'), headers);
  expect((await one.inspect('a.json'))?.headers).toEqual({ ...headers, contentEncoding: 'gzip' });
  expect((await other.inspect('b.json'))?.headers).toEqual(headers);
  expect(await keys(one, '')).toEqual(['a.json']);
});

it('S3 lists more than one page of keys', async () => {
  const { bucket, close } = server.open(`p${prefixes++}`, { listed: 3 });
  onTestFinished(close);
  const all = Array.from({ length: 10 }, (_, index) => `k${index}`);
  for (const key of all) await bucket.write(key, text('x'), headers);
  expect(await keys(bucket, '')).toEqual(all);
  expect(await keys(bucket, '', 'k4')).toEqual(all.slice(5));
});

it('a folder refuses what an earlier holder goes on with, at once and for good (A15)', async () => {
  const root = folder();
  const bucket = openFolder(root);
  const limit = (holder: string): Limit => ({
    holder,
    remaining: () => 30_000,
    signal: new AbortController().signal,
    ready: async () => {},
    unsettled: () => {},
  });
  await bucket.fence!('one');
  await bucket.write('a', text('1'), headers, undefined, limit('one'));
  await bucket.fence!('two');
  await bucket.write('b', text('2'), headers, undefined, limit('two'));
  const { tag } = (await bucket.inspect('b'))!;
  for (const late of [
    () => bucket.write('b', text('late'), headers, undefined, limit('one')),
    () => bucket.write('b', text('late'), headers, { tag }, limit('one')),
    () => bucket.write('c', text('late'), headers, { absent: true }, limit('one')),
    () => bucket.remove(['b'], limit('one')),
  ]) {
    await expect(late()).rejects.toBeInstanceOf(RequestExpired);
  }
  expect(await keys(bucket, '')).toEqual(['a', 'b']);
  await bucket.remove(['a', 'never'], limit('two'));
  expect(await keys(bucket, '')).toEqual(['b']);
  expect(readdirSync(join(root, '.catalogue-incoming'))).toEqual(['holder-two']);
});

it('a folder has one winner of each version, also against one that slept (A7)', async () => {
  const root = folder();
  const versioned = { versioned: ['lease'] };
  for (let round = 0; round < 20; round++) {
    const bucket = openFolder(join(root, String(round)), versioned);
    let { tag } = await bucket.write('lease', text('0'), headers, { absent: true });
    for (let version = 1; version < 4; version++) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, (_, writer) =>
          bucket.write('lease', text(`${version} ${writer}`), headers, { tag }),
        ),
      );
      const won = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(won).toHaveLength(1);
      const stale = tag;
      ({ tag } = (await bucket.read('lease'))!);
      await expect(bucket.write('lease', text('late'), headers, { tag: stale })).rejects.toThrow(
        ConditionFailed,
      );
    }
  }
});

it.each([
  ['a folder', () => openFolder(folder())],
  ['S3', openPrefix],
])('%s reads an object in parts, of one that was replaced none', async (_name, open) => {
  const bucket = open();
  const readLarge = bucket.readLarge!;
  expect(await readLarge('a')).toBeUndefined();
  const bytes = Buffer.from(Array.from({ length: 9000 }, (_, index) => index % 251));
  await bucket.write('a', bytes, headers);
  const large = await readLarge('a');
  expect(large?.size).toBe(9000);
  for (const [from, to] of [
    [0, 2],
    [4000, 8999],
    [8999, 9000],
  ] as const)
    expect((await large!.read(from, to)).equals(bytes.subarray(from, to))).toBe(true);
  await bucket.write('a', Buffer.alloc(PART + 1), headers);
  const larger = await readLarge('a');
  // Of the same size: only its tag, or its time, says so.
  await bucket.write('a', Buffer.alloc(PART + 1, 1), headers);
  await expect(larger!.read(0, 2)).rejects.toThrow('was replaced while it was read');
  await bucket.remove(['a']);
  await expect(larger!.read(0, 2)).rejects.toThrow('was replaced while it was read');
});

it('a folder that cannot be made says why (A15)', async () => {
  const bucket = openFolder('/proc/catalogue/bucket');
  await expect(bucket.write('a', text('1'), headers)).rejects.toMatchObject({
    code: 'bucket-denied',
    message: expect.stringContaining('/proc/catalogue cannot be made'),
  });
});

it('a folder leaves nothing of its own behind', async () => {
  const root = folder();
  const bucket = openFolder(root);
  await bucket.write('a/b', text('1'), headers, { absent: true });
  await bucket.write('a/b', text('2'), headers);
  await bucket.write('c', text('2'), headers);
  await bucket.remove(['a/b']);
  expect(readdirSync(root)).toEqual(['c']);
});

it('says what is wrong with a target, and with a bucket that does not answer', async () => {
  for (const target of [
    'stays',
    's3://',
    's3://B',
    's3://stays//x',
    's3://stays/../x',
    'dir:',
    'https://x',
  ]) {
    await expect(openTarget(target)).rejects.toMatchObject({ code: 'invalid-target' });
  }
  await expect(openTarget(`s3://${S3_BUCKET}`, { endpoint: 'localhost' })).rejects.toMatchObject({
    code: 'invalid-endpoint',
  });
  const retry = { attempts: 2, delay: 1 };
  const outcome = async (target: string, endpoint: string) => {
    const { bucket, close } = await openTarget(target, { endpoint, retry });
    onTestFinished(close);
    return bucket.read('a').then(
      () => 'read',
      (error: unknown) => (error instanceof BucketError ? error.code : String(error)),
    );
  };
  expect(await outcome('s3://nothing-here', server.endpoint)).toBe('bucket-missing');
  expect(await outcome('s3://stays', 'http://127.0.0.1:9')).toBe('bucket-unreachable');
  process.env.AWS_ACCESS_KEY_ID = 'another';
  onTestFinished(() => {
    process.env.AWS_ACCESS_KEY_ID = 'test-key';
  });
  // Stores differ in how they call an unknown key.
  expect(await outcome('s3://stays', server.endpoint)).toMatch(/^bucket-(?:denied|credentials)$/);
});
