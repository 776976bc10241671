/** A dry run reads the store and its own writes, and changes nothing. */

import { expect, it } from 'vitest';
import { CURRENT_KEY, KEPT_RELEASES_KEY, LOG_FOLDER } from '../../src/contract/object-keys.ts';
import { ConditionFailed, etagOf } from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import { withDryRun } from '../../src/storage/dry-run.ts';
import { takeLock } from '../../src/storage/lock.ts';
import { logKey, readLog } from '../../src/storage/lock-log.ts';
import { QUIET_AFTER } from '../../src/storage/lock-log-writer.ts';
import { thisMachine } from '../../src/storage/machine.ts';
import { putEntry } from '../publish/remembered.ts';
import { listKeys } from '../support/bucket.ts';
import { openMemory } from './memory.ts';

const text = (value: string) => Buffer.from(value);

it('writes and removes nothing, and remembers what a publisher reads back', async () => {
  const bucket = openMemory({ name: 's3://stays' });
  for (const key of ['a', CURRENT_KEY, KEPT_RELEASES_KEY])
    await bucket.write(key, text('old'), CONTROL_OBJECT_HEADERS);
  const dry = withDryRun(bucket);
  expect(dry.name).toBe('s3://stays');
  for (const key of ['a', CURRENT_KEY, KEPT_RELEASES_KEY]) {
    expect((await dry.read(key))?.body).toEqual(text('old'));
    expect(await dry.write(key, text('new'), CONTROL_OBJECT_HEADERS)).toEqual({ tag: etagOf(text('new')) });
  }
  expect((await dry.read('a'))?.body).toEqual(text('old'));
  for (const key of [CURRENT_KEY, KEPT_RELEASES_KEY])
    expect(await dry.read(key)).toEqual({ body: text('new'), tag: etagOf(text('new')) });
  await dry.remove(['a', KEPT_RELEASES_KEY]);
  expect((await dry.read('a'))?.body).toEqual(text('old'));
  expect(await dry.read(KEPT_RELEASES_KEY)).toBeUndefined();
  const body = { size: 3, read: async () => text('new') };
  expect(await dry.writeLarge!('large', body, CONTROL_OBJECT_HEADERS)).toEqual({ tag: '' });
  const keys = await listKeys(bucket);
  expect(keys).toEqual([CURRENT_KEY, KEPT_RELEASES_KEY, 'a']);
  for (const key of keys) expect((await bucket.read(key))?.body).toEqual(text('old'));
});

it('checks conditions against what it remembers', async () => {
  const dry = withDryRun(openMemory());
  const write = () => dry.write(CURRENT_KEY, text('1'), CONTROL_OBJECT_HEADERS, { absent: true });
  await write();
  await expect(write()).rejects.toThrow(ConditionFailed);
});

it('lists what it remembers in the order of keys, which is that of their bytes', async () => {
  const [low, high] = [`${LOG_FOLDER}/\uff5e`, `${LOG_FOLDER}/\u{1f600}`];
  const bucket = openMemory();
  for (const key of [logKey(2), high]) await bucket.write(key, text('old'), CONTROL_OBJECT_HEADERS);
  const dry = withDryRun(bucket);
  for (const key of [low, logKey(3), logKey(1)]) await dry.write(key, text('new'), CONTROL_OBJECT_HEADERS);
  expect(await listKeys(dry)).toEqual([logKey(1), logKey(2), logKey(3), low, high]);
  expect(await listKeys(dry, '', low)).toEqual([high]);
  await dry.write(high, text('new'), CONTROL_OBJECT_HEADERS);
  expect(await listKeys(dry, '', low)).toEqual([high]);
});

it('knows whether the store keeps versions', async () => {
  const dry = withDryRun({ ...openMemory(), keepsVersions: async () => true });
  expect(await dry.keepsVersions!()).toBe(true);
  expect(withDryRun(openMemory()).keepsVersions).toBeUndefined();
});

it('waits for no request of an earlier publish', async () => {
  const host = { ...thisMachine(), sleep: () => Promise.reject(new Error('waited')) };
  const unfinished = openMemory();
  const quiet = new Date(Date.now() + QUIET_AFTER).toISOString();
  await putEntry(unfinished, { kind: 'end', suspect: true, ended: 1, quiet });
  const withoutLog = openMemory();
  for (const bucket of [unfinished, withoutLog]) {
    const held = await takeLock(withDryRun(bucket), { host });
    await held.finish({});
    await expect(takeLock(bucket, { host })).rejects.toThrow('waited');
  }
});

it.each([
  ['begin', false, true],
  ['end', true, true],
  ['end', false, false],
] as const)('a log that ends with %s is read as given back', async (kind, suspect, isDoubtful) => {
  const bucket = openMemory();
  await putEntry(bucket, { kind, suspect, ended: 1 });
  const dry = withDryRun(bucket);
  expect(await readLog(dry)).toMatchObject({
    isHeld: false,
    lastNumber: 1,
    lastEntry: { suspect: isDoubtful },
  });
  const held = await takeLock(dry);
  expect((await readLog(dry)).isHeld).toBe(true);
  await held.finish({});
  expect(await listKeys(bucket)).toEqual([logKey(1)]);
});
