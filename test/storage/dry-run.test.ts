/** A dry run reads the store and its own writes, and changes nothing. */

import { expect, it } from 'vitest';
import { MANIFEST_KEY } from '../../src/contract/object-keys.ts';
import { ConditionFailed, tagOf } from '../../src/storage/bucket.ts';
import { withDryRun } from '../../src/storage/dry-run.ts';
import { type LeaseRecord, parseRecord, recordBytes } from '../../src/storage/lease-record.ts';
import { CONTROL_HEADERS, LOCK_KEY, TIMELINE_KEY } from '../../src/storage/reserved-keys.ts';
import { listKeys } from '../support/bucket.ts';
import { openMemory } from './memory.ts';

const text = (value: string) => Buffer.from(value);

it('writes and removes nothing, and remembers what a publisher reads back', async () => {
  const bucket = openMemory({ name: 's3://stays' });
  for (const key of ['a', MANIFEST_KEY, TIMELINE_KEY]) await bucket.write(key, text('old'), CONTROL_HEADERS);
  const dry = withDryRun(bucket);
  expect(dry.name).toBe('s3://stays');
  for (const key of ['a', MANIFEST_KEY, TIMELINE_KEY]) {
    expect((await dry.read(key))?.body).toEqual(text('old'));
    expect(await dry.write(key, text('new'), CONTROL_HEADERS)).toEqual({ tag: tagOf(text('new')) });
  }
  expect((await dry.read('a'))?.body).toEqual(text('old'));
  for (const key of [MANIFEST_KEY, TIMELINE_KEY])
    expect(await dry.read(key)).toEqual({ body: text('new'), tag: tagOf(text('new')) });
  await dry.remove(['a', TIMELINE_KEY]);
  expect((await dry.read('a'))?.body).toEqual(text('old'));
  expect(await dry.read(TIMELINE_KEY)).toBeUndefined();
  const body = { size: 3, read: async () => text('new') };
  expect(await dry.writeLarge!('large', body, CONTROL_HEADERS)).toEqual({ tag: '' });
  const keys = await listKeys(bucket);
  expect(keys).toEqual([MANIFEST_KEY, TIMELINE_KEY, 'a']);
  for (const key of keys) expect((await bucket.read(key))?.body).toEqual(text('old'));
});

it('checks conditions against what it remembers', async () => {
  const dry = withDryRun(openMemory());
  const write = (value: string, condition: { absent: true } | { tag: string }) =>
    dry.write(MANIFEST_KEY, text(value), CONTROL_HEADERS, condition);
  await expect(write('1', { tag: '"none"' })).rejects.toThrow(ConditionFailed);
  const { tag } = await write('1', { absent: true });
  await expect(write('2', { absent: true })).rejects.toThrow(ConditionFailed);
  await expect(write('2', { tag: '"other"' })).rejects.toThrow(ConditionFailed);
  await write('2', { tag });
  expect((await dry.read(MANIFEST_KEY))?.body).toEqual(text('2'));
});

it.each([
  [
    { held: true, suspect: false },
    { held: false, suspect: true },
  ],
  [
    { held: false, suspect: true },
    { held: false, suspect: true },
  ],
  [
    { held: false, suspect: false },
    { held: false, suspect: false },
  ],
])('a lease that is %j is read as %j, and settled', async (is, read) => {
  const bucket = openMemory();
  const record: LeaseRecord = {
    ...{ version: 2, owner: 'ann', token: 'one', epoch: 3, renewal: 1, since: '2026-01-20T00:00:00.000Z' },
    ...{
      duration: 60_000,
      life: 30_000,
      settled: false,
      releases: [],
      manifest: null,
      due: null,
      goal: null,
      readerLife: 0,
      timeline: null,
    },
    ...is,
  };
  const { tag } = await bucket.write(LOCK_KEY, recordBytes(record), CONTROL_HEADERS);
  const found = await withDryRun(bucket).read(LOCK_KEY);
  expect(found?.tag).toBe(tag);
  expect(parseRecord(found!.body)).toEqual({ ...record, ...read, settled: true });
  expect(await withDryRun(openMemory()).read(LOCK_KEY)).toBeUndefined();
});
