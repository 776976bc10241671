/** What readers are promised of releases, and that nothing breaks it. */
import { expect, it } from 'vitest';
import { type KeptReleases, keptReleasesSchema } from '../../src/contract/document-schemas.ts';
import { KEPT_RELEASES_KEY, rootKey } from '../../src/contract/object-keys.ts';
import { pruneReleases } from '../../src/publish/prune.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import { openMemory } from '../storage/memory.ts';
import { idOf, makeSource } from './made.ts';
import { recorded } from './recorded.ts';
import { putEntry } from './remembered.ts';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1);
const at = (day: number) => new Date(START + day * DAY).toISOString();

const titled = (letter: string) =>
  makeSource({ initial: letter, properties: [{ id: idOf(1), title: letter }] });
const A = titled('a').release.name;

function open() {
  let now = START;
  const bucket = openMemory({ name: 'store', now: () => new Date(now) });
  const publish = (letter: string, day: number, keptDays = 7) => {
    now = START + day * DAY;
    return publishRelease(bucket, titled(letter), { keptDays });
  };
  const on = (day: number) => {
    now = START + day * DAY;
  };
  return { bucket, publish, on };
}

async function listIn(bucket: Bucket): Promise<KeptReleases> {
  return keptReleasesSchema.parse(JSON.parse((await bucket.read(KEPT_RELEASES_KEY))!.body.toString('utf8')));
}
const untils = async (bucket: Bucket) =>
  (await listIn(bucket)).releases.map(({ release, keptUntil }) => [release[0], keptUntil]);

it('names the live release, and earlier ones until they may go', async () => {
  const { bucket, publish } = open();
  await publish('a', 0);
  expect(await listIn(bucket)).toEqual({
    keptDays: 7,
    releases: [{ release: A, version: 3, since: at(0), keptUntil: null }],
  });
  await publish('b', 2);
  await publish('c', 3);
  expect(await untils(bucket)).toEqual([
    ['c', null],
    ['b', at(10)],
    ['a', at(9)],
  ]);
});

it('never writes a list that is too long to be read back', async () => {
  const { bucket, publish } = open();
  await publish('a', 0);
  const { keptDays, releases } = await listIn(bucket);
  const old = Array.from({ length: 5000 }, (_, index) => ({
    ...{ release: index.toString(16).padStart(32, '0'), version: 3, since: at(0), keptUntil: at(900) },
    number: 100_000_000 + index,
  }));
  const body = { keptDays, releases: [...releases, ...old].slice(0, 5000) };
  await bucket.write(KEPT_RELEASES_KEY, Buffer.from(JSON.stringify(body)), CONTROL_OBJECT_HEADERS);
  for (const { release } of old)
    await bucket.write(rootKey(release), Buffer.from('{}'), CONTROL_OBJECT_HEADERS);
  await publish('b', 1);
  await publish('c', 2);
  const found = await untils(bucket);
  expect([found.length, found.slice(0, 3), found.at(-1)![1]]).toEqual([
    5000,
    [
      ['c', null],
      ['b', at(9)],
      ['a', at(8)],
    ],
    at(900),
  ]);
});

it('makes no promise shorter: by fewer days, a lost timeline, or a release that was live twice', async () => {
  const { bucket, publish, on } = open();
  await publish('a', 0, 30);
  await publish('b', 2, 30);
  await publish('c', 3, 1);
  expect(await untils(bucket)).toEqual([
    ['c', null],
    ['b', at(33)],
    ['a', at(32)],
  ]);
  on(4);
  await rollBack(bucket, A, { keptDays: 1 });
  await putEntry(bucket, { timeline: null });
  await publish('d', 5, 1);
  expect(Object.fromEntries(await untils(bucket))).toEqual({ d: null, a: at(32), b: at(33) });
});

it('a prune breaks no promise, writes nothing then, and takes a release from the list before it removes it', async () => {
  const { bucket, publish } = open();
  await publish('a', 0);
  await publish('b', 2);
  const now = START + 5 * DAY;
  const before = [...(await listIn(bucket)).releases];
  const { bucket: watched, requests } = recorded(bucket);
  await expect(pruneReleases(watched, { grace: 1, now })).rejects.toMatchObject({
    code: 'kept-longer',
    message: expect.stringContaining(at(9)),
  });
  expect(requests.filter((one) => /^(?:write|remove) /.test(one) && !one.includes('/log/'))).toEqual([]);
  expect((await listIn(bucket)).releases).toEqual(before);
  const { pruned } = await pruneReleases(watched, { grace: 1, now, force: true });
  expect(pruned).toEqual([A]);
  const [list, objects] = [KEPT_RELEASES_KEY, rootKey(A)].map((key) =>
    requests.findIndex((request) => /^(?:write|remove) /.test(request) && request.includes(key)),
  );
  expect(list).toBeGreaterThanOrEqual(0);
  expect(objects).toBeGreaterThan(list!);
  expect(await untils(bucket)).toEqual([['b', null]]);
});

it('after that time, a prune needs no force', async () => {
  const { bucket, publish, on } = open();
  await publish('a', 0);
  await publish('b', 2);
  on(9.1);
  expect((await pruneReleases(bucket)).pruned).toEqual([A]);
  expect(await untils(bucket)).toEqual([['b', null]]);
});

it('what a live release was promised counts when it is live again and replaced', async () => {
  const { bucket, publish } = open();
  await publish('a', 0, 30);
  await publish('b', 1, 1);
  await publish('a', 2, 30);
  await publish('b', 3, 1);
  expect(await untils(bucket)).toEqual([
    ['b', at(32)],
    ['a', at(33)],
  ]);
});

it('promises nothing of a release whose root a killed prune removed', async () => {
  const { bucket, publish } = open();
  await publish('a', 0);
  await publish('b', 2);
  const killed: Bucket = {
    ...bucket,
    remove: async (keys) => {
      const answer = await bucket.remove(keys);
      if (keys.includes(rootKey(A))) throw new Error('killed');
      return answer;
    },
  };
  await expect(pruneReleases(killed, { grace: 1, now: START + 5 * DAY, force: true })).rejects.toThrow(
    'killed',
  );
  await publish('c', 6);
  expect((await untils(bucket)).map(([name]) => name)).toEqual(['c', 'b']);
});

it('a list that something else damaged is made anew; without the option there is none', async () => {
  const { bucket, publish } = open();
  await publishRelease(bucket, titled('a'));
  expect(await bucket.read(KEPT_RELEASES_KEY)).toBeUndefined();
  await bucket.write(KEPT_RELEASES_KEY, Buffer.from('{'), CONTROL_OBJECT_HEADERS);
  await publish('c', 3);
  expect(await untils(bucket)).toEqual([
    ['c', null],
    ['a', at(10)],
  ]);
});
