/** The releases of a bucket, their order, and the one to which a rollback goes. */
import { expect, it } from 'vitest';
import { CURRENT_KEY, prunedRootKey, rootKey } from '../../src/contract/object-keys.ts';
import { describeReleases, listReleases } from '../../src/publish/list-releases.ts';
import { chooseRollbackRelease } from '../../src/publish/rollback.ts';
import { readTimeline, type Timeline } from '../../src/publish/timeline.ts';
import { UNKNOWN_BUILD } from '../../src/release/root-contents.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import { openMemory } from '../storage/memory.ts';
import { idOf, makeSource } from './made.ts';
import { putTimeline } from './remembered.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const at = (n: number) => day(n).toISOString();
const sources = ['a', 'b', 'c', 'd'].map((initial) =>
  makeSource({ initial, time: at(20), properties: [{ id: idOf(1), title: initial }] }),
);
const [A, B, C, D] = sources.map(({ release }) => release.name) as [string, string, string, string];

/** A bucket whose clock is set by the day. */
function open() {
  let today = 1;
  const bucket = openMemory({ name: 'store', now: () => day(today) });
  const releaseOf = (name: string) => sources.find(({ release }) => release.name === name)!;
  return {
    bucket,
    on: (n: number) => {
      today = n;
    },
    arrive: (name: string) =>
      bucket.write(rootKey(name), releaseOf(name).release.rootBytes, CONTROL_OBJECT_HEADERS),
    live: (name: string) =>
      bucket.write(CURRENT_KEY, releaseOf(name).bodies.get(CURRENT_KEY)!, CONTROL_OBJECT_HEADERS),
    remember: (part: Partial<Timeline>) => putTimeline(bucket, part),
    releases: async () => listReleases(bucket, await readTimeline(bucket)),
    choose: async (wanted?: string) => chooseRollbackRelease(bucket, wanted, await readTimeline(bucket)),
  };
}

const span = (release: string, since: number, until: number | null = null) => ({
  ...{ release, since: at(since), until: until === null ? null : at(until), build: UNKNOWN_BUILD },
});

it('an empty bucket has no releases', async () => {
  const { bucket, releases, choose } = open();
  expect(await releases()).toEqual([]);
  expect(await describeReleases(bucket)).toEqual([]);
  await expect(choose()).rejects.toMatchObject({
    code: 'unknown-release',
    message: 'store keeps no earlier release to go back to. "catalogue releases" lists those that it keeps.',
  });
});

it('each release has its times from the timeline', async () => {
  const { on, arrive, live, remember, releases, choose } = open();
  for (const [n, name] of [A, C].entries()) {
    on(n + 1);
    await arrive(name);
  }
  on(4);
  await live(C);
  await remember({
    live: [span(A, 1, 2), span(B, 2, 3), span(A, 3, 4), span(C, 4)],
  });
  const shared = { wasLive: true };
  expect(await releases()).toEqual([
    { ...shared, name: C, published: day(4), replaced: undefined, isLive: true, isRestorable: true },
    { ...shared, name: A, published: day(3), replaced: day(4), isLive: false, isRestorable: true },
    { ...shared, name: B, published: day(2), replaced: day(3), isLive: false, isRestorable: false },
  ]);
  expect(await choose()).toBe(A);
  expect(await choose(B.slice(0, 6).toUpperCase())).toBe(B);
  await expect(choose('dddddd')).rejects.toMatchObject({
    code: 'unknown-release',
    message: expect.stringContaining('store'),
  });
});

it('a release that never went live ends with its last attempt, and is no goal of a rollback', async () => {
  const { on, arrive, live, remember, releases, choose } = open();
  on(1);
  await arrive(A);
  await live(A);
  await remember({ live: [span(A, 1)] });
  on(3);
  await arrive(B);
  const never = { isLive: false, wasLive: false, isRestorable: false, isUnfinished: true };
  expect((await releases()).slice(1)).toEqual([{ ...never, name: B, published: day(3), replaced: day(3) }]);
  await expect(choose()).rejects.toMatchObject({ code: 'unknown-release' });
});

it('a first publish that ended before its release was live is no goal of a rollback', async () => {
  const { on, arrive, live, remember, releases, choose } = open();
  on(2);
  await arrive(A);
  on(4);
  await arrive(B);
  await live(B);
  await remember({ live: [span(B, 4)], from: at(1) });
  const [, first] = await releases();
  expect(first).toMatchObject({ name: A, wasLive: false, replaced: day(2) });
  await expect(choose()).rejects.toMatchObject({ code: 'unknown-release' });
});

it('a release from before the first timeline was replaced at the latest when that began', async () => {
  const { on, arrive, live, remember, releases, choose } = open();
  on(1);
  await arrive(A);
  on(2);
  await arrive(B);
  on(6);
  await arrive(D);
  on(4);
  await live(B);
  expect((await releases()).map(({ name, replaced, wasLive }) => [name, replaced, wasLive])).toEqual([
    [B, undefined, true],
    [D, day(6), false],
    [A, day(4), true],
  ]);
  await remember({ live: [span(B, 3)] });
  expect((await releases()).map(({ name, replaced, wasLive }) => [name, replaced, wasLive])).toEqual([
    [B, undefined, true],
    [D, day(6), false],
    [A, day(3), true],
  ]);
  expect(await choose()).toBe(A);
});

it('a release replaced by an unfinished publish ends when current.json was replaced', async () => {
  const { bucket, on, arrive, live, remember, releases } = open();
  on(1);
  for (const name of [A, B]) await arrive(name);
  await remember({ live: [span(A, 2)] });
  on(7);
  await live(B);
  const [, second] = await releases();
  expect(second).toMatchObject({ name: A, published: day(2), replaced: day(7), isLive: false });
  await bucket.remove([CURRENT_KEY]);
  const before = Date.now();
  const [lost] = await releases();
  expect(lost).toMatchObject({ name: A, isLive: false, wasLive: true });
  expect(lost!.replaced!.getTime()).toBeGreaterThanOrEqual(before);
});

it('releases of the same times are in the order of their names, and foreign objects are left out', async () => {
  const { bucket, arrive, releases } = open();
  for (const name of [B, A, D, C]) await arrive(name);
  const name = 'f'.repeat(32);
  const others = [prunedRootKey(name), `${rootKey(name)}.bak`, rootKey('other'), `${rootKey(name)}/x.json`];
  for (const key of others) await bucket.write(key, Buffer.from('x'), CONTROL_OBJECT_HEADERS);
  expect((await releases()).map(({ name }) => name)).toEqual([A, B, C, D]);
});

it('the release that went live later comes first when both were replaced at once', async () => {
  const { arrive, live, remember, releases } = open();
  for (const name of [A, B, C]) await arrive(name);
  await live(A);
  await remember({
    live: [span(B, 1, 5), span(C, 2, 5), span(A, 5)],
  });
  expect((await releases()).map(({ name }) => name)).toEqual([A, C, B]);
});

it('a description has the commit that made it live, and the properties of a sound root', async () => {
  const { bucket, arrive, live, remember } = open();
  for (const name of [A, B, C]) await arrive(name);
  await live(A);
  const build = { commit: 'e'.repeat(40), time: at(19) };
  await remember({
    live: [
      { ...span(C, 1, 2), build },
      { ...span(A, 2), build },
    ],
  });
  await bucket.write(rootKey(B), Buffer.from('{'), CONTROL_OBJECT_HEADERS);
  expect(await describeReleases(bucket)).toMatchObject([
    { name: A, isLive: true, commit: expect.stringMatching(/^20260120/), time: at(20), properties: 1 },
    { name: C, isLive: false, ...build, properties: 1 },
    { name: B, isLive: false, ...UNKNOWN_BUILD, properties: undefined },
  ]);
});
