/** Entries of a log, valid or damaged. */
import { describe, expect, it } from 'vitest';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import {
  bucketStateOf,
  entryNumber,
  isAtRest,
  type LogEntry,
  logKey,
  mayStillHaveRequests,
  parseEntry,
  readLog,
  serializeBeat,
  serializeEntry,
  timeSinceSignOfLife,
  UNUSED_BUCKET,
  withAddedReleases,
} from '../../src/storage/lock-log.ts';
import { openMemory } from './memory.ts';

const ENTRY: LogEntry = {
  version: 1,
  kind: 'end',
  owner: 'ann@desk',
  token: 'token-1',
  since: '2026-01-20T00:00:00.000Z',
  ended: 4,
  quiet: null,
  releases: [],
  suspect: false,
  current: 'a'.repeat(32),
  due: '2026-01-21T00:00:00.000Z',
  goal: null,
  readerLife: 0,
  timeline: null,
};

const parse = (value: unknown) => parseEntry(Buffer.from(JSON.stringify(value)), 's3://stays');

it('is read back as it was written', () => {
  expect(parseEntry(serializeEntry(ENTRY), '')).toEqual(ENTRY);
  expect(serializeEntry(ENTRY).toString()).toMatch(/^\{"version":1,.*\}\n$/);
  for (const sound of [
    { current: null, due: null },
    { kind: 'begin', ended: 0 },
    { quiet: '2026-01-21T00:00:00.000Z', goal: 'b'.repeat(32) },
    { number: 7, readerLife: 60_000 },
    { releases: ['a'.repeat(32), '0'.repeat(32)] },
  ])
    expect(parse({ ...ENTRY, ...sound })).toEqual({ ...ENTRY, ...sound });
});

describe('an entry is damaged', () => {
  it.each<[string, Record<string, unknown>]>([
    ['without a version', { version: undefined }],
    ['of an earlier version', { version: 0 }],
    ['of another kind', { kind: 'beat' }],
    ['with suspect as text', { suspect: 'no' }],
    ...['owner', 'token', 'since'].flatMap((key): [string, Record<string, unknown>][] => [
      [`with ${key} as a number`, { [key]: 1 }],
      [`with a long ${key}`, { [key]: 'a'.repeat(301) }],
    ]),
    ...['ended', 'number'].flatMap((key): [string, Record<string, unknown>][] => [
      [`with ${key} below 0`, { [key]: -1 }],
      [`with ${key} in parts`, { [key]: 1.5 }],
      [`with ${key} as text`, { [key]: '1' }],
      [`with ${key} above what a number can tell`, { [key]: 2 ** 53 }],
    ]),
    ['with lists that caches may serve for less than no time', { readerLife: -1 }],
    ['with lists that caches may serve for a text', { readerLife: '60' }],
    ['with lists that caches may serve for ever', { readerLife: 1e300 }],
    ...['current', 'goal'].flatMap((key): [string, Record<string, unknown>][] => [
      [`with ${key} as a number`, { [key]: 1 }],
      [`with a path as ${key}`, { [key]: '../current' }],
    ]),
    ...['due', 'quiet'].flatMap((key): [string, Record<string, unknown>][] => [
      [`with ${key} as a number`, { [key]: 1 }],
      [`with a text as ${key}`, { [key]: 'soon' }],
    ]),
    ['with a name that no release has', { releases: ['g'.repeat(32)] }],
    ['with a short name', { releases: ['a'.repeat(31)] }],
    ['with a long name', { releases: ['a'.repeat(33)] }],
    ['with a name behind something', { releases: [` ${'a'.repeat(32)}`] }],
    ['with a name before something', { releases: [`${'a'.repeat(32)} `] }],
    ['with a number in place of a name', { releases: [123_456] }],
    ['with text in place of names', { releases: 'a'.repeat(32) }],
    ['with more names than a bucket can have', { releases: Array(201).fill('a'.repeat(32)) }],
  ])('%s', (_name, wrong) => {
    expect(parse({ ...ENTRY, ...wrong })).toBeUndefined();
  });

  it('when it is no JSON, no object, or larger than any', () => {
    for (const text of ['', '{', 'null', '[]', '7'])
      expect(parseEntry(Buffer.from(text), '')).toBeUndefined();
    expect(parse({ ...ENTRY, timeline: 'a'.repeat(4_000_000) })).toBeUndefined();
  });
});

it('of a later version stops every command, whatever it holds', () => {
  expect(() => parse({ version: 2 })).toThrow('A later version of catalogue published to s3://stays.');
});

it('has a key with its number, and nothing else has', () => {
  expect(logKey(57)).toBe('_catalogue/log/00000057.json');
  expect(entryNumber('_catalogue/log/00000057.json')).toBe(57);
  expect(entryNumber(logKey(57, 'beat'))).toBe(57);
  for (const key of ['57.json', '000000057.json', '0000005a.json', '00000057.txt', 'a/00000057.json'])
    expect(entryNumber(`_catalogue/log/${key}`)).toBeUndefined();
});

it('of a bucket: the last readable one counts, and what follows it puts the bucket in doubt', async () => {
  let now = new Date(1_000_000);
  const bucket = openMemory({ now: () => now });
  const put = (key: string, body: Buffer) => bucket.write(key, body, CONTROL_OBJECT_HEADERS);
  expect(await readLog(bucket)).toMatchObject({
    lastNumber: 0,
    lastEntry: undefined,
    isHeld: false,
    isDamaged: false,
  });
  await put(logKey(4), serializeEntry({ ...ENTRY, releases: ['a'.repeat(32)] }));
  await put(logKey(5), serializeEntry({ ...ENTRY, ended: 5 }));
  await put('_catalogue/log/notes.txt', Buffer.from('mine'));
  const ended = await readLog(bucket);
  expect(ended).toMatchObject({
    lastNumber: 5,
    lastEntry: { ended: 5 },
    isHeld: false,
    signOfLife: undefined,
    time: now,
  });
  expect(bucketStateOf(ended)).toMatchObject({ suspect: false, current: ENTRY.current });
  expect([isAtRest(ended), mayStillHaveRequests(ended)]).toEqual([true, false]);
  await put(logKey(6), serializeEntry({ ...ENTRY, kind: 'begin', ended: 5, process: undefined }));
  await put(logKey(6, 'beat'), Buffer.from('{}'));
  const signOfLife = now;
  now = new Date(1_005_000);
  const held = await readLog(bucket);
  expect(held).toMatchObject({
    lastNumber: 6,
    lastEntry: { kind: 'begin' },
    isHeld: true,
    isDamaged: false,
    signOfLife,
  });
  // Stores truncate both times to whole seconds.
  expect(timeSinceSignOfLife(held)).toBe(4000);
  await put(logKey(7), Buffer.from('{'));
  const damaged = await readLog(bucket);
  expect(damaged).toMatchObject({
    lastNumber: 7,
    lastEntry: { kind: 'begin' },
    isHeld: true,
    isDamaged: true,
  });
  expect(bucketStateOf(damaged)).toMatchObject({ suspect: true, current: null });
});

it('in the place of one that was removed by hand puts the bucket in doubt, as the beat of another holder shows', async () => {
  const bucket = openMemory();
  const beat = (token: string) =>
    bucket.write(logKey(4, 'beat'), serializeBeat(token, 1, 4), CONTROL_OBJECT_HEADERS);
  await bucket.write(
    logKey(4),
    serializeEntry({ ...ENTRY, kind: 'begin', ended: 3 }),
    CONTROL_OBJECT_HEADERS,
  );
  await beat(ENTRY.token);
  expect(await readLog(bucket)).toMatchObject({ isHeld: true, isDamaged: false });
  await beat('another');
  const replaced = await readLog(bucket);
  expect(replaced).toMatchObject({ isHeld: true, isDamaged: true });
  expect(bucketStateOf(replaced)).toMatchObject({ suspect: true, current: null });
  // The beat of an earlier holder tells nothing of a later entry.
  await bucket.write(
    logKey(5),
    serializeEntry({ ...ENTRY, kind: 'begin', ended: 3 }),
    CONTROL_OBJECT_HEADERS,
  );
  expect(await readLog(bucket)).toMatchObject({ isHeld: true, isDamaged: false });
});

it.each<[Partial<LogEntry>, boolean]>([
  [{}, true],
  [{ kind: 'begin', ended: 0 }, false],
  [{ suspect: true }, false],
  [{ releases: ['a'.repeat(32)] }, false],
])('with %j: at rest is %s', async (part, isResting) => {
  const bucket = openMemory();
  await bucket.write(logKey(4), serializeEntry({ ...ENTRY, ...part }), CONTROL_OBJECT_HEADERS);
  const log = await readLog(bucket);
  expect(isAtRest(log)).toBe(isResting);
  expect(bucketStateOf(log).suspect).toBe(!isResting);
});

it('with a time of quiet: requests may take effect until the store says that it is over', async () => {
  let now = new Date('2026-01-20T00:00:00Z');
  const bucket = openMemory({ now: () => now });
  await bucket.write(
    logKey(4),
    serializeEntry({ ...ENTRY, quiet: '2026-01-20T00:00:45.000Z' }),
    CONTROL_OBJECT_HEADERS,
  );
  expect(mayStillHaveRequests(await readLog(bucket))).toBe(true);
  now = new Date('2026-01-20T00:00:45Z');
  const log = await readLog(bucket);
  expect(mayStillHaveRequests(log)).toBe(false);
  expect(mayStillHaveRequests({ ...log, time: undefined })).toBe(true);
});

it('an entry never has more releases than are read', () => {
  const names = Array.from({ length: 500 }, (_, n) => n.toString(16).padStart(32, '0'));
  const { releases } = withAddedReleases(UNUSED_BUCKET, { releases: names, readerLife: 0 });
  expect(releases.at(-1)).toBe(names.at(-1));
  const entry = { kind: 'begin', owner: 'a', token: 'b', since: 'c', ended: 0, quiet: null } as const;
  const bytes = serializeEntry({ ...entry, ...UNUSED_BUCKET, releases });
  expect(parseEntry(bytes, 'here')?.releases).toEqual(releases);
});
