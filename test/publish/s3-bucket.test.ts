/** What goes over the wire to S3, seen from a server that writes down what it is sent. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bucket, ConditionFailed } from '../../src/publish/bucket.ts';
import { takeLock } from '../../src/publish/lock.ts';
import { withRetry } from '../../src/publish/retry.ts';
import { openS3 } from '../../src/publish/s3-bucket.ts';
import { serveLoopback } from '../loopback.ts';

type Sent = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };
type Reply = { status: number; headers?: Record<string, string>; body?: string };

/** A bucket on a server that answers as it is told. */
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

it('every body goes with its SHA-256, which the signature covers, and with its headers', async () => {
  const { bucket, sent } = await openRecorded(hash);
  const body = Buffer.from('{"title":"Rose Cottage"}');
  await bucket.write('a.json', body, headers);
  expect(sent).toHaveLength(1);
  const [{ headers: received, body: arrived }] = sent as [Sent];
  expect(arrived).toEqual(body);
  expect(received['x-amz-content-sha256']).toBe(createHash('sha256').update(body).digest('hex'));
  expect(received.authorization).toMatch(/SignedHeaders=[^,]*x-amz-content-sha256/);
  expect(received).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=60',
  });
});

it('a body of which the server has another hash did not arrive', async () => {
  const { bucket } = await openRecorded(() => hash(Buffer.from('something else')));
  await expect(bucket.write('a.json', Buffer.from('{}'), headers)).rejects.toThrow('a.json arrived damaged');
});

describe('a store like Ceph', () => {
  it('is found to honour conditions by many who try at once', async () => {
    const bucket = await openLikeCeph();
    const below = (prefix: string): Bucket => ({
      ...bucket,
      read: (key) => bucket.read(`${prefix}/${key}`),
      write: (key, ...rest) => bucket.write(`${prefix}/${key}`, ...rest),
    });
    const locks = await Promise.all(Array.from({ length: 10 }, (_, n) => takeLock(below(`${n}`), [])));
    for (const lock of locks) lock.assertHeld();
    await Promise.all(locks.map((lock) => lock.abandon()));
    await (await takeLock(below('0'), [])).abandon();
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
