/** One publisher at a time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Bucket, BucketError, type Condition, ConditionFailed } from '../../src/publish/bucket.ts';
import { isControlKey, LOCK_KEY } from '../../src/publish/control.ts';
import { type DistSource, openDist } from '../../src/publish/dist-source.ts';
import { openFolder } from '../../src/publish/folder-bucket.ts';
import { describeOwner, isHeld, type LockRecord, readLock, takeLock } from '../../src/publish/lock.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { withRetry } from '../../src/publish/retry.ts';
import { createCatalogue, objects, tree } from './catalogue.ts';
import { type Fault, type FaultyProxy, startProxy } from './proxy.ts';
import { countWrites, recorded } from './recorded.ts';
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

function openTemporary(): Bucket {
  const root = mkdtempSync(join(tmpdir(), 'catalogue-lock-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return openFolder(join(root, 'bucket'));
}

/** As many releases of the same properties as are asked for. */
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
  it.each([2, 10])('%i at once: one publishes, the others say who', { timeout: 600_000 }, async (count) => {
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
      // Whoever comes when it is over has nothing to do.
      if (code === 'unchanged') continue;
      expect(code).toBe('bucket-locked');
      expect(message).toMatch(/^(?:publisher \d|somebody) is publishing to .*--force-unlock\.$/);
    }
    expect(others.some(({ message }) => /^publisher \d is .* since 20.*expires at 20/.test(message))).toBe(
      true,
    );
    expect(await objects(bucket)).toEqual(releases[1]!.objects);
    expect(await readLock(bucket)).toBeUndefined();
  });

  it('ten that try until they may: never two at a time', { timeout: 600_000 }, async () => {
    const bucket = open();
    const releases = await makeReleases(10);
    const log: { publisher: number; key: string }[] = [];
    const publish = async (publisher: number) => {
      const { bucket: watched } = recorded(bucket);
      const logged: Bucket = {
        ...watched,
        async write(key, ...rest) {
          const tag = await watched.write(key, ...rest);
          if (!isControlKey(key)) log.push({ publisher, key });
          return tag;
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

  it('who gets the lock when another has published the same finds nothing to do', async () => {
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
    expect(await readLock(bucket)).toBeUndefined();
  });

  it('is taken with two writes, and with two that have to be refused', async () => {
    const { bucket, requests } = recorded(open());
    const lock = await takeLock(bucket, []);
    const [read, write, refused] = ['read', 'write', 'refused'].map((name) => `${name} ${LOCK_KEY}`);
    expect(requests).toEqual([read, write, write, refused, write, refused, write]);
    expect(countWrites(requests)).toBe(2);
    await lock.release();
  });

  it('whoever breaks it while it is taken has it', async () => {
    const bucket = open();
    let thief: Awaited<ReturnType<typeof takeLock>> | undefined;
    let writes = 0;
    const raced: Bucket = {
      ...bucket,
      async write(key, ...rest) {
        if (writes++ === 3) thief = await takeLock(bucket, [], { owner: 'thief', force: true });
        return bucket.write(key, ...rest);
      },
    };
    await expect(takeLock(raced, [])).rejects.toMatchObject({
      code: 'bucket-locked',
      message: expect.stringMatching(/^thief is publishing/),
    });
    expect((await readLock(bucket))!.record.owner).toBe('thief');
    await thief!.release();
  });

  it('is renewed while it is held, and given back', async () => {
    const bucket = open();
    const lock = await takeLock(bucket, ['0123456789abcdef0123456789abcdef'], {
      owner: 'one',
      duration: 900,
    });
    const first = (await readLock(bucket))!.record;
    await sleep(1500);
    lock.assertHeld();
    const second = (await readLock(bucket))!.record;
    expect(second).toEqual({ ...first, expires: second.expires });
    expect(Date.parse(second.expires)).toBeGreaterThan(Date.parse(first.expires));
    await expect(takeLock(bucket, [], { owner: 'other' })).rejects.toMatchObject({ code: 'bucket-locked' });
    await lock.release();
    expect(await readLock(bucket)).toBeUndefined();
  });

  it('is taken over when it has expired, or by force; whoever lost it knows', async () => {
    const bucket = open();
    const left: LockRecord = {
      owner: 'gone',
      token: 'x',
      started: '2026-01-01T00:00:00.000Z',
      expires: '2026-01-01T00:01:00.000Z',
      releases: ['a'.repeat(32)],
    };
    const headers = { contentType: 'application/json', cacheControl: 'no-store' };
    await bucket.write(LOCK_KEY, Buffer.from(JSON.stringify(left)), headers);
    const lock = await takeLock(bucket, ['b'.repeat(32)], { duration: 600 });
    expect(lock.found?.record).toEqual(left);
    expect((await readLock(bucket))!.record.releases).toEqual(['b'.repeat(32), 'a'.repeat(32)]);
    const thief = await takeLock(bucket, [], { force: true });
    await sleep(700);
    expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'lock-lost' }));
    await expect(lock.release()).rejects.toMatchObject({ code: 'lock-lost' });
    await lock.abandon();
    thief.assertHeld();
    await thief.release();
    await bucket.write(LOCK_KEY, Buffer.from('{"owner":'), headers);
    await (await takeLock(bucket, [])).release();
  });

  it('is broken by force also when it is renewed meanwhile, but not when another took it', async () => {
    const bucket = open();
    const lock = await takeLock(bucket, ['a'.repeat(32)], { owner: 'one' });
    const meanwhile = (work: () => Promise<unknown>): Bucket => {
      let reads = 0;
      return {
        ...bucket,
        async read(key) {
          const object = await bucket.read(key);
          if (key === LOCK_KEY && reads++ === 0) await work();
          return object;
        },
      };
    };
    const renewed = meanwhile(() => lock.update(['b'.repeat(32)]));
    const thief = await takeLock(renewed, [], { owner: 'thief', force: true });
    expect((await readLock(bucket))!.record).toMatchObject({ owner: 'thief', releases: ['b'.repeat(32)] });
    await expect(lock.release()).rejects.toMatchObject({ code: 'lock-lost' });
    let other: typeof lock | undefined;
    const raced = meanwhile(async () => {
      other = await takeLock(bucket, [], { owner: 'other', force: true });
    });
    await expect(takeLock(raced, [], { owner: 'late', force: true })).rejects.toMatchObject({
      code: 'bucket-locked',
      message: expect.stringMatching(/^other is publishing/),
    });
    await thief.abandon();
    await other!.release();
  });

  it('a publisher that lost its lock writes no manifest', async () => {
    const bucket = open();
    const releases = await makeReleases(2);
    await publishRelease(bucket, releases[0]!.source);
    const stolen: Bucket = {
      ...bucket,
      async write(key, ...rest) {
        if (key.startsWith('_catalogue/pages/') && !isStolen) {
          isStolen = true;
          thief = await takeLock(bucket, [], { force: true });
          await sleep(500);
        }
        return bucket.write(key, ...rest);
      },
    };
    let isStolen = false;
    let thief: Awaited<ReturnType<typeof takeLock>> | undefined;
    const lost = publishRelease(stolen, releases[1]!.source, { concurrency: 1, lock: { duration: 300 } });
    await expect(lost).rejects.toMatchObject({ code: 'lock-lost' });
    expect((await bucket.read('_catalogue/manifest.json'))?.body).toEqual(releases[0]!.source.release.bytes);
    await thief!.release();
  });

  it('a manifest that somebody replaced meanwhile is not replaced again', async () => {
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
  ])('is found out when it %s', async (_name, fault) => {
    const bucket = open();
    proxy.onRequest((_number, { method }) => (method === 'PUT' ? fault : undefined));
    await expect(takeLock(bucket, [])).rejects.toMatchObject({
      code: 'no-conditional-writes',
      message: expect.stringContaining('--no-lock'),
    });
    proxy.onRequest(() => undefined);
    expect(await readLock(bucket)).toBeUndefined();
    await (await takeLock(bucket, [])).release();
  });

  it.each<[string, (condition: Condition) => boolean, string]>([
    [
      'If-None-Match',
      (condition) => 'absent' in condition,
      'a second write with If-None-Match: * was written',
    ],
    ['If-Match', (condition) => 'tag' in condition, 'a write with If-Match of another tag was written'],
  ])(
    'is found out when it ignores %s, and what was found in its place is kept',
    async (_name, isIgnored, message) => {
      const bucket = open();
      proxy.onRequest(() => undefined);
      const half: Bucket = {
        ...bucket,
        write: (key, body, headers, condition) =>
          bucket.write(key, body, headers, condition && isIgnored(condition) ? undefined : condition),
      };
      await expect(takeLock(half, [])).rejects.toMatchObject({ message: expect.stringContaining(message) });
      expect(await readLock(bucket)).toBeUndefined();
      // What an interrupted publish may have left is known afterwards, too.
      await (await takeLock(bucket, ['a'.repeat(32)])).abandon();
      await expect(takeLock(half, [])).rejects.toMatchObject({ message: expect.stringContaining(message) });
      expect(isHeld((await readLock(bucket))!)).toBe(false);
      expect((await readLock(bucket))!.record.releases).toEqual(['a'.repeat(32)]);
    },
  );

  it('is found out when it refuses each If-Match', async () => {
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
    await expect(takeLock(refusing, [])).rejects.toMatchObject(refused);
    expect(await readLock(bucket)).toBeUndefined();
    await (await takeLock(bucket, ['a'.repeat(32)])).abandon();
    const left = await readLock(bucket);
    await expect(takeLock(refusing, [])).rejects.toMatchObject(refused);
    expect(await readLock(bucket)).toEqual(left);
  });

  it('409 is a conflict that passes', async () => {
    let conflicts = 0;
    proxy.onRequest((_number, { method }) => {
      if (method !== 'PUT' || conflicts === 2) return undefined;
      conflicts++;
      return { status: 409, code: 'ConditionalRequestConflict' };
    });
    await (await takeLock(open(), [])).release();
    expect(conflicts).toBe(2);
    proxy.onRequest((_number, { method }) =>
      method === 'PUT' ? { status: 409, code: 'ConditionalRequestConflict' } : undefined,
    );
    await expect(takeLock(open(), [])).rejects.toMatchObject({ code: 'bucket-busy' });
  });

  it('is refused, and published to without a lock', async () => {
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
    // What an interruption leaves is known all the same.
    proxy.onRequest((number) => (number === 9 ? 'outage' : undefined));
    const broken = publishRelease(bucket, releases[0]!.source, { lock: { isExclusive: false } });
    await expect(broken).rejects.toBeInstanceOf(BucketError);
    proxy.onRequest(() => undefined);
    await publishRelease(bucket, releases[1]!.source, { lock: { isExclusive: false } });
    expect(await objects(bucket)).toEqual(releases[1]!.objects);
  });
});

it('the owner is the run of a workflow, or user, machine and process', () => {
  const env = {
    GITHUB_SERVER_URL: 'https://git.example',
    GITHUB_REPOSITORY: 'stays/catalogue',
    GITHUB_RUN_ID: '42',
  };
  expect(describeOwner(env)).toBe('https://git.example/stays/catalogue/actions/runs/42');
  expect(describeOwner({})).toMatch(/^.+@.+ \(process \d+\)$/);
});
