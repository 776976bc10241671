/** Azure Blob Storage, with the emulator of its maker. */

import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { bodyMatchesETag, PART_SIZE, writeBody } from '../../../src/storage/body.ts';
import { type LockLimit, RequestExpired } from '../../../src/storage/bucket.ts';
import { openBucket } from '../../../src/storage/open-bucket.ts';
import { publishByCommand } from '../../publish/command-line.ts';
import { describePublishers } from '../../publish/publishers.ts';
import { type Azure, serveAzure } from '../../support/azure.ts';
import { listKeys } from '../../support/bucket.ts';
import { ROOT } from '../../support/clone.ts';
import { startProxy } from '../../support/proxy.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { describePromises, headers, readsParts, text } from '../promises.ts';

let azure: Azure;
beforeAll(async () => {
  azure = await serveAzure();
  return azure.close;
});

const limitOf = (remaining: () => number, signal = new AbortController().signal): LockLimit => ({
  holder: 'one',
  remaining,
  signal,
  ready: async () => {},
  unsettled: () => {},
});

/** A bucket behind a proxy, which delays the next request. */
async function openLate(prefix: string) {
  const proxy = await startProxy(azure.endpoint);
  onTestFinished(proxy.stop);
  const bucket = await azure.open(prefix, { endpoint: proxy.endpoint, retry: { attempts: 1 } });
  await bucket.write('lock', text('1'), headers);
  proxy.onRequest(() => 'late');
  return { bucket, proxy };
}

describePromises('Azure Blob Storage', () => azure.open());
describePublishers('Azure Blob Storage', () => azure.open());

it('reads an object in parts, and no part of an object that was replaced', async () =>
  readsParts(await azure.open()));

it('gives the times of the store', async () => {
  const bucket = await azure.open();
  await bucket.write('a', text('same'), headers);
  const present = await bucket.read('a');
  expect(Math.abs(Date.now() - present!.time!.getTime())).toBeLessThan(60_000);
  expect(Math.abs(Date.now() - present!.modified!.getTime())).toBeLessThan(60_000);
});

it('keeps headers, and the bytes of compressed objects', async () => {
  const bucket = await azure.open();
  const packed = gzipSync('property '.repeat(1000));
  const kept = { ...headers, contentEncoding: 'gzip' };
  const { tag } = await bucket.write('list.json', packed, kept);
  expect((await bucket.read('list.json'))?.body.equals(packed)).toBe(true);
  expect(await bucket.inspect('list.json')).toMatchObject({ size: packed.length, headers: kept, tag });
});

it('writes a large object in blocks, and nothing of one that breaks off', async () => {
  const bucket = await azure.open();
  const bytes = Buffer.alloc(2 * PART_SIZE + 12_345, 'property ');
  const body = { size: bytes.length, read: async (from: number, to: number) => bytes.subarray(from, to) };
  const { tag } = await writeBody(bucket, 'all é.ndjson', body, headers);
  expect(await bodyMatchesETag(tag, body)).toBe(true);
  const present = await bucket.read('all é.ndjson');
  expect(present?.body.equals(bytes)).toBe(true);
  expect(present?.tag).toBe(tag);
  expect(await bucket.inspect('all é.ndjson')).toMatchObject({ headers, size: bytes.length });
  for await (const { tag: listed } of bucket.list('')) expect(await bodyMatchesETag(listed, body)).toBe(true);
  const failing = { ...body, read: () => Promise.reject(new Error('gone')) };
  await expect(bucket.writeLarge!('cut', failing, headers)).rejects.toThrow('gone');
  expect(await listKeys(bucket)).toEqual(['all é.ndjson']);
});

it('lists more than one page of keys', async () => {
  const bucket = await azure.open(undefined, { listed: 3 });
  const all = Array.from({ length: 10 }, (_, index) => `k${index} ü`);
  for (const key of all) await bucket.write(key, text('x'), headers);
  expect(await listKeys(bucket)).toEqual(all);
  expect(await listKeys(bucket, '', 'k4 ü')).toEqual(all.slice(5));
});

it('a request that arrives after its limit has no effect', async () => {
  const { bucket, proxy } = await openLate('late');
  const late = bucket.limited(limitOf(() => 1500)).write('lock', text('2'), headers);
  await expect(late).rejects.toThrow(RequestExpired);
  expect(proxy.exchanges.map(({ method, status }) => [method, status])).toEqual([['PUT', 403]]);
  expect((await (await azure.open('late')).read('lock'))?.body.toString()).toBe('1');
});

it('an object in blocks is not made after the limit of its last request', async () => {
  const { bucket, proxy } = await openLate('blocks');
  proxy.onRequest((_index, { path }) => (path.includes('comp=blocklist') ? 'late' : undefined));
  const bytes = Buffer.alloc(PART_SIZE + 1);
  const body = { size: bytes.length, read: async (from: number, to: number) => bytes.subarray(from, to) };
  const limited = bucket.limited(limitOf(() => 2500));
  await expect(limited.writeLarge!('large', body, headers)).rejects.toThrow(RequestExpired);
  expect(await listKeys(await azure.open('blocks'))).toEqual(['lock']);
});

it('a request in flight ends with its lock', async () => {
  const { bucket } = await openLate('lost');
  const abort = new AbortController();
  const late = bucket.limited(limitOf(() => 30_000, abort.signal)).read('lock');
  setTimeout(() => abort.abort(new Error('the lock is lost')), 500);
  await expect(late).rejects.toThrow('the lock is lost');
  const expired = bucket.limited(limitOf(() => 0)).write('lock', text('2'), headers);
  await expect(expired).rejects.toThrow(RequestExpired);
});

it('publish, change, roll back and prune by the command line', { timeout: 600_000 }, async () => {
  await publishByCommand(await azure.open('live'), ['az://stays/live', '--endpoint', azure.endpoint]);
});

it('says how to install the package of Azure', () => {
  // Nothing is installed above this copy of the program.
  const folder = temporaryFolder();
  cpSync(join(ROOT, 'lib'), join(folder, 'lib'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const args = [join(folder, 'lib/cli.js'), 'releases', 'az://stays'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    3,
    'azure-package-missing: Azure Blob Storage needs a package that is not installed. Run "npm install @azure/storage-blob", then run the command again.\n',
  ]);
});

it('names a missing container, a wrong key, and an account without a key', async () => {
  const outcome = async (target: string, env: Record<string, string | undefined> = {}) => {
    const before = { ...process.env };
    onTestFinished(() => {
      process.env = before;
    });
    process.env = { ...before, ...env };
    try {
      const { bucket, close } = await openBucket(target, {
        endpoint: azure.endpoint,
        retry: { attempts: 1 },
      });
      onTestFinished(close);
      return [await bucket.inspect('a').catch(codeOf), await bucket.read('a').catch(codeOf)];
    } catch (error) {
      return codeOf(error);
    } finally {
      process.env = before;
    }
  };
  const codeOf = (error: unknown) => (error as { code: string }).code;
  expect(await outcome('az://nothing-here')).toEqual(['bucket-missing', 'bucket-missing']);
  const wrong = { AZURE_STORAGE_KEY: Buffer.alloc(64).toString('base64') };
  // Azurite has another name for a wrong signature than Azure.
  expect(await outcome('az://stays', wrong)).toEqual(['bucket-denied', 'bucket-denied']);
  const text = azure.service.url;
  const signed = `BlobEndpoint=${text};SharedAccessSignature=sv=2024&sig=x`;
  const none = { AZURE_STORAGE_KEY: undefined, AZURE_STORAGE_CONNECTION_STRING: signed };
  expect(await outcome('az://stays', none)).toBe('bucket-credentials');
  const key = `DefaultEndpointsProtocol=http;AccountName=${process.env.AZURE_STORAGE_ACCOUNT};AccountKey=${process.env.AZURE_STORAGE_KEY}`;
  const whole = {
    AZURE_STORAGE_KEY: undefined,
    AZURE_STORAGE_CONNECTION_STRING: `${key};BlobEndpoint=${text}`,
  };
  expect(await outcome('az://stays', whole)).toEqual([undefined, undefined]);
});
