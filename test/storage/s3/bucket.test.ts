/** What goes over the wire to S3, seen from a server that writes down what it is sent. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bucket, ConditionFailed } from '../../../src/storage/bucket.ts';
import { takeLease } from '../../../src/storage/lease.ts';
import { withRetry } from '../../../src/storage/retry.ts';
import { openS3 } from '../../../src/storage/s3/bucket.ts';
import { serveLoopback } from '../../loopback.ts';

type Sent = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };
type Reply = { status: number; headers?: Record<string, string>; body?: string };

/** A bucket on a server that answers as the test says. */
async function openAnswering(answer: (sent: Sent) => Reply | Promise<Reply>) {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
  const endpoint = await serveLoopback(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = incoming;
    const reply = await answer({ method, path: url, headers, body: Buffer.concat(chunks) });
    outgoing.writeHead(reply.status, reply.headers).end(reply.body);
  });
  const { bucket, close } = openS3({ bucket: 'stays', prefix: '', endpoint });
  onTestFinished(close);
  return bucket;
}

/** A server that answers every request with one entity tag. */
async function openRecorded(tag: (body: Buffer) => string) {
  const sent: Sent[] = [];
  const bucket = await openAnswering((request) => {
    sent.push(request);
    return { status: 200, headers: { ETag: tag(request.body) } };
  });
  return { bucket, sent };
}

/**
 * A store as Ceph 16 is one: `If-Match` takes tags without their quotes, and of writes of one object that overlap
 * all but one are answered with `500 UnknownError`.
 *
 * @param held what the answer to a request waits for.
 */
function openLikeCeph(held: (sent: Sent) => Promise<unknown> | undefined = () => undefined) {
  const objects = new Map<string, Buffer>();
  const versions = new Map<string, number>();
  const error = (status: number, code: string): Reply => ({
    status,
    headers: { 'Content-Type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><BucketName>stays</BucketName></Error>`,
  });
  return openAnswering(async (request) => {
    await held(request);
    const { method, path, headers: sent, body } = request;
    const key = path.replace(/\?.*/, '');
    const present = objects.get(key);
    if (method !== 'PUT') {
      if (!present) return error(404, 'NoSuchKey');
      const found = { ETag: hash(present), 'Content-Length': String(present.length) };
      return { status: 200, headers: found, ...(method === 'GET' ? { body: present.toString() } : {}) };
    }
    const wanted = sent['if-match'];
    if (sent['if-none-match'] === '*' && present) return error(412, 'PreconditionFailed');
    if (wanted !== undefined && (!present || wanted !== hash(present).slice(1, -1)))
      return error(412, 'PreconditionFailed');
    const version = versions.get(key) ?? 0;
    await sleep(10);
    if ((versions.get(key) ?? 0) !== version) return error(500, 'UnknownError');
    versions.set(key, version + 1);
    objects.set(key, body);
    return { status: 200, headers: { ETag: hash(body) } };
  });
}

const hash = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;
const headers = { contentType: 'application/json', cacheControl: 'public, max-age=60' };

it('every body goes with its digest, which the signature covers, and with its headers', async () => {
  const { bucket, sent } = await openRecorded(hash);
  const body = Buffer.from('{"title":"Rose Cottage"}');
  await bucket.write('a.json', body, headers);
  expect(sent).toHaveLength(1);
  const [{ headers: received, body: arrived }] = sent as [Sent];
  expect(arrived).toEqual(body);
  expect(received['content-md5']).toBe(createHash('md5').update(body).digest('base64'));
  const query = new URL(sent[0]!.path, 'http://store').searchParams;
  expect(query.get('X-Amz-SignedHeaders')).toBe(
    'cache-control;content-md5;content-type;host;x-amz-content-sha256',
  );
  expect(received.authorization).toBeUndefined();
  expect(received).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=60',
  });
});

it('a body that has another hash on the server did not arrive', async () => {
  const { bucket } = await openRecorded(() => hash(Buffer.from('something else')));
  await expect(bucket.write('a.json', Buffer.from('{}'), headers)).rejects.toThrow('a.json arrived damaged');
});

describe('what is no store', () => {
  it.each([
    ['text/html', '<!doctype html><title>Please log in</title>'],
    ['application/json', '{"ok":true}'],
    ['text/plain', ''],
  ])('and answers 200 with %s to all, does not count as one (A16)', async (type, body) => {
    const bucket = await openAnswering(() => ({ status: 200, headers: { 'Content-Type': type }, body }));
    const expected = { code: 'bucket-not-s3', isTransient: false, message: expect.stringContaining(type) };
    await expect(bucket.write('a.json', Buffer.from('{}'), headers)).rejects.toMatchObject(expected);
    await expect(bucket.read('a.json')).rejects.toMatchObject(expected);
    await expect(bucket.inspect('a.json')).rejects.toMatchObject(expected);
    await expect(bucket.list('')[Symbol.asyncIterator]().next()).rejects.toMatchObject(expected);
    await expect(bucket.remove(['a.json'])).rejects.toMatchObject(expected);
  });
});

it('a store that removes one object at a time is asked so, and from then on at once', async () => {
  const asked: string[] = [];
  const bucket = await openAnswering(({ method, path }) => {
    asked.push(`${method} ${path.replace(/\?.*/, '')}`);
    return { status: method === 'POST' ? 501 : 204 };
  });
  await bucket.remove(['a', 'b']);
  await bucket.remove(['c']);
  expect(asked).toEqual(['POST /stays', 'DELETE /stays/a', 'DELETE /stays/b', 'DELETE /stays/c']);
});

it('objects that could not be removed are named', async () => {
  const errors =
    '<Error><Key>a</Key><Code>SlowDown</Code></Error><Error><Key>b</Key><Code>NoSuchKey</Code></Error>';
  let body = `<DeleteResult>${errors}</DeleteResult>`;
  const bucket = await openAnswering(() => ({ status: 200, body }));
  await expect(bucket.remove(['a', 'b'])).rejects.toMatchObject({
    isTransient: true,
    message: 's3://stays did not remove a: SlowDown',
  });
  body = body.replace('SlowDown', 'NoSuchKey');
  await bucket.remove(['a', 'b']);
});

it('a listing is read as servers of several makers write it', async () => {
  const object = (key: string, tag: string) =>
    `<Contents><Key>${key}</Key><LastModified>2026-11-22T10:00:00.000Z</LastModified><ETag>${tag}</ETag><Size>2</Size></Contents>`;
  const pages = [
    `<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b</NextContinuationToken>${object('_catalogue/S%C3%A3o+Paulo%2B1', '&#34;1&#34;')}`,
    `<IsTruncated>false</IsTruncated>${object('0123', '&quot;2&quot;')}${object(' a%20b', '"3"')}`,
  ];
  const tokens: (string | null)[] = [];
  const bucket = await openAnswering(({ path }) => {
    tokens.push(new URL(path, 'http://store').searchParams.get('continuation-token'));
    return {
      status: 200,
      body: `<?xml version="1.0"?>\n<ListBucketResult xmlns="x">${pages[tokens.length - 1]}</ListBucketResult>`,
    };
  });
  const found: string[] = [];
  for await (const { key, tag, size } of bucket.list('')) found.push(`${key} ${tag} ${size}`);
  expect(found).toEqual(['_catalogue/São Paulo+1 "1" 2', '0123 "2" 2', ' a%20b "3" 2']);
  expect(tokens).toEqual([null, 'a&b']);
});

describe('a store like Ceph', () => {
  it('is found to honour conditions by many who try at once', async () => {
    const bucket = await openLikeCeph();
    const below = (prefix: string): Bucket => ({
      ...bucket,
      read: (key) => bucket.read(`${prefix}/${key}`),
      write: (key, ...rest) => bucket.write(`${prefix}/${key}`, ...rest),
    });
    const locks = await Promise.all(
      Array.from({ length: 10 }, (_, n) => takeLease(below(`${n}`), { isUsed: false })),
    );
    await Promise.all(locks.map((lock) => lock.finish({ manifest: null, due: null })));
    await (await takeLease(below('0'))).abandon();
  });

  it('takes a tag in its own spelling, also from a write that began before that was known', async () => {
    let known: () => void = () => {};
    const isKnown = new Promise<void>((resolve) => {
      known = resolve;
    });
    const quoted: string[] = [];
    const bucket = await openLikeCeph(({ path, headers: { 'if-match': tag } }) => {
      if (tag?.startsWith('"')) quoted.push(path.replace(/\?.*/, ''));
      return tag?.startsWith('"') && path.includes('late') ? isKnown : undefined;
    });
    const tags = await Promise.all(
      ['late', 'early'].map(async (key) => (await bucket.write(key, Buffer.from('one'), headers)).tag),
    );
    const late = bucket.write('late', Buffer.from('two'), headers, { tag: tags[0]! });
    await bucket.write('early', Buffer.from('two'), headers, { tag: tags[1]! });
    known();
    await late;
    await bucket.write('early', Buffer.from('three'), headers, { tag: hash(Buffer.from('two')) });
    expect(quoted.sort()).toEqual(['/stays/early', '/stays/late']);
    await expect(bucket.write('late', Buffer.from('x'), headers, { tag: tags[0]! })).rejects.toThrow(
      ConditionFailed,
    );
  });

  it.each([
    ['a new object', undefined],
    ['one that is replaced', 'first'],
  ])('lets one of many win a conditional write of %s', async (_name, first) => {
    const bucket = withRetry(await openLikeCeph(), { delay: 1 });
    const condition =
      first === undefined
        ? { absent: true as const }
        : { tag: (await bucket.write('lock', Buffer.from(first), headers)).tag };
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        bucket.write('lock', Buffer.from(`publisher ${index}`), headers, condition).then(
          () => `publisher ${index}`,
          (error: unknown) => error,
        ),
      ),
    );
    const [winner, ...others] = outcomes.filter((outcome) => typeof outcome === 'string');
    expect(others).toEqual([]);
    expect((await bucket.read('lock'))?.body.toString()).toBe(winner);
    for (const outcome of outcomes) if (outcome !== winner) expect(outcome).toBeInstanceOf(ConditionFailed);
  });
});
