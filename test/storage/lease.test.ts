/** The lease alone, on a store and a machine whose clocks the test sets. */
import { describe, expect, it } from 'vitest';
import {
  type Bucket,
  BucketError,
  type Condition,
  ConditionFailed,
  type Limit,
  RequestExpired,
} from '../../src/storage/bucket.ts';
import { type Lease, type LeaseOptions, takeLease } from '../../src/storage/lease.ts';
import { type LeaseRecord, parseRecord, readLease, recordBytes } from '../../src/storage/lease-record.ts';
import { CONTROL_HEADERS, LOCK_KEY } from '../../src/storage/reserved-keys.ts';
import { openMemory } from './memory.ts';
import { createVirtualHost, START, type VirtualHost } from './virtual-host.ts';

const RELEASE = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

type Write = {
  readonly key: string;
  readonly condition: Condition | undefined;
  readonly limit: Limit | undefined;
};

/** A store whose clock is a day behind the machine's, and all writes to it. */
function openStore(virtual: VirtualHost, change: Partial<Bucket> = {}) {
  const now = () => new Date(START - 86_400_000 + virtual.passed());
  const memory = openMemory({ name: 's3://stays', now });
  const writes: Write[] = [];
  const bucket: Bucket = {
    ...memory,
    write(key, body, headers, condition, limit) {
      writes.push({ key, condition, limit });
      return memory.write(key, body, headers, condition, limit);
    },
    ...change,
  };
  const record = async () => parseRecord((await memory.read(LOCK_KEY))!.body);
  /** Stores a record of the given age. */
  const leave = async (part: Partial<LeaseRecord>, age = 0) => {
    const left: LeaseRecord = { ...FREE, ...part };
    const { tag } = await memory.write(LOCK_KEY, recordBytes(left), CONTROL_HEADERS);
    await virtual.advance(age);
    return tag;
  };
  return { bucket, memory, writes, record, leave, now };
}

const FREE: LeaseRecord = {
  version: 2,
  held: false,
  owner: 'ann@desk',
  token: 'ann-1',
  epoch: 4,
  renewal: 9,
  since: '2026-01-19T00:00:00.000Z',
  duration: 60_000,
  life: 30_000,
  settled: true,
  releases: [],
  suspect: false,
  manifest: 'c'.repeat(32),
  due: null,
  goal: null,
  readerLife: 0,
  timeline: null,
};

function setUp(change?: (virtual: VirtualHost) => Partial<Bucket>) {
  const virtual = createVirtualHost();
  const store = openStore(virtual, change?.(virtual));
  const notes: string[] = [];
  const take = (options: LeaseOptions = {}): Promise<Lease> =>
    takeLease(store.bucket, { host: virtual.host, note: (text) => notes.push(text), ...options });
  return { virtual, notes, take, ...store };
}

describe('taking a lease', () => {
  it('that never existed: proved in five requests, without waiting', async () => {
    const { take, writes, record, virtual, notes } = setUp();
    const lease = await take({ isUsed: async () => false, releases: [RELEASE] });
    const { condition: last } = writes.at(-1)!;
    expect(writes.map(({ condition }) => condition)).toEqual([
      { absent: true },
      { absent: true },
      { tag: '"00000000000000000000000000000000"' },
      last,
    ]);
    expect(last).toMatchObject({ tag: expect.stringMatching(/^"[0-9a-f]{32}"$/) });
    expect(await record()).toEqual({
      version: 2,
      held: true,
      owner: 'tester',
      token: 'tester-1',
      epoch: 1,
      renewal: 2,
      since: new Date(START).toISOString(),
      duration: 60_000,
      life: 30_000,
      settled: true,
      releases: [RELEASE],
      suspect: true,
      manifest: null,
      due: null,
      goal: null,
      readerLife: 0,
      timeline: null,
    });
    expect([virtual.sleeps, notes]).toEqual([[], []]);
    expect(lease.isExclusive).toBe(true);
    expect(lease.remains).toEqual({
      releases: [],
      suspect: false,
      manifest: null,
      due: null,
      goal: null,
      readerLife: 0,
      timeline: null,
    });
  });

  it('that was removed: waits, because its last holder may still be active', async () => {
    const { take, virtual, notes } = setUp();
    const lease = await take();
    expect(virtual.sleeps).toEqual([47_667]);
    expect(notes).toEqual([
      'Requests of an earlier publish may still arrive at s3://stays: waiting 48 s, until it refuses them.',
    ]);
    expect(lease.remains).toEqual({
      releases: [],
      suspect: true,
      manifest: null,
      due: null,
      goal: null,
      readerLife: 0,
      timeline: null,
    });
  });

  const process = { pid: 7, host: 'desk', started: '1', boot: 'b', namespace: 'n' };

  it.each([
    ['no fence: at once, and waits for its requests', undefined, [43_267]],
    ['a fence: at once, without a wait', () => ({ fence: async () => {} }), []],
  ])('of a process of this machine that has ended, on a store with %s', async (_, change, sleeps) => {
    const { take, virtual, leave, record } = setUp(change);
    await leave({ held: true, process }, 5000);
    virtual.host.hasEnded = (one) => one.pid === process.pid;
    await take();
    expect(virtual.sleeps).toEqual(sleeps);
    expect((await record()).token).toBe('tester-1');
  });

  it('of a process that runs, or that cannot be told: not at once', async () => {
    const { take, virtual, leave } = setUp();
    virtual.host.hasEnded = ({ pid }) => pid !== process.pid;
    for (const one of [process, undefined, { ...process, pid: -1 }, { ...process, boot: 5 as never }]) {
      await leave({ held: true, process: one });
      await expect(take()).rejects.toMatchObject({ code: 'bucket-locked' });
    }
  });

  it('not when the process was asked to end', async () => {
    const { take, virtual, writes } = setUp();
    virtual.host.stopped = AbortSignal.abort(new Error('stopped'));
    await expect(take()).rejects.toThrow('stopped');
    expect(writes).toEqual([]);
  });

  it('that was returned: by its tag, with the next epoch, and the state of the bucket', async () => {
    const { take, writes, record, leave, virtual } = setUp();
    const tag = await leave({ due: '2026-01-25T00:00:00.000Z' }, 5000);
    const lease = await take({ owner: 'bob', duration: 40_000, life: 10_000, releases: [RELEASE] });
    expect(writes[0]!.condition).toEqual({ tag });
    expect(writes).toHaveLength(3);
    expect(virtual.sleeps).toEqual([]);
    expect(await record()).toMatchObject({
      held: true,
      owner: 'bob',
      epoch: 5,
      duration: 40_000,
      life: 10_000,
      releases: [RELEASE],
      suspect: false,
      manifest: FREE.manifest,
      due: '2026-01-25T00:00:00.000Z',
    });
    expect(lease.remains).toEqual({
      releases: [],
      suspect: false,
      manifest: FREE.manifest,
      due: '2026-01-25T00:00:00.000Z',
      goal: null,
      readerLife: 0,
      timeline: null,
    });
  });

  it('that was read a moment ago: it is not read again', async () => {
    const { bucket, leave, take } = setUp();
    await leave({});
    const lease = await readLease(bucket);
    const read = bucket.read;
    let reads = 0;
    const counted: Bucket['read'] = (key) => {
      reads++;
      return read(key);
    };
    Object.assign(bucket, { read: counted });
    await take({ seen: { lease } });
    expect(reads).toBe(0);
  });

  it('by another record than was seen: it names no release that was chosen by that one (seed 174211)', async () => {
    const { bucket, leave, record, take } = setUp();
    await leave({});
    const lease = await readLease(bucket);
    await leave({ epoch: FREE.epoch + 1 });
    await take({ seen: { lease }, releases: [RELEASE], readerLife: 1000 });
    expect(await record()).toMatchObject({ held: true, releases: [], readerLife: 0 });
  });

  it.each([
    // As long as assumptions may add up: a tenth of the life, a late check, a late effect, and a fast challenger.
    [{ settled: false }, 10_000, 37_767],
    [{ settled: false }, 45_000, 0],
    [{ settled: false, life: 10_000 }, 6000, 17_723],
    [{ held: true }, 61_000, 0],
    [{ held: true, duration: 5000 }, 6000, 42_167],
  ])('with %j, %i ms ago: waits %i ms for late requests', async (part, age, wait) => {
    const { take, leave, virtual } = setUp();
    await leave(part, age);
    const lease = await take();
    expect(virtual.sleeps.reduce((sum, one) => sum + one, 0)).toBe(wait);
    expect(lease.remains.suspect).toBe('held' in part);
  });

  it('through a proxy that sends each request twice: the lease and the writes under it are recognised', async () => {
    const { take, bucket, memory, record, notes, virtual, now } = setUp();
    const write: Bucket['write'] = async (...args) => {
      await memory.write(...args).catch(() => {});
      return memory.write(...args);
    };
    Object.assign(bucket, { write });
    const lease = await take({ isUsed: async () => false });
    expect(lease.time()).toEqual(now());
    await virtual.advance(25_000);
    await lease.begin({ releases: [RELEASE] });
    const body = Buffer.from('{}');
    const { tag } = await lease.bucket.write('a', body, CONTROL_HEADERS, { absent: true });
    expect((await memory.read('a'))!.tag).toBe(tag);
    const other = lease.bucket.write('a', Buffer.from('[]'), CONTROL_HEADERS, { absent: true });
    await expect(other).rejects.toThrow(ConditionFailed);
    await lease.finish({ manifest: null, due: null });
    expect(await record()).toMatchObject({ held: false, settled: true, token: 'tester-1', epoch: 1 });
    expect(notes).toEqual([]);
  });

  it('from a store that fails during the proof: returned as it was, and not settled when the wait is cancelled', async () => {
    const { take, leave, record, bucket, memory } = setUp();
    await leave({ settled: false, suspect: true, releases: [OTHER] });
    let writes = 0;
    const failing: Bucket['write'] = (...args) => {
      if (++writes === 2) throw new BucketError('bucket-denied', 'denied', false);
      return memory.write(...args);
    };
    Object.assign(bucket, { write: failing });
    await expect(take({ releases: [RELEASE] })).rejects.toMatchObject({ code: 'bucket-denied' });
    expect(await record()).toMatchObject({ held: false, settled: false, suspect: true, releases: [OTHER] });
    await leave({});
    writes = 0;
    await expect(take()).rejects.toMatchObject({ code: 'bucket-denied' });
    expect(await record()).toMatchObject({ held: false, settled: true, suspect: false });
  });
});

describe('a held lease', () => {
  it('stays with the holder that renewed it', async () => {
    const { take, leave, record } = setUp();
    await leave({ held: true }, 60_999);
    await expect(take()).rejects.toMatchObject({
      code: 'bucket-locked',
      message:
        'ann@desk is publishing to s3://stays since 2026-01-19T00:00:00.000Z. Wait for it to end, then run the command again. Should it have ended, that is noticed in 1 s. --force-unlock takes the lock away from it.',
    });
    expect(await record()).toMatchObject({ token: 'ann-1', epoch: 4 });
  });

  it('is taken by force, once, after a wait for its requests', async () => {
    const { take, leave, virtual, record } = setUp();
    await leave({ held: true, releases: [OTHER] }, 11_000);
    const lease = await take({ force: true, releases: [RELEASE] });
    expect(virtual.sleeps).toEqual([36_667]);
    expect(lease.remains).toMatchObject({ suspect: true, releases: [OTHER] });
    expect(await record()).toMatchObject({ epoch: 5, releases: [OTHER, RELEASE], suspect: true });
  });

  it.each([
    // Instead of 48 s: a minute longer at most, and what the clock may be behind.
    ['stood still', () => 0, 'bucket-clock', 109],
    [
      'is set back by two minutes meanwhile',
      (now: number) => now - (now > 30_000 ? 120_000 : 0),
      'bucket-clock',
      109,
    ],
    ['is set back by 45 s meanwhile', (now: number) => now - (now > 30_000 ? 45_000 : 0), undefined, 94],
    ['was set back by two hours', (now: number) => now - (now > 0 ? 7_200_000 : 0), undefined, 114],
  ])('whose store has a clock that %s: broken by force, or given back', async (_what, said, code, wait) => {
    const virtual = createVirtualHost();
    const bucket = openMemory({ name: 's3://stays', now: () => new Date(START + said(virtual.passed())) });
    await bucket.write(LOCK_KEY, recordBytes({ ...FREE, held: true }), CONTROL_HEADERS);
    await virtual.advance(1);
    const taken = takeLease(bucket, { host: virtual.host, force: true });
    expect(
      await taken.then(
        () => undefined,
        (error: BucketError) => error.code,
      ),
    ).toBe(code);
    expect(Math.round(virtual.passed() / 1000)).toBe(wait);
    const { record } = (await readLease(bucket))!;
    // The next one waits in its stead.
    expect(record).toMatchObject(code ? { held: false, settled: false } : { held: true });
  });

  it('is not taken by force from a holder that took it meanwhile', async () => {
    const { take, leave, bucket, memory } = setUp();
    await leave({ held: true });
    let isFirst = true;
    Object.assign(bucket, {
      async write(...args: Parameters<Bucket['write']>) {
        if (isFirst) await leave({ held: true, token: 'eve-1', owner: 'eve', since: '' });
        isFirst = false;
        return memory.write(...args);
      },
    });
    await expect(take({ force: true })).rejects.toMatchObject({
      code: 'bucket-locked',
      message: expect.stringMatching(
        /^eve is publishing to s3:\/\/stays\. Wait .* noticed in 60 s\. --force/,
      ),
    });
  });

  it('is taken by force even when its holder renews it at that moment', async () => {
    const { take, leave, bucket, memory, record } = setUp();
    await leave({ held: true });
    let isFirst = true;
    Object.assign(bucket, {
      async write(...args: Parameters<Bucket['write']>) {
        if (isFirst) await leave({ held: true, renewal: 10 });
        isFirst = false;
        return memory.write(...args);
      },
    });
    await take({ force: true });
    expect(await record()).toMatchObject({ token: 'tester-1', epoch: 5 });
  });

  describe('on a store without times', () => {
    const untimed = () => {
      const set = setUp();
      const { read } = set.bucket;
      Object.assign(set.bucket, {
        read: async (key: string) => {
          const object = await read(key);
          return object && { body: object.body, tag: object.tag };
        },
      });
      return set;
    };

    it('is watched for its full duration, and taken', async () => {
      const { take, leave, virtual, notes, record } = untimed();
      await leave({ held: true, duration: 5000, life: 2000 });
      await take();
      expect(virtual.sleeps).toEqual([2000, 2000, 1000, 7945]);
      expect(notes[0]).toBe(
        'ann@desk holds the lock of s3://stays: watching for up to 5 s whether it lives.',
      );
      expect(await record()).toMatchObject({ token: 'tester-1', epoch: 5 });
    });

    it('stays with a holder that renews it meanwhile', async () => {
      const { take, leave, virtual } = untimed();
      await leave({ held: true });
      virtual.host.after(3000, () => void leave({ held: true, renewal: 10 }));
      await expect(take()).rejects.toMatchObject({
        code: 'bucket-locked',
        message: expect.stringContaining('that is noticed in 60 s.'),
      });
      expect(virtual.sleeps).toEqual([2000, 2000]);
    });

    it('is taken when it is returned meanwhile', async () => {
      const { take, leave, virtual, record } = untimed();
      await leave({ held: true });
      virtual.host.after(1000, () => void leave({ manifest: 'd'.repeat(32) }));
      await take();
      expect(virtual.sleeps).toEqual([2000]);
      expect(await record()).toMatchObject({ token: 'tester-1', manifest: 'd'.repeat(32) });
    });

    it('belongs to another holder when it is removed meanwhile', async () => {
      const { take, leave, virtual, memory } = untimed();
      await leave({ held: true });
      virtual.host.after(1000, () => void memory.remove([LOCK_KEY]));
      await expect(take()).rejects.toMatchObject({
        code: 'bucket-locked',
        message:
          'another publisher is publishing to s3://stays. Wait for it to end, then run the command again. --force-unlock takes the lock away from it.',
      });
    });
  });
});

describe('a store that refuses', () => {
  const refusing = (set: ReturnType<typeof setUp>, meanwhile: () => unknown = () => {}) => {
    let attempts = 0;
    Object.assign(set.bucket, {
      async write(key: string) {
        attempts++;
        await meanwhile();
        throw new ConditionFailed(key);
      },
    });
    return () => attempts;
  };

  it('each write of the lease has no conditional writes', async () => {
    const set = setUp();
    const attempts = refusing(set);
    await expect(set.take()).rejects.toMatchObject({
      code: 'no-conditional-writes',
      message: expect.stringContaining('(a write of a new object with If-None-Match: * was refused)'),
    });
    expect(attempts()).toBe(20);
    await set.leave({});
    await expect(set.take()).rejects.toMatchObject({
      code: 'no-conditional-writes',
      message: expect.stringContaining('(a write with If-Match of the tag was refused)'),
    });
  });

  it('once, since the lock was removed, leaves no trace of the removed record', async () => {
    const { take, leave, bucket, memory, record } = setUp();
    await leave({});
    const { write } = bucket;
    Object.assign(bucket, {
      async write(key: string) {
        await memory.remove([key]);
        Object.assign(bucket, { write });
        throw new ConditionFailed(key);
      },
    });
    const { remains } = await take();
    expect(remains).toMatchObject({ suspect: true, manifest: null });
    expect(await record()).toMatchObject({ held: true, suspect: true, manifest: null });
  });

  it('nothing, since the lock was removed while its new holder slept, leaves a record of nobody, and unfinished', async () => {
    const { take, leave, bucket, memory, record } = setUp();
    await leave({});
    const { write } = bucket;
    const removing: Bucket['write'] = async (key, body, headers, condition, limit) => {
      if (condition && 'absent' in condition) await memory.remove([key]);
      return write(key, body, headers, condition, limit);
    };
    Object.assign(bucket, { write: removing });
    await expect(take()).rejects.toMatchObject({ code: 'no-conditional-writes' });
    expect(await record()).toMatchObject({ token: '', suspect: true, manifest: null });
  });

  it('because others are faster counts as locked', async () => {
    const set = setUp();
    await set.leave({});
    let renewal = 10;
    const attempts = refusing(set, () => set.leave({ owner: 'eve', renewal: renewal++ }));
    await expect(set.take()).rejects.toMatchObject({
      code: 'bucket-locked',
      message: expect.stringContaining('eve is publishing'),
    });
    expect(attempts()).toBe(20);
  });

  it('for another reason fails at once', async () => {
    const set = setUp();
    Object.assign(set.bucket, { write: () => Promise.reject(new BucketError('bucket-denied', 'no', false)) });
    await expect(set.take()).rejects.toMatchObject({ code: 'bucket-denied' });
  });
});

it('without exclusion a lease excludes no writer: one write, no condition, no wait', async () => {
  const { take, leave, writes, virtual, record } = setUp();
  await leave({ held: true, settled: false });
  const lease = await take({ isExclusive: false });
  expect(writes.map(({ condition }) => condition)).toEqual([undefined]);
  expect(virtual.sleeps).toEqual([]);
  expect(lease.isExclusive).toBe(false);
  await virtual.advance(25_000);
  await lease.bucket.write('a', Buffer.from('x'), CONTROL_HEADERS);
  expect(writes.at(-1)!.limit!.remaining()).toBe(30_000);
  await lease.finish({ manifest: null, due: null });
  expect(await record()).toMatchObject({ held: false });
});

describe('returning a lease', () => {
  it('after all work: it is at rest, and no later request has an effect', async () => {
    const { take, record, virtual, writes, notes } = setUp();
    const lease = await take({ isUsed: async () => false, releases: [RELEASE] });
    await lease.begin({ releases: [RELEASE] });
    await lease.finish({ manifest: 'd'.repeat(32), due: '2026-02-01T00:00:00.000Z' });
    expect(await record()).toMatchObject({
      held: false,
      settled: true,
      releases: [],
      suspect: false,
      manifest: 'd'.repeat(32),
      due: '2026-02-01T00:00:00.000Z',
    });
    const count = writes.length;
    await virtual.advance(120_000);
    expect(writes).toHaveLength(count);
    await expect(lease.bucket.write('a', Buffer.from('x'), CONTROL_HEADERS)).rejects.toMatchObject({
      code: 'lock-lost',
      message:
        'The lock of s3://stays was lost while publishing: it was given back. Nothing of this process takes effect any more. Run the command again: it looks at the bucket, and goes on from what arrived.',
    });
    expect(notes).toEqual([]);
  });

  it('before any work: it is as it was found', async () => {
    const { take, leave, record } = setUp();
    await leave({ releases: [OTHER], suspect: true }, 60_000);
    const lease = await take({ releases: [RELEASE] });
    await lease.abandon();
    expect(await record()).toMatchObject({ held: false, releases: [OTHER], suspect: true, epoch: 5 });
    await leave({});
    await (await take({ releases: [RELEASE] })).abandon();
    expect(await record()).toMatchObject({ held: false, releases: [], suspect: false });
  });

  it('after a start: it has a mark, and the releases that may be there in part', async () => {
    const { take, leave, record, writes } = setUp();
    await leave({});
    const lease = await take({ releases: [RELEASE] });
    const count = writes.length;
    await lease.begin({ releases: [RELEASE] });
    // Every record names it already.
    expect(writes).toHaveLength(count);
    await lease.begin({ releases: [OTHER, RELEASE] });
    expect(await record()).toMatchObject({ held: true, releases: [RELEASE, OTHER] });
    expect(writes).toHaveLength(count + 1);
    await lease.begin({ releases: [RELEASE], readerLife: 30_000 });
    await lease.begin({ releases: [RELEASE], readerLife: 20_000 });
    expect(await record()).toMatchObject({ releases: [RELEASE, OTHER], readerLife: 30_000 });
    expect(writes).toHaveLength(count + 2);
    await lease.abandon();
    expect(await record()).toMatchObject({ held: false, suspect: true, releases: [RELEASE, OTHER] });
  });

  it('after an attempt without an answer: it is not settled', async () => {
    const { take, leave, record, writes } = setUp();
    await leave({});
    const lease = await take();
    await lease.bucket.write('a', Buffer.from('x'), CONTROL_HEADERS);
    writes.at(-1)!.limit!.unsettled();
    await lease.finish({ manifest: null, due: null });
    expect(await record()).toMatchObject({ held: false, settled: false });
  });
});

describe('during a lease', () => {
  it('it is renewed every ten seconds, whatever the result of one renewal', async () => {
    const { take, leave, record, virtual, bucket, memory } = setUp();
    await leave({});
    await take();
    const { renewal } = await record();
    await virtual.advance(9999);
    expect((await record()).renewal).toBe(renewal);
    await virtual.advance(1);
    expect((await record()).renewal).toBe(renewal + 1);
    Object.assign(bucket, { write: () => Promise.reject(new BucketError('bucket-busy', 'busy', true)) });
    await virtual.advance(10_000);
    Object.assign(bucket, { write: memory.write });
    await virtual.advance(10_000);
    expect((await record()).renewal).toBe(renewal + 3);
  });

  it('a request has the rest of thirty seconds, counted from before the request for renewal', async () => {
    const { take, leave, virtual, writes, bucket, memory } = setUp();
    await leave({});
    const lease = await take();
    const left = async () => {
      await lease.bucket.write('a', Buffer.from('x'), CONTROL_HEADERS);
      return writes.at(-1)!.limit!.remaining();
    };
    expect(await left()).toBe(30_000);
    await virtual.advance(4000);
    expect(await left()).toBe(26_000);
    // A machine that slept counts the time by the clock that is set.
    virtual.setClock(5000);
    expect(await left()).toBe(21_000);
    virtual.setClock(-5000);
    expect(await left()).toBe(26_000);
    const limits: (Limit | undefined)[] = [writes.at(-1)!.limit];
    const hear = <T>(limit: Limit | undefined, answer: T): T => {
      limits.push(limit);
      return answer;
    };
    const { read } = bucket;
    Object.assign(bucket, {
      read: (key, limit) => hear(limit, read(key)),
      inspect: (key, limit) => hear(limit, memory.inspect(key)),
      remove: (_keys, limit) => hear(limit, Promise.resolve()),
      list: (prefix, _after, limit) => hear(limit, memory.list(prefix)),
    } satisfies Partial<Bucket>);
    await lease.bucket.read('a');
    await lease.bucket.inspect('a');
    await lease.bucket.remove(['a']);
    const listed: string[] = [];
    for await (const { key } of lease.bucket.list('a')) listed.push(key);
    expect(listed).toEqual(['a']);
    expect(limits).toHaveLength(5);
    expect(new Set(limits).size).toBe(1);
    expect([lease.bucket.name, lease.bucket.fence]).toEqual(['s3://stays', undefined]);
  });

  it('a request waits for a renewal when less than half of that time is left', async () => {
    const { take, leave, virtual, writes, record } = setUp();
    await leave({});
    const lease = await take();
    // As if the timer were late on a busy machine.
    virtual.setClock(15_000);
    const count = writes.length;
    await lease.bucket.read('a');
    expect(writes).toHaveLength(count);
    virtual.setClock(1);
    const { renewal } = await record();
    await lease.bucket.read('a');
    expect((await record()).renewal).toBe(renewal + 1);
  });

  it('a renewal with a temporary failure is repeated each second, until the lease is over', async () => {
    const { take, leave, virtual, bucket, memory } = setUp();
    await leave({});
    const lease = await take();
    let failures = 3;
    Object.assign(bucket, {
      write: (...args: Parameters<Bucket['write']>) =>
        failures-- > 0 ? Promise.reject(new BucketError('bucket-busy', 'busy', true)) : memory.write(...args),
    });
    virtual.setClock(20_000);
    await lease.bucket.read('a');
    expect(virtual.sleeps).toEqual([1000, 1000, 1000]);
    failures = 1000;
    virtual.setClock(20_000);
    await expect(lease.bucket.read('a')).rejects.toMatchObject({
      code: 'lock-lost',
      message: expect.stringContaining('it could not be renewed'),
    });
    expect(virtual.sleeps.length).toBeGreaterThan(35);
    failures = 0;
    await expect(lease.finish({ manifest: null, due: null })).rejects.toMatchObject({ code: 'lock-lost' });
  });

  it('a renewal with a permanent failure ends the request', async () => {
    const { take, leave, virtual, bucket } = setUp();
    await leave({});
    const lease = await take();
    virtual.setClock(20_000);
    for (const error of [new BucketError('bucket-denied', 'no', false), new Error('broken')]) {
      Object.assign(bucket, { write: () => Promise.reject(error) });
      await expect(lease.bucket.read('a')).rejects.toBe(error);
    }
    expect(virtual.sleeps).toEqual([]);
  });

  it('a renewal whose answer was lost is repeated over the version that arrived', async () => {
    const { take, leave, virtual, bucket, memory, record } = setUp();
    await leave({});
    const lease = await take();
    Object.assign(bucket, {
      async write(...args: Parameters<Bucket['write']>) {
        await memory.write(...args);
        Object.assign(bucket, { write: memory.write });
        throw new BucketError('bucket-unreachable', 'no answer', true);
      },
    });
    const { renewal } = await record();
    await virtual.advance(10_000);
    await virtual.advance(10_000);
    expect(await record()).toMatchObject({ held: true, token: 'tester-1', renewal: renewal + 3 });
    await lease.finish({ manifest: null, due: null });
    expect(await record()).toMatchObject({ held: false });
  });

  it.each(['taken', 'removed'])('a lease that was %s is lost permanently', async (how) => {
    const { take, leave, virtual, memory, writes } = setUp();
    await leave({});
    const lease = await take({ releases: [RELEASE] });
    await lease.bucket.write('a', Buffer.from('x'), CONTROL_HEADERS);
    const { limit } = writes.at(-1)!;
    if (how === 'taken') await leave({ held: true, token: 'eve-1' });
    else await memory.remove([LOCK_KEY]);
    expect(limit!.signal.aborted).toBe(false);
    await virtual.advance(10_000);
    expect(limit!.signal.aborted).toBe(true);
    expect(limit!.remaining()).toBe(0);
    const lost = {
      code: 'lock-lost',
      message: expect.stringContaining('publishing: another publisher has taken it. Nothing'),
    };
    await expect(lease.bucket.remove(['a'])).rejects.toMatchObject(lost);
    await expect(lease.begin({ releases: [OTHER] })).rejects.toMatchObject(lost);
    await expect(lease.finish({ manifest: null, due: null })).rejects.toMatchObject(lost);
    await lease.abandon();
    const present = await memory.read(LOCK_KEY);
    expect(present && parseRecord(present.body).token).toBe(how === 'taken' ? 'eve-1' : undefined);
  });

  it('a store that suddenly refuses its own tags is named', async () => {
    const { take, leave, bucket } = setUp();
    await leave({});
    const lease = await take();
    Object.assign(bucket, { write: (key: string) => Promise.reject(new ConditionFailed(key)) });
    await expect(lease.begin({ releases: [OTHER] })).rejects.toMatchObject({
      code: 'no-conditional-writes',
      message: expect.stringContaining('a write with If-Match of the tag was refused'),
    });
  });

  it('a request that came too late is sent again while the lease is still held', async () => {
    const { take, leave, bucket, record } = setUp();
    await leave({});
    const lease = await take();
    let late = 4;
    const { renewal } = await record();
    Object.assign(bucket, {
      inspect: () => (late-- > 0 ? Promise.reject(new RequestExpired('a')) : Promise.resolve(undefined)),
    });
    expect(await lease.bucket.inspect('a')).toBeUndefined();
    expect((await record()).renewal).toBe(renewal + 4);
    late = 5;
    await expect(lease.bucket.inspect('a')).rejects.toBeInstanceOf(RequestExpired);
    const denied = new BucketError('bucket-denied', 'no', false);
    Object.assign(bucket, { inspect: () => Promise.reject(denied) });
    await expect(lease.bucket.inspect('a')).rejects.toBe(denied);
  });

  it('the holder knows the time of the store, or a slightly earlier one', async () => {
    const { take, leave, virtual, now } = setUp();
    await leave({});
    const lease = await take();
    expect(lease.time()).toEqual(now());
    await virtual.advance(3000);
    expect(lease.time()).toEqual(now());
    virtual.setClock(3_600_000);
    expect(lease.time()).toEqual(now());
  });

  it('the holder uses the time of the machine when the store gives none, and the latest of several', async () => {
    const virtual = createVirtualHost();
    const memory = openMemory();
    let time: Date | undefined;
    const bucket: Bucket = {
      ...memory,
      write: async (...args) => ({ tag: (await memory.write(...args)).tag }),
      read: async (key) => {
        const object = await memory.read(key);
        return object && { body: object.body, tag: object.tag, time };
      },
    };
    const lease = await takeLease(bucket, { host: virtual.host, isUsed: async () => false });
    expect(lease.time()).toEqual(new Date(START));
    await lease.bucket.write('a', Buffer.from('x'), CONTROL_HEADERS);
    for (const [said, known] of [
      [1000, 1000],
      [5000, 5000],
      // Set back.
      [2000, 2000],
    ] as const) {
      time = new Date(said);
      await lease.bucket.read('a');
      expect(lease.time()).toEqual(new Date(known));
    }
    await virtual.advance(500);
    expect(lease.time()).toEqual(new Date(2500));
  });
});

describe('a store with a fence', () => {
  it('is fenced under the lease before any other request, and again after a request came too late', async () => {
    const fences: string[] = [];
    const set = setUp(() => ({ fence: async (holder) => void fences.push(holder) }));
    await set.leave({ held: true }, 61_000);
    const lease = await set.take();
    // There is no earlier holder to wait for.
    expect([fences, set.virtual.sleeps]).toEqual([['tester-1~1'], []]);
    await lease.bucket.write('a', Buffer.from('x'), CONTROL_HEADERS);
    expect(set.writes.at(-1)!.limit!.holder).toBe('tester-1~1');
    let isLate = true;
    Object.assign(set.bucket, {
      inspect: () => (isLate ? Promise.reject(new RequestExpired('a')) : Promise.resolve(undefined)),
      fence: async (holder: string) => {
        fences.push(holder);
        isLate = false;
      },
    });
    await Promise.all([lease.bucket.inspect('a'), lease.bucket.inspect('b')]);
    expect(fences).toEqual(['tester-1~1', 'tester-1~2']);
    await lease.bucket.write('a', Buffer.from('x'), CONTROL_HEADERS);
    expect(set.writes.at(-1)!.limit!.holder).toBe('tester-1~2');
  });

  it('accepts no request of a holder that lost its lease', async () => {
    const fences: string[] = [];
    const set = setUp(() => ({ fence: async (holder) => void fences.push(holder) }));
    await set.leave({});
    const lease = await set.take();
    await set.leave({ held: true, token: 'eve-1' });
    Object.assign(set.bucket, { inspect: () => Promise.reject(new RequestExpired('a')) });
    await expect(lease.bucket.inspect('a')).rejects.toMatchObject({ code: 'lock-lost' });
    expect(set.writes.at(-1)!.limit!.holder).toBe('tester-1');
  });
});
