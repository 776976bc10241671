/** A store like Ceph 16, which spells tags in its own way, and fails on overlapping writes. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Bucket, ConditionFailed } from '../../../src/storage/bucket.ts';
import { takeLease } from '../../../src/storage/lease.ts';
import { withRetry } from '../../../src/storage/retry.ts';
import { openAnswering, type Reply, type Sent } from './answering.ts';

/**
 * A store like Ceph 16: `If-Match` accepts tags without their quotes, and of overlapping writes of one object
 * all but one are answered with `500 UnknownError`.
 *
 * @param held the promise for which the answer to a request waits.
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
    const { method, path: key, headers: sent, body } = request;
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

it('is found to honour conditions by many simultaneous attempts', async () => {
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

it('accepts a tag in its own spelling, even from a write that began before the spelling was known', async () => {
  let known: () => void = () => {};
  const isKnown = new Promise<void>((resolve) => {
    known = resolve;
  });
  const quoted: string[] = [];
  const bucket = await openLikeCeph(({ path, headers: { 'if-match': tag } }) => {
    if (tag?.startsWith('"')) quoted.push(path);
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
