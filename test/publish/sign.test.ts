/** Signed releases: numbers, order, keys and recovery. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { MANIFEST_KEY, STATEMENTS_FOLDER, statementKey } from '../../src/contract/keys.ts';
import { pruneReleases } from '../../src/publish/archive/prune.ts';
import { rollBack } from '../../src/publish/archive/rollback.ts';
import { readSigning } from '../../src/publish/key-file.ts';
import { type PublishOptions, publishRelease } from '../../src/publish/publish.ts';
import { checkStatement, parseStatement, statementDigest } from '../../src/release/statement.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { LOCK_KEY } from '../../src/storage/reserved-keys.ts';
import { openMemory } from '../storage/memory.ts';
import { idOf, type MadeSource, makeSource } from './made.ts';

const START = Date.UTC(2026, 0, 1);
const DAY = 24 * 60 * 60 * 1000;
const [key, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const SIGNING = { keys: [key.privateKey], days: 90 };
const house = (title: string) => makeSource({ properties: [{ id: idOf(1), title }] });
const [ONE, TWO, THREE] = ['One', 'Two', 'Three'].map(house) as [MadeSource, MadeSource, MadeSource];

function open() {
  let now = START;
  const bucket = openMemory({ name: 'store', now: () => new Date(now) });
  return {
    bucket,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    publish: (source: MadeSource, options: PublishOptions = { signing: SIGNING }) =>
      publishRelease(bucket, source, options),
    /** Number of the live release, as a reader finds it. */
    async number() {
      const manifest = (await bucket.read(MANIFEST_KEY))!.body;
      const statement = await bucket.read(statementKey(statementDigest(manifest)));
      const trust = { keys: [key.publicKey], catalogue: ONE.release.manifest.api.url, now };
      return checkStatement(statement?.body, manifest, trust).number;
    },
  };
}

const keysOf = async (bucket: Bucket, folder: string) => {
  const keys: string[] = [];
  for await (const { key } of bucket.list(folder)) keys.push(key);
  return keys;
};

it('numbers grow by one with each release that becomes live, also by a rollback', async () => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  expect(await number()).toBe(1);
  await publish(TWO);
  expect(await number()).toBe(2);
  await rollBack(bucket, undefined, { signing: SIGNING });
  expect(await number()).toBe(3);
  await publish(TWO);
  expect(await number()).toBe(4);
});

it('changes nothing for a release that is live, until half of its time has passed: then it is renewed', async () => {
  const { bucket, publish, pass, number } = open();
  await publish(ONE);
  pass(44 * DAY);
  expect((await publish(ONE)).outcome).toBe('unchanged');
  pass(2 * DAY);
  expect((await publish(ONE)).outcome).toBe('published');
  expect(await number()).toBe(1);
  const statement = await bucket.read(statementKey(statementDigest(ONE.release.bytes)));
  const { expires } = parseStatement(statement!.body)!.statement;
  // The clock also runs while the test does.
  expect(Math.floor((Date.parse(expires) - START) / 60_000)).toBe((136 * DAY) / 60_000);
  expect((await publish(ONE)).outcome).toBe('unchanged');
});

it('signs again with a second key, under the same number', async () => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  await publish(ONE, { signing: { keys: [other.privateKey, key.privateKey], days: 90 } });
  expect(await number()).toBe(1);
  const statement = await bucket.read(statementKey(statementDigest(ONE.release.bytes)));
  expect(parseStatement(statement!.body)!.signatures).toHaveLength(2);
});

it('signs a release that is live without a signature', async () => {
  const { publish, number } = open();
  await publish(ONE, {});
  await expect(number()).rejects.toMatchObject({ code: 'statement-missing' });
  expect((await publish(ONE)).outcome).toBe('published');
  expect(await number()).toBe(1);
});

it('a catalogue whose releases are signed takes none without a key', async () => {
  const { publish, number } = open();
  await publish(ONE);
  await expect(publish(TWO, {})).rejects.toMatchObject({ code: 'signing-key-needed' });
  expect(await number()).toBe(1);
  await publish(TWO);
  expect(await number()).toBe(2);
});

it('without a key writes no statement, and a lease record without a number', async () => {
  const { bucket, publish } = open();
  await publish(ONE, {});
  await publish(TWO, {});
  expect(await keysOf(bucket, STATEMENTS_FOLDER)).toEqual([]);
  expect((await bucket.read(LOCK_KEY))!.body.toString('utf8')).not.toContain('number');
});

/** Publishes a release as far as its manifest, which does not arrive. */
async function interrupt(bucket: Bucket, release: typeof TWO): Promise<void> {
  const failing: Bucket = {
    ...bucket,
    async write(name, ...rest) {
      if (name === MANIFEST_KEY) throw new Error('cut off');
      return bucket.write(name, ...rest);
    },
  };
  await expect(publishRelease(failing, release, { signing: SIGNING })).rejects.toThrow('cut off');
}

it('a number that an interrupted publish took is never that of another release', async () => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  await interrupt(bucket, TWO);
  // The statement of the release that did not become live is there, and readers of the live one are not disturbed.
  expect(await bucket.read(statementKey(statementDigest(TWO.release.bytes)))).toBeDefined();
  expect(await number()).toBe(1);
  await publish(THREE);
  expect(await number()).toBe(3);
});

it('the same release that was interrupted goes on with its number', async () => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  await interrupt(bucket, TWO);
  await publish(TWO);
  expect(await number()).toBe(2);
});

it('the statement precedes its manifest, and follows all other objects', async () => {
  const { bucket } = open();
  const writes: string[] = [];
  const watched: Bucket = {
    ...bucket,
    write(name, ...rest) {
      writes.push(name);
      return bucket.write(name, ...rest);
    },
  };
  await publishRelease(watched, ONE, { signing: SIGNING });
  const place = writes.indexOf(MANIFEST_KEY);
  expect(writes[place - 1]).toBe(statementKey(statementDigest(ONE.release.bytes)));
  expect(writes.slice(place).filter((name) => /properties|pages/.test(name))).toEqual([]);
});

it('goes on from the statements when the lease record is lost', async () => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  await publish(TWO);
  await bucket.remove([LOCK_KEY]);
  // Without a lock, so that nobody has to be waited for.
  await publish(THREE, { signing: SIGNING, lock: { isExclusive: false } });
  expect(await number()).toBe(3);
});

it('prune removes statements of releases that it forgets, and keeps those of others', async () => {
  const { bucket, publish, pass, number } = open();
  await publish(ONE);
  await publish(TWO);
  pass(DAY);
  await pruneReleases(bucket);
  expect(await keysOf(bucket, STATEMENTS_FOLDER)).toHaveLength(2);
  await pruneReleases(bucket, { grace: 0 });
  expect(await keysOf(bucket, STATEMENTS_FOLDER)).toEqual([statementKey(statementDigest(TWO.release.bytes))]);
  await publish(THREE);
  expect(await number()).toBe(3);
});

it.each([
  ['nowhere.key', 'it does not exist'],
  ['.', 'it is a folder'],
])('a file of signing keys that cannot be read is named: %s', async (file, reason) => {
  await expect(readSigning(file, 90)).rejects.toMatchObject({
    code: 'unreadable-key-file',
    message: expect.stringContaining(`${file}, cannot be read: ${reason}.`),
  });
});
