/** The totals of the CloudFront Function follow a publication (A1). */
import { createPublicKey, verify } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { createKeyValueStorePurger } from '../../../src/publish/purge/key-value-store.ts';
import { deriveV4aKey } from '../../../src/publish/purge/signature-v4a.ts';
import { sha256 } from '../../../src/storage/s3/signature.ts';
import { serveLoopback } from '../../support/loopback.ts';
import { idOf, makeSource } from '../made.ts';

const ARN = 'arn:aws:cloudfront::123456789012:key-value-store/0f3c';
const PATH = `/key-value-stores/${encodeURIComponent(ARN)}`;
const ACCOUNT = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };

beforeEach(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' });
});

type Change = { Key: string; Value?: string };

/** A store that judges tags and signatures, and gives two entries a page. */
async function startStore(held: Map<string, string>, lost: readonly number[] = [], change?: () => void) {
  let version = 1;
  const batches: { Puts: Change[]; Deletes: Change[] }[] = [];
  const endpoint = await serveLoopback(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const { headers, method = '' } = incoming;
    const [path = '', search = ''] = (incoming.url ?? '').split('?');
    const [, names = '', signature = ''] =
      /SignedHeaders=([^,]+), Signature=(.+)$/.exec(headers.authorization ?? '') ?? [];
    const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`);
    const canonical = `${method}\n${path.split('/').map(encodeURIComponent).join('/')}\n${search}\n${lines.join('')}\n${names}\n${sha256(body)}`;
    const date = String(headers['x-amz-date']);
    const text = `AWS4-ECDSA-P256-SHA256\n${date}\n${date.slice(0, 8)}/cloudfront-keyvaluestore/aws4_request\n${sha256(canonical)}`;
    const key = createPublicKey(deriveV4aKey(ACCOUNT));
    const isSigned = verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'hex'));
    const send = (status: number, answer: object) =>
      outgoing.writeHead(status, { ETag: `v${version}` }).end(JSON.stringify(answer));
    if (!isSigned || headers['x-amz-region-set'] !== '*') return send(403, {});
    if (path === PATH) return send(200, {});
    if (path !== `${PATH}/keys`) return send(404, {});
    if (method === 'GET') {
      const from = Number(new URLSearchParams(search).get('NextToken') ?? 0);
      const Items = [...held].slice(from, from + 2).map(([Key, Value]) => ({ Key, Value }));
      return send(200, { Items, ...(from + 2 < held.size ? { NextToken: String(from + 2) } : {}) });
    }
    if (change) {
      change();
      version++;
    }
    if (headers['if-match'] !== `v${version}`) return send(409, {});
    version++;
    const batch = JSON.parse(body) as (typeof batches)[number];
    batches.push(batch);
    for (const { Key } of batch.Deletes) held.delete(Key);
    for (const { Key, Value = '' } of batch.Puts) held.set(Key, Value);
    // The store changed, but its answer is lost.
    if (lost.includes(batches.length)) return void outgoing.destroy();
    return send(200, {});
  });
  return { endpoint, batches };
}

function release(cities: string[]) {
  const properties = cities.map((city, index) => ({
    id: idOf(index + 1),
    title: 'House',
    city,
    country: 'IE',
  }));
  return makeSource({ properties }).release;
}

const scope = (city: string) => `-/${Buffer.from(city).toString('hex')}`;

it('gets the total of a new city, loses one that is gone, and names the release last (A1)', async () => {
  const held = new Map<string, string>();
  const { endpoint, batches } = await startStore(held);
  const store = createKeyValueStorePurger(ARN, { endpoint, delay: 1 });
  const first = release(['Cork', 'Galway']);
  await store.purge({ paths: [], release: first });
  expect(held.get(scope('Galway'))).toBe('1');
  expect(held.get('not-found')).toMatch(/^404 \{/);
  expect(held.get('release')).toBe(first.name);
  const second = release(['Cork', 'Athlone', 'Athlone']);
  batches.length = 0;
  const changed = await store.purge({ paths: [], release: second });
  expect(held.get(scope('Athlone'))).toBe('2');
  expect(held.get('-/-')).toBe('3');
  expect(held.has(scope('Galway'))).toBe(false);
  expect(changed.at(-1)).toBe('release');
  expect(batches).toHaveLength(1);
  expect(await store.isStale!(second)).toBe(false);
  expect(await store.isStale!(first)).toBe(true);
  expect(await store.purge({ paths: undefined, release: second })).toEqual([]);
  expect(await store.purge({ paths: undefined })).toEqual([]);
});

it('is changed in batches of fifty, the name of the release in the last', async () => {
  const { endpoint, batches } = await startStore(new Map());
  await createKeyValueStorePurger(ARN, { endpoint, delay: 1 }).purge({
    paths: [],
    release: release(Array.from({ length: 60 }, (_, index) => `City ${index}`)),
  });
  expect(batches.length).toBeGreaterThan(2);
  for (const { Puts, Deletes } of batches) expect(Puts.length + Deletes.length).toBeLessThanOrEqual(50);
  expect(batches.at(-1)!.Puts.at(-1)!.Key).toBe('release');
});

it('is up to date although answers to changes were lost', async () => {
  const held = new Map<string, string>();
  const { endpoint, batches } = await startStore(held, [1, 3]);
  const wanted = release(Array.from({ length: 120 }, (_, index) => `City ${index}`));
  const store = createKeyValueStorePurger(ARN, { endpoint, delay: 1 });
  const changed = await store.purge({ paths: [], release: wanted });
  expect([changed.length, batches.length]).toEqual([held.size, Math.ceil(held.size / 50)]);
  expect(await store.isStale!(wanted)).toBe(false);
});

it('fails where another program changed it meanwhile', async () => {
  const held = new Map<string, string>();
  const { endpoint, batches } = await startStore(held, [], () => void held.set('other', '1'));
  await expect(
    createKeyValueStorePurger(ARN, { endpoint, delay: 1 }).purge({ paths: [], release: release(['Cork']) }),
  ).rejects.toThrow('(Error: 409 without a code)');
  expect([batches, held.size]).toEqual([[], 1]);
});

it('refuses what is no ARN, and reports a store that refuses', async () => {
  expect(() => createKeyValueStorePurger('stays')).toThrow('is not the ARN');
  const endpoint = await serveLoopback((_, outgoing) => outgoing.writeHead(403).end());
  await expect(
    createKeyValueStorePurger(ARN, { endpoint, delay: 1 }).purge({
      paths: [],
      release: release(['Cork']),
    }),
  ).rejects.toMatchObject({ code: 'invalidation-failed' });
});

it('keeps entries of an owner, with a slash or without', async () => {
  const others = ['a/b', 'IE', '-/-/-', 'ie/-', 'IE/xyz', 'IE/abc', 'redirect/old', '/', 'IE/'];
  const held = new Map([...others, 'FR/-', '-/436f726b', 'IE/-'].map((key) => [key, 'mine']));
  const { endpoint } = await startStore(held);
  const wanted = release(['Galway']);
  await createKeyValueStorePurger(ARN, { endpoint }).purge({ paths: [], release: wanted });
  for (const key of others) expect([key, held.get(key)]).toEqual([key, 'mine']);
  expect([held.has('FR/-'), held.has('-/436f726b'), held.get('IE/-')]).toEqual([false, false, '1']);
});

it.each([
  ['an emptied store', (held: Map<string, string>) => held.clear()],
  ['a changed total', (held: Map<string, string>) => held.set('-/-', '7')],
  ['a lost problem', (held: Map<string, string>) => held.delete('not-found')],
  ['another release', (held: Map<string, string>) => held.set('release', 'x')],
  ['a scope that is gone', (held: Map<string, string>) => held.set('FR/-', '1')],
])('finds and repairs %s', async (_, damage) => {
  const held = new Map<string, string>();
  const { endpoint } = await startStore(held);
  const store = createKeyValueStorePurger(ARN, { endpoint });
  const wanted = release(['Cork']);
  await store.purge({ paths: [], release: wanted });
  const whole = new Map(held);
  damage(held);
  expect(await store.isStale!(wanted)).toBe(true);
  await store.purge({ paths: [], release: wanted });
  expect(new Map([...held].sort())).toEqual(new Map([...whole].sort()));
});

it.each([
  ['{"__type":"AccessDeniedException","Message":"not you"}', {}, 403, '403 AccessDeniedException not you', 1],
  [
    '{"message":"gone"}',
    { 'x-amzn-errortype': 'ResourceNotFoundException:http://x/' },
    404,
    '404 ResourceNotFoundException gone',
    1,
  ],
  ['{"__type":"com.amazonaws#ThrottlingException"}', {}, 400, '400 ThrottlingException', 5],
  ['null', {}, 409, '409 without a code', 1],
  ['<html>', {}, 502, '502 without a code', 5],
])('reports the error %s', async (body, headers, status, message, attempts) => {
  let count = 0;
  const endpoint = await serveLoopback((_, outgoing) => {
    count++;
    outgoing.writeHead(status, headers).end(body);
  });
  const store = createKeyValueStorePurger(ARN, { endpoint, delay: 1 });
  await expect(store.purge({ paths: [], release: release(['Cork']) })).rejects.toThrow(`(Error: ${message})`);
  expect(count).toBe(attempts);
});
