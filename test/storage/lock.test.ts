/** The lock alone, on a store and a machine whose clocks the test sets. */
import { expect, it } from 'vitest';
import { type Bucket, BucketError, ConditionFailed } from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import {
  type HeldLock,
  type LockOptions,
  takeLock,
  waitUntilNobodyPublishes,
} from '../../src/storage/lock.ts';
import { type LogEntry, logKey, readLog } from '../../src/storage/lock-log.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import { putEntry } from '../publish/remembered.ts';
import { listKeys } from '../support/bucket.ts';
import { openMemory } from './memory.ts';
import { createVirtualHost, START } from './virtual-host.ts';

const RELEASE = 'a'.repeat(32);
const LOCKED = { code: 'bucket-locked' };
const HELD: Partial<LogEntry> = { kind: 'begin', owner: 'ann@desk', token: 'ann-1' };
const UNUSED = async () => false;

/** A store whose clock is a day behind the machine's. */
function setUp(change: (memory: Bucket) => Partial<Bucket> = () => ({})) {
  const virtual = createVirtualHost();
  const memory = openMemory({
    name: 's3://stays',
    now: () => new Date(START - 86_400_000 + virtual.passed()),
  });
  const bucket = { ...memory, ...change(memory) };
  const notes: string[] = [];
  const take = (options: LockOptions = {}) =>
    takeLock(bucket, { host: virtual.host, note: (text) => notes.push(text), ...options });
  const leave = async (part: Partial<LogEntry>, age = 0) => {
    await putEntry(memory, part);
    await virtual.advance(age);
  };
  return { virtual, memory, bucket, notes, take, leave };
}

it('an unused bucket is locked at once, and a used one without a log after the wait', async () => {
  const { take, virtual, memory } = setUp();
  const held = await take({ isUsed: UNUSED, releases: [RELEASE] });
  expect(held.remains).toMatchObject({ releases: [], suspect: false });
  expect(await listKeys(memory)).toEqual(['_catalogue/log/00000001.beat', logKey(1)]);
  expect(await readLog(memory)).toMatchObject({
    isHeld: true,
    lastEntry: { kind: 'begin', ended: 0, owner: 'tester', releases: [RELEASE] },
  });
  expect(virtual.sleeps).toEqual([]);
  const other = setUp();
  expect((await other.take()).remains.suspect).toBe(true);
  expect(other.virtual.passed()).toBe(80_000);
});

it('an entry whose log was read too long ago is not sent', async () => {
  const { virtual, memory } = setUp();
  const seen = { log: await readLog(memory), at: virtual.host.instant() };
  await virtual.advance(30_000);
  await expect(takeLock(withRetry(memory), { host: virtual.host, seen })).rejects.toThrow(
    'The lock could not be confirmed in time. Check the network, then run the command again.',
  );
  expect(await listKeys(memory)).toEqual([]);
});

it('a holder that gives signs of life keeps the lock; after two minutes without, others take it at once', async () => {
  const { take, leave, virtual } = setUp();
  await leave(HELD, 120_999);
  await expect(take()).rejects.toMatchObject({
    ...LOCKED,
    message: expect.stringMatching(/^ann@desk is publishing to s3:\/\/stays since .* noticed in 1 s\./),
  });
  await virtual.advance(1);
  expect((await take({ releases: [RELEASE] })).remains.suspect).toBe(true);
  expect(virtual.sleeps).toEqual([]);
});

it('a holder that was silent for 100 seconds gives up, so that nobody who only reads waits longer than two minutes', async () => {
  const { take, virtual, memory } = setUp();
  const suspended = createVirtualHost('suspended');
  const held = await take({ isUsed: UNUSED, host: suspended.host });
  await waitUntilNobodyPublishes(memory, { host: virtual.host });
  expect(virtual.passed()).toBeLessThanOrEqual(122_000);
  suspended.setClock(virtual.passed());
  await expect(held.bucket.write('a', Buffer.from('x'), CONTROL_OBJECT_HEADERS)).rejects.toMatchObject({
    ...{ code: 'lock-lost', message: expect.stringContaining('no sign of life') },
  });
  expect(await memory.read('a')).toBeUndefined();
});

it('a preview in a folder fences a holder that gave up, since changes there do not expire', async () => {
  const fences: string[] = [];
  const { bucket, leave, virtual, memory } = setUp(() => ({
    fence: async (holder) => void fences.push(holder),
  }));
  await leave(HELD, 121_000);
  await waitUntilNobodyPublishes(bucket, { host: virtual.host });
  expect(fences).toHaveLength(1);
  expect(await readLog(memory)).toMatchObject({ isHeld: false, lastEntry: { suspect: true } });
});

it('force takes only the lock found first, and waits for the requests of its holder', async () => {
  const { take, leave, virtual, notes, memory } = setUp();
  await leave(HELD, 10_000);
  await take({ force: true });
  expect(virtual.passed()).toBe(80_000);
  expect(notes).toEqual([
    'Requests of ann@desk, who did not give the lock back, may still arrive at s3://stays: waiting 70 s, until it refuses them.',
  ]);
  const raced = setUp(({ write }) => ({
    async write(...args) {
      if (args[0] === logKey(2)) await putEntry(raced.memory, { ...HELD, token: 'eve-1' });
      return write(...args);
    },
  }));
  await raced.leave(HELD);
  await expect(raced.take({ force: true })).rejects.toMatchObject(LOCKED);
  expect((await readLog(memory)).lastNumber).toBe(2);
});

it.each([
  ['no fence: waits', {}, 80_000],
  ['a fence: does not wait', { fence: async () => {} }, 5000],
])('of a process of this machine that has ended, on a store with %s', async (_, change, passed) => {
  const { take, leave, virtual } = setUp(() => change);
  const process = { pid: 7, host: 'desk', started: '1', boot: 'b', namespace: 'n' };
  await leave({ ...HELD, process }, 5000);
  virtual.host.hasEnded = ({ pid }) => pid === 7;
  await take();
  expect(virtual.passed()).toBe(passed);
});

it('after an end with a request without an answer, the next holder waits until it has expired', async () => {
  const { take, virtual, memory } = setUp();
  const held = await take({ isUsed: UNUSED });
  // As a request does whose outcome is unknown.
  Object.assign(memory, {});
  await held.finish({});
  await putEntry(memory, { quiet: new Date(START - 86_400_000 + 45_000).toISOString() });
  await take();
  expect(virtual.passed()).toBe(45_000);
});

it.each([
  ['another begin', (memory: Bucket) => putEntry(memory, HELD)],
  ['the removal of its entry', (memory: Bucket) => memory.remove([logKey(1)])],
])('a holder is lost with %s, at its next beat', async (_, harm) => {
  const { take, virtual, memory } = setUp();
  const held = await take({ isUsed: UNUSED });
  await held.bucket.write('a', Buffer.from('x'), CONTROL_OBJECT_HEADERS);
  await harm(memory);
  await virtual.advance(10_000);
  const lost = { code: 'lock-lost', message: expect.stringContaining('another publisher has taken it') };
  await expect(held.bucket.remove(['a'])).rejects.toMatchObject(lost);
  await expect(held.finish({})).rejects.toMatchObject(lost);
});

it('nothing is sent 30 s after the last beat that counts, whatever clock shows it', async () => {
  let isDown = false;
  const { take, virtual } = setUp(({ list }) => ({
    list(...args) {
      if (isDown) throw new BucketError('bucket-busy', 'busy', true);
      return list(...args);
    },
  }));
  const held = await take({ isUsed: UNUSED });
  isDown = true;
  virtual.setClock(29_000);
  await held.bucket.read('a');
  virtual.setClock(1000);
  await expect(held.bucket.read('a')).rejects.toMatchObject({ code: 'lock-lost' });
});

it('what is begun is an entry of its own, and stays after the holder has given up', async () => {
  const { take, memory } = setUp();
  const held = await take({ isUsed: UNUSED, releases: [RELEASE] });
  await held.record({ releases: [RELEASE] });
  expect((await readLog(memory)).lastNumber).toBe(1);
  await held.record({ releases: [RELEASE], goal: RELEASE });
  expect(await readLog(memory)).toMatchObject({ lastNumber: 2, lastEntry: { kind: 'begin', goal: RELEASE } });
  await held.abandon();
  expect(await readLog(memory)).toMatchObject({
    ...{ lastNumber: 3, isHeld: false, signOfLife: undefined },
    lastEntry: { kind: 'end', ended: 3, suspect: true, releases: [RELEASE], quiet: null },
  });
});

it('a lost answer, and a proxy that sends each request twice, are recognised by the bytes', async () => {
  const { take, memory } = setUp(({ write }) => ({
    async write(...args) {
      await write(...args).catch(() => {});
      return write(...args);
    },
  }));
  const held = await take({ isUsed: UNUSED });
  await held.record({ goal: RELEASE });
  await held.finish({});
  expect(await readLog(memory)).toMatchObject({ lastNumber: 3, lastEntry: { kind: 'end', suspect: false } });
});

it.each([
  [
    'a second write with If-None-Match: * was written',
    ({ write }: Bucket): Bucket['write'] =>
      (key, body, headers) =>
        write(key, body, headers),
  ],
  [
    'a write of a new object with If-None-Match: * was refused',
    ({ write }: Bucket): Bucket['write'] =>
      (key, body, headers, condition) =>
        condition ? Promise.reject(new ConditionFailed(key)) : write(key, body, headers),
  ],
])('a store is refused where %s, and can be used without a lock', async (why, writing) => {
  const { take, memory } = setUp((memory) => ({ write: writing(memory) }));
  await expect(take({ isUsed: UNUSED })).rejects.toMatchObject({
    ...{ code: 'no-conditional-writes', message: expect.stringContaining(why) },
  });
  const held = await take({ isUsed: UNUSED, isExclusive: false });
  await held.bucket.write('a', Buffer.from('x'), CONTROL_OBJECT_HEADERS);
  await held.finish({});
  expect(await readLog(memory)).toMatchObject({ isHeld: false, lastEntry: { suspect: false } });
});

it('an entry of a later version stops every command, and a damaged one puts the bucket in doubt', async () => {
  const { take, leave, memory, virtual } = setUp();
  await leave({ current: RELEASE });
  await memory.write(logKey(2), Buffer.from('{"version":2,"kind":"begin"}'), CONTROL_OBJECT_HEADERS);
  await expect(take({ force: true })).rejects.toMatchObject({ code: 'newer-version' });
  await memory.write(logKey(2), Buffer.from('{"version":1,"kind":"begin"'), CONTROL_OBJECT_HEADERS);
  await expect(take()).rejects.toMatchObject(LOCKED);
  await virtual.advance(121_000);
  expect((await take()).remains).toMatchObject({ suspect: true, current: null });
  expect((await readLog(memory)).lastNumber).toBe(3);
});

it('an entry that was removed is missed, since a beat announced it', async () => {
  const { take, memory, virtual } = setUp();
  await (await take({ isUsed: UNUSED })).finish({ current: RELEASE });
  const held = await take();
  await held.record({ releases: [RELEASE] });
  const { lastNumber, isDamaged } = await readLog(memory);
  expect(isDamaged).toBe(false);
  await memory.remove([logKey(lastNumber)]);
  expect(await readLog(memory)).toMatchObject({ lastNumber: lastNumber - 1, isHeld: true, isDamaged: true });
  await virtual.advance(200_000);
  const next = await take({ force: true });
  expect(next.remains).toMatchObject({ suspect: true, current: null });
});

it('who never gave a sign of life ends nothing of the holder that began under its number', async () => {
  let other: HeldLock | undefined;
  const { take, memory } = setUp((memory) => ({
    async write(key, ...rest) {
      if (!key.endsWith('.beat')) return memory.write(key, ...rest);
      // The test of the store comes first.
      await new Promise(setImmediate);
      await memory.remove([logKey(1)]);
      const { host } = createVirtualHost('another');
      other = await takeLock(memory, { host, isUsed: UNUSED });
      throw new BucketError('bucket-unreachable', 'no answer', true);
    },
  }));
  await expect(take({ isUsed: UNUSED })).rejects.toMatchObject({ code: 'bucket-unreachable' });
  expect(await listKeys(memory)).toEqual([logKey(1, 'beat'), logKey(1)]);
  await other!.finish({ current: RELEASE });
  expect(await readLog(memory)).toMatchObject({ lastNumber: 2, lastEntry: { current: RELEASE } });
});

it('old entries are removed under the lock, and those of a full log are not followed', async () => {
  const { take, memory } = setUp();
  for (let number = 0; number < 151; number++) await putEntry(memory);
  await (await take()).finish({});
  expect((await readLog(memory)).keys[0]).toBe(logKey(52));
  await putEntry(memory, {});
  await memory.write('_catalogue/log/99999999.json', Buffer.from('{}'), CONTROL_OBJECT_HEADERS);
  await expect(take({ force: true })).rejects.toMatchObject({ code: 'key-refused' });
});
