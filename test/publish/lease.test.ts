/** One publisher at a time. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type DistSource, openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { type Bucket, BucketError, type Condition, ConditionFailed } from '../../src/storage/bucket.ts';
import { takeLease } from '../../src/storage/lease.ts';
import { isAtRest, readLease } from '../../src/storage/lease-record.ts';
import { isControlKey, LOCK_KEY } from '../../src/storage/reserved-keys.ts';
import { withRetry } from '../../src/storage/retry.ts';
import { openTemporary } from '../support/buckets.ts';
import { createCatalogue, objects, tree } from './catalogue.ts';
import { type Fault, type FaultyProxy, startProxy } from './proxy.ts';
import { recorded } from './recorded.ts';
import { type S3Server, startS3 } from './s3-server.ts';

let server: S3Server;
let proxy: FaultyProxy;
beforeAll(async () => {
  server = await startS3();
  proxy = await startProxy(server.endpoint);
});
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});

let prefixes = 0;
/** As a command opens it: some stores answer writes of one object that overlap with "try again". */
function openPrefix(): Bucket {
  const { bucket, close } = server.open(`lock-${prefixes++}`);
  onTestFinished(close);
  return withRetry(bucket);
}

/** The requested number of releases of the same properties. */
async function makeReleases(count: number): Promise<{ source: DistSource; objects: Map<string, string> }[]> {
  const catalogue = createCatalogue(4);
  const releases: { source: DistSource; objects: Map<string, string> }[] = [];
  for (let n = 0; n < count; n++) {
    catalogue.add(1, { title: `Number ${n}` });
    const out = await catalogue.buildTo(`dist-${n}`);
    releases.push({ source: await openDist(out), objects: tree(join(out, 'public')) });
  }
  return releases;
}

describe.each([
  ['a folder', openTemporary],
  ['S3', openPrefix],
])('publishers of %s', (_name, open) => {
  it.each([2, 10])('%i at once: one publishes, the others name it', { timeout: 600_000 }, async (count) => {
    const bucket = open();
    const releases = await makeReleases(2);
    await publishRelease(bucket, releases[0]!.source);
    const outcomes = await Promise.all(
      Array.from({ length: count }, (_, n) =>
        publishRelease(bucket, releases[1]!.source, { lock: { owner: `publisher ${n}` } }).then(
          ({ outcome }) => ({ code: outcome, message: '' }),
          ({ code, message }: { code: string; message: string }) => ({ code, message }),
        ),
      ),
    );
    expect(outcomes.filter(({ code }) => code === 'published')).toHaveLength(1);
    const others = outcomes.filter(({ code }) => code !== 'published');
    for (const { code, message } of others) {
      // A later publisher has nothing to do.
      if (code === 'unchanged') continue;
      expect(code).toBe('bucket-locked');
      expect(message).toMatch(/^(?:publisher \d|another publisher) is publishing to .*--force-unlock/);
    }
    const locked = others.filter(({ code }) => code === 'bucket-locked');
    for (const { message } of locked.slice(0, -1)) expect(message).toMatch(/ since 20/);
    expect(await objects(bucket)).toEqual(releases[1]!.objects);
    expect(isAtRest((await readLease(bucket))!.record)).toBe(true);
  });

  it('ten that wait for the lock never publish two at a time', { timeout: 600_000 }, async () => {
    const bucket = open();
    const releases = await makeReleases(10);
    const log: { publisher: number; key: string }[] = [];
    const publish = async (publisher: number) => {
      const { bucket: watched } = recorded(bucket);
      const logged: Bucket = {
        ...watched,
        async write(key, ...rest) {
          const written = await watched.write(key, ...rest);
          if (!isControlKey(key)) log.push({ publisher, key });
          return written;
        },
      };
      for (;;) {
        try {
          return await publishRelease(logged, releases[publisher]!.source);
        } catch (error) {
          expect(error).toMatchObject({ code: 'bucket-locked' });
          await sleep(10 + Math.random() * 40);
        }
      }
    };
    await Promise.all(releases.map((_release, publisher) => publish(publisher)));
    const turns = log.filter(({ publisher }, index) => log[index - 1]?.publisher !== publisher);
    expect(turns.map(({ publisher }) => publisher).sort((a, b) => a - b)).toEqual(
      releases.map((_one, n) => n),
    );
    expect(await objects(bucket)).toEqual(releases[log.at(-1)!.publisher]!.objects);
  });

  it('a publisher finds nothing to do when another one has published the same before', async () => {
    const bucket = open();
    const releases = await makeReleases(2);
    await publishRelease(bucket, releases[0]!.source);
    let isFirst = true;
    const late: Bucket = {
      ...bucket,
      async write(key, ...rest) {
        if (isFirst) {
          isFirst = false;
          await publishRelease(bucket, releases[1]!.source);
        }
        return bucket.write(key, ...rest);
      },
    };
    const { release } = releases[1]!.source;
    expect(await publishRelease(late, releases[1]!.source)).toMatchObject({
      outcome: 'unchanged',
      release: release.name,
      previous: release.name,
      removed: 0,
      bytes: 0,
    });
    expect(await objects(bucket)).toEqual(releases[1]!.objects);
    expect(isAtRest((await readLease(bucket))!.record)).toBe(true);
  });

  it('a manifest that was replaced meanwhile is not replaced again', async () => {
    const bucket = open();
    const releases = await makeReleases(2);
    await publishRelease(bucket, releases[0]!.source);
    const bytes = Buffer.from(`${releases[0]!.source.release.bytes.toString()} `);
    const raced: Bucket = {
      ...bucket,
      async write(key, ...rest) {
        if (key.startsWith('_catalogue/pages/'))
          await bucket.write('_catalogue/manifest.json', bytes, rest[1]);
        return bucket.write(key, ...rest);
      },
    };
    await expect(publishRelease(raced, releases[1]!.source)).rejects.toMatchObject({
      code: 'manifest-changed',
    });
    expect((await bucket.read('_catalogue/manifest.json'))?.body).toEqual(bytes);
    await publishRelease(bucket, releases[1]!.source);
    expect(await objects(bucket)).toEqual(releases[1]!.objects);
  });
});

/** Takes the lease of a bucket that was never used. */
const take = (bucket: Bucket) => takeLease(bucket, { isUsed: false });

/** Leaves a bucket as an interrupted publish does. */
async function interrupt(bucket: Bucket): Promise<void> {
  const lease = await takeLease(bucket, { isUsed: false, releases: ['a'.repeat(32)] });
  await lease.begin([]);
  await lease.abandon();
}

describe('a store without conditional writes', () => {
  const open = () => {
    const { bucket, close } = server.open(`lock-${prefixes++}`, { endpoint: proxy.endpoint });
    onTestFinished(close);
    return withRetry(bucket, { attempts: 3, delay: 1 });
  };
  const ignoring = (bucket: Bucket): Bucket => ({
    ...bucket,
    write: (key, body, headers) => bucket.write(key, body, headers),
  });

  it.each<[string, Fault]>([
    ['answers 402', { status: 402, code: 'PaymentRequired' }],
    ['answers 400', { status: 400, code: 'InvalidArgument' }],
    ['answers 404', { status: 404, code: 'NotFound' }],
    ['answers 412 to everything', { status: 412, code: 'PreconditionFailed' }],
    ['answers 501', { status: 501, code: 'NotImplemented' }],
  ])('is detected when it %s', async (_name, fault) => {
    const bucket = open();
    proxy.onRequest((_number, { method }) => (method === 'PUT' ? fault : undefined));
    await expect(take(bucket)).rejects.toMatchObject({
      code: 'no-conditional-writes',
      message: expect.stringContaining('--no-lock'),
    });
    proxy.onRequest(() => undefined);
    expect(await readLease(bucket)).toBeUndefined();
    await (await take(bucket)).abandon();
  });

  it.each<[string, (condition: Condition) => boolean, string]>([
    [
      'If-None-Match',
      (condition) => 'absent' in condition,
      'a second write with If-None-Match: * was written',
    ],
    ['If-Match', (condition) => 'tag' in condition, 'a write with If-Match of another tag was written'],
  ])(
    'is detected when it ignores %s, and the object found in its place is kept',
    async (_name, isIgnored, message) => {
      const bucket = open();
      proxy.onRequest(() => undefined);
      const half: Bucket = {
        ...bucket,
        write: (key, body, headers, condition) =>
          bucket.write(key, body, headers, condition && isIgnored(condition) ? undefined : condition),
      };
      await expect(take(half)).rejects.toMatchObject({ message: expect.stringContaining(message) });
      expect((await readLease(bucket))!.record).toMatchObject({ held: false, suspect: false });
      // The possible remains of an interrupted publish are still known afterwards.
      await interrupt(bucket);
      await expect(take(half)).rejects.toMatchObject({ message: expect.stringContaining(message) });
      expect((await readLease(bucket))!.record).toMatchObject({
        held: false,
        suspect: true,
        releases: ['a'.repeat(32)],
      });
    },
  );

  it('is detected when it refuses each If-Match', async () => {
    const bucket = open();
    proxy.onRequest(() => undefined);
    const refusing: Bucket = {
      ...bucket,
      write(key, body, headers, condition) {
        if (condition && 'tag' in condition) throw new ConditionFailed(key);
        return bucket.write(key, body, headers, condition);
      },
    };
    const refused = { message: expect.stringContaining('a write with If-Match of the tag was refused') };
    await expect(take(refusing)).rejects.toMatchObject(refused);
    await bucket.remove([LOCK_KEY]);
    await interrupt(bucket);
    const left = (await readLease(bucket))!.record;
    await expect(take(refusing)).rejects.toMatchObject(refused);
    expect((await readLease(bucket))!.record).toEqual(left);
  });

  it('is not suspected after a 409, which is tried again', async () => {
    let conflicts = 0;
    proxy.onRequest((_number, { method }) => {
      if (method !== 'PUT' || conflicts === 2) return undefined;
      conflicts++;
      return { status: 409, code: 'ConditionalRequestConflict' };
    });
    await (await take(open())).abandon();
    expect(conflicts).toBe(2);
    proxy.onRequest((_number, { method }) =>
      method === 'PUT' ? { status: 409, code: 'ConditionalRequestConflict' } : undefined,
    );
    await expect(take(open())).rejects.toMatchObject({ code: 'bucket-busy' });
  });

  it('is refused, and can be published to without a lock', async () => {
    const releases = await makeReleases(2);
    proxy.onRequest(() => undefined);
    const bucket = ignoring(open());
    await expect(publishRelease(bucket, releases[0]!.source)).rejects.toMatchObject({
      code: 'no-conditional-writes',
      message: expect.stringContaining('a second write with If-None-Match: * was written'),
    });
    expect(await objects(bucket)).toEqual(new Map());
    for (const { source, objects: expected } of releases) {
      await publishRelease(bucket, source, { lock: { isExclusive: false } });
      expect(await objects(bucket)).toEqual(expected);
    }
    // The remains of an interruption are known all the same.
    proxy.onRequest((number) => (number === 9 ? 'outage' : undefined));
    const broken = publishRelease(bucket, releases[0]!.source, { lock: { isExclusive: false } });
    await expect(broken).rejects.toBeInstanceOf(BucketError);
    proxy.onRequest(() => undefined);
    await publishRelease(bucket, releases[1]!.source, { lock: { isExclusive: false } });
    expect(await objects(bucket)).toEqual(releases[1]!.objects);
  });
});
