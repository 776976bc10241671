/** Signed releases: numbers, order, keys and recovery. */
import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  CURRENT_KEY,
  RELEASE_STATEMENTS_FOLDER,
  releaseStatementKey,
  rootKey,
} from '../../src/contract/object-keys.ts';
import type { PublishEvent } from '../../src/publish/progress.ts';
import { pruneReleases } from '../../src/publish/prune.ts';
import { type PublishOptions, publishRelease } from '../../src/publish/publish.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { resolveSigningOptions } from '../../src/publish/signing-key-file.ts';
import { parseCurrent } from '../../src/release/root-contents.ts';
import {
  checkStatement,
  parseStatement,
  sha256Hex,
  signStatement,
} from '../../src/release/signed-statement.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { type LogEntry, readLog } from '../../src/storage/lock-log.ts';
import { openMemory } from '../storage/memory.ts';
import { idOf, type MadeSource, makeSource } from './made.ts';
import { putEntry } from './remembered.ts';

const HEADERS = { contentType: 'x', cacheControl: 'x' };

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
      const { release } = parseCurrent((await bucket.read(CURRENT_KEY))!.body)!;
      const root = (await bucket.read(rootKey(release)))!.body;
      const statement = await bucket.read(releaseStatementKey(sha256Hex(root)));
      const trust = { keys: [key.publicKey], catalogue: ONE.release.settings.url, now };
      return checkStatement(statement?.body, root, trust).number;
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
  const statement = await bucket.read(releaseStatementKey(sha256Hex(ONE.release.rootBytes)));
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
  const statement = await bucket.read(releaseStatementKey(sha256Hex(ONE.release.rootBytes)));
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
  // Nothing changed, but its signature would expire.
  await expect(publish(ONE, {})).rejects.toMatchObject({ code: 'signing-key-needed' });
  expect(await number()).toBe(1);
  await publish(TWO);
  expect(await number()).toBe(2);
});

it('without a key writes no statement, and a log without a number', async () => {
  const { bucket, publish } = open();
  await publish(ONE, {});
  await publish(TWO, {});
  expect(await keysOf(bucket, RELEASE_STATEMENTS_FOLDER)).toEqual([]);
  expect((await readLog(bucket)).lastEntry).not.toHaveProperty('number');
});

/** Publishes a release as far as current.json, which does not arrive. */
async function interrupt(bucket: Bucket, release: typeof TWO): Promise<void> {
  const failing: Bucket = {
    ...bucket,
    async write(name, ...rest) {
      if (name === CURRENT_KEY) throw new Error('cut off');
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
  expect(await bucket.read(releaseStatementKey(sha256Hex(TWO.release.rootBytes)))).toBeDefined();
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

it('the statement precedes current.json, and follows all other objects', async () => {
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
  const place = writes.indexOf(CURRENT_KEY);
  expect(writes[place - 1]).toBe(releaseStatementKey(sha256Hex(ONE.release.rootBytes)));
  expect(writes.slice(place).filter((name) => /properties|pages/.test(name))).toEqual([]);
});

it('goes on from the statements when the log is lost', async () => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  await publish(TWO);
  await bucket.remove((await readLog(bucket)).keys);
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
  expect(await keysOf(bucket, RELEASE_STATEMENTS_FOLDER)).toHaveLength(2);
  await pruneReleases(bucket, { grace: 0 });
  expect(await keysOf(bucket, RELEASE_STATEMENTS_FOLDER)).toEqual([
    releaseStatementKey(sha256Hex(TWO.release.rootBytes)),
  ]);
  await publish(THREE);
  expect(await number()).toBe(3);
});

/** Appends an end, as a stranger does. */
const record = (bucket: Bucket, change: Partial<LogEntry>) => putEntry(bucket, change);
const recordedNumber = async (bucket: Bucket) => (await readLog(bucket)).lastEntry!.number;

it.each([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, 2 ** 31, 103, 1, 0])(
  'signs the number after the last proved one with %d in the lock, and puts that right',
  async (number_) => {
    const { bucket, publish, number } = open();
    await publish(ONE);
    await publish(TWO);
    await record(bucket, { number: number_ });
    const notes: string[] = [];
    const listener = (event: PublishEvent) => void (event.kind === 'note' && notes.push(event.text));
    await publish(THREE, { signing: SIGNING, listener });
    expect(await number()).toBe(3);
    expect(await recordedNumber(bucket)).toBe(3);
    expect(notes.some((text) => text.includes(`number ${number_} `))).toBe(number_ !== 0);
  },
);

it('takes a number a small step above the proved one for that of interrupted publishes', async () => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  await record(bucket, { number: 101 });
  await publish(TWO);
  expect(await number()).toBe(102);
});

it('puts a number right that does not fit, although the release is live and signed', async () => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  await record(bucket, { number: Number.MAX_SAFE_INTEGER });
  expect((await publish(ONE)).outcome).toBe('published');
  expect([await number(), await recordedNumber(bucket)]).toEqual([1, 1]);
  expect((await publish(ONE)).outcome).toBe('unchanged');
});

const ELSEWHERE = makeSource({
  api: { url: 'https://other.example' },
  properties: [{ id: idOf(1), title: 'x' }],
});
it.each([
  ['of another key', ONE, other.privateKey],
  ['of another catalogue with the same key', ELSEWHERE, key.privateKey],
])('counts no statement %s', async (_, source, privateKey) => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  const root = sha256Hex(Buffer.from('x'));
  const { url } = source.release.settings;
  const times = { published: '2026-01-01T00:00:00Z', expires: '2027-01-01T00:00:00Z' };
  const statement = { version: 1, catalogue: url, release: 'x', number: 9_000, root, ...times } as const;
  await bucket.write(releaseStatementKey(root), signStatement(statement, [privateKey]), HEADERS);
  await publish(TWO);
  expect(await number()).toBe(2);
});

it('counts a signed statement only at its own key, and reads no large one', async () => {
  const { bucket, publish, number } = open();
  await publish(ONE);
  await publish(TWO);
  const [first] = await keysOf(bucket, RELEASE_STATEMENTS_FOLDER);
  const body = (await bucket.read(first!))!.body;
  await bucket.write(`${RELEASE_STATEMENTS_FOLDER}/${'0'.repeat(64)}.ndjson`, body, HEADERS);
  await bucket.write(`${RELEASE_STATEMENTS_FOLDER}/large.ndjson`, Buffer.alloc(20_000, body), HEADERS);
  await publish(THREE);
  expect(await number()).toBe(3);
});

it('signs nothing after the greatest number', async () => {
  const { bucket, publish } = open();
  await publish(ONE);
  const root = sha256Hex(Buffer.from('x'));
  const times = { published: '2026-01-01T00:00:00Z', expires: '2027-01-01T00:00:00Z' };
  const number = Number.MAX_SAFE_INTEGER;
  const catalogue = ONE.release.settings.url;
  const statement = { version: 1, catalogue, release: 'x', number, root, ...times } as const;
  await bucket.write(releaseStatementKey(root), signStatement(statement, [key.privateKey]), HEADERS);
  await expect(publish(TWO)).rejects.toMatchObject({ code: 'numbers-used-up' });
});

it.each([
  ['nowhere.key', 'it does not exist'],
  ['.', 'it is a folder'],
  ['/dev/zero', 'it is not a regular file'],
])('a file of signing keys that cannot be read is named: %s', async (file, reason) => {
  expect(() => resolveSigningOptions(file, 90)).toThrow(
    expect.objectContaining({
      code: 'unreadable-key-file',
      message: expect.stringContaining(`${file}, cannot be read: ${reason}.`),
    }),
  );
});
