/** The record in the object of a lease, valid or damaged. */
import { describe, expect, it } from 'vitest';
import type { Bucket } from '../../src/storage/bucket.ts';
import {
  isAtRest,
  type LeaseRecord,
  parseRecord,
  readLease,
  recordBytes,
  remainsOf,
} from '../../src/storage/lease-record.ts';
import { CONTROL_HEADERS, LOCK_KEY } from '../../src/storage/reserved-keys.ts';
import { openMemory } from './memory.ts';

const RECORD: LeaseRecord = {
  version: 2,
  held: false,
  owner: 'ann@desk',
  token: 'token-1',
  epoch: 3,
  renewal: 7,
  since: '2026-01-20T00:00:00.000Z',
  duration: 60_000,
  life: 30_000,
  settled: true,
  releases: [],
  suspect: false,
  manifest: 'a'.repeat(32),
  due: '2026-01-21T00:00:00.000Z',
  goal: null,
  readerLife: 0,
  timeline: null,
};

/** An unreadable record: any state is possible, and its holder may live. */
const UNKNOWN = {
  version: 2,
  held: true,
  owner: 'an unknown publisher',
  token: '',
  epoch: 0,
  renewal: 0,
  since: '',
  duration: 60_000,
  life: 60_000,
  settled: false,
  releases: [],
  suspect: true,
  manifest: null,
  due: null,
  goal: null,
  readerLife: 0,
  timeline: null,
};

const text = (value: unknown) => Buffer.from(JSON.stringify(value));

it('is read back as it was written', () => {
  expect(parseRecord(recordBytes(RECORD))).toEqual(RECORD);
  expect(recordBytes(RECORD).toString()).toMatch(/^\{"version":2,.*\}\n$/);
  for (const sound of [
    { manifest: null, due: null },
    { epoch: 0, renewal: 0 },
    { duration: 1, life: 3_600_000 },
    { duration: 3_600_000, life: 1 },
    { releases: ['abcdef', '0'.repeat(64)] },
  ]) {
    expect(parseRecord(text({ ...RECORD, ...sound }))).toEqual({ ...RECORD, ...sound });
  }
});

it('of a probe knows nothing of the bucket, nor a holder, since it may arrive after the lock was removed (seeds 654948, 3289560)', () => {
  const { suspect, manifest, due, goal, epoch, token, number } = parseRecord(
    text({ ...RECORD, probe: true, suspect: false, manifest: 'a'.repeat(32), number: 7 }),
  );
  expect({ suspect, manifest, due, goal }).toEqual({ suspect: true, manifest: null, due: null, goal: null });
  expect({ epoch, token, number }).toEqual({ epoch: RECORD.epoch, token: '', number: 0 });
});

describe('a record is read as unknown', () => {
  it.each<[string, Record<string, unknown>]>([
    ['of another version', { version: 3 }],
    ...['held', 'settled', 'suspect'].map((key): [string, Record<string, unknown>] => [
      `with ${key} as text`,
      { [key]: 'no' },
    ]),
    ...['token', 'since'].map((key): [string, Record<string, unknown>] => [
      `with ${key} as a number`,
      { [key]: 1 },
    ]),
    ...['epoch', 'renewal'].flatMap((key): [string, Record<string, unknown>][] => [
      [`with ${key} below 0`, { [key]: -1 }],
      [`with ${key} in parts`, { [key]: 1.5 }],
    ]),
    ...['duration', 'life'].flatMap((key): [string, Record<string, unknown>][] => [
      [`with no ${key}`, { [key]: 0 }],
      [`with ${key} over an hour`, { [key]: 3_600_001 }],
      [`with ${key} as text`, { [key]: '60000' }],
    ]),
    ['with lists that caches may serve for less than no time', { readerLife: -1 }],
    ['with lists that caches may serve for a text', { readerLife: '60' }],
    ['with a manifest that is no text', { manifest: 1 }],
    ['with a date that is no text', { due: 1 }],
    ['with a text that is no date', { due: 'soon' }],
  ])('%s', (_name, wrong) => {
    expect(parseRecord(text({ ...RECORD, ...wrong }))).toEqual({ ...UNKNOWN, owner: 'ann@desk' });
  });

  it.each([
    ['names that no release has', ['abcdeg']],
    ['short names', ['abcde']],
    ['long names', ['a'.repeat(65)]],
    ['names behind something', [' abcdef']],
    ['names before something', ['abcdef ']],
    ['numbers', [123_456]],
    ['no list', 'abcdef'],
  ])('with %s', (_name, releases) => {
    expect(parseRecord(text({ ...RECORD, releases }))).toEqual({ ...UNKNOWN, owner: 'ann@desk' });
  });

  it('when it is damaged, or of another version, whose owner and releases are kept', () => {
    for (const damaged of ['', '{', 'null', '[]']) expect(parseRecord(Buffer.from(damaged))).toEqual(UNKNOWN);
    expect(parseRecord(text({ owner: 'ann', releases: ['abcdef'] }))).toEqual({
      ...UNKNOWN,
      owner: 'ann',
      releases: ['abcdef'],
    });
    expect(parseRecord(text({ owner: 5, releases: ['-'] }))).toEqual(UNKNOWN);
  });
});

it.each([
  [{}, true],
  [{ held: true }, false],
  [{ suspect: true }, false],
  [{ releases: ['abcdef'] }, false],
])('with %j: at rest is %s', (part, isResting) => {
  const record = { ...RECORD, ...part };
  expect(isAtRest(record)).toBe(isResting);
  const { releases, manifest, due, goal, readerLife, timeline } = record;
  expect(remainsOf(record)).toEqual({
    ...{ releases, manifest, due, goal, readerLife, timeline, suspect: !isResting },
  });
});

it('has the age that two times of the store guarantee', async () => {
  let now = new Date(1_000_000);
  const bucket = openMemory({ now: () => now });
  expect(await readLease(bucket)).toBeUndefined();
  const { tag } = await bucket.write(LOCK_KEY, recordBytes(RECORD), CONTROL_HEADERS);
  expect(await readLease(bucket)).toEqual({ record: RECORD, tag, age: -1000, time: now });
  now = new Date(1_005_000);
  // Both times are rounded down to whole seconds.
  expect((await readLease(bucket))!.age).toBe(4000);
  // The store's clock was set back: whoever waits for the record's age waits longer.
  now = new Date(960_000);
  expect((await readLease(bucket))!.age).toBe(-41_000);
  now = new Date(1_005_000);
  const silent = (left: 'modified' | 'time'): Bucket => ({
    ...bucket,
    read: async (key) => ({ ...(await bucket.read(key))!, [left]: undefined }),
  });
  expect((await readLease(silent('modified')))!.age).toBeUndefined();
  expect((await readLease(silent('time')))!.age).toBeUndefined();
});
