/** The releases of a bucket, their order, and the one to which a rollback goes. */
import { expect, it } from 'vitest';
import { MANIFEST_KEY, rootKey } from '../../../src/contract/object-keys.ts';
import { chooseRollbackRelease, describeReleases, listReleases } from '../../../src/publish/archive/list.ts';
import type { Timeline } from '../../../src/publish/timeline.ts';
import {
  CONTROL_HEADERS,
  releaseManifestKey,
  releaseObjectsKey,
} from '../../../src/storage/reserved-keys.ts';
import { openMemory } from '../../storage/memory.ts';
import { idOf, makeSource } from '../made.ts';
import { putTimeline } from '../remembered.ts';

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
    arrive: async (name: string, isWhole = true) => {
      const { release, bodies } = releaseOf(name);
      await bucket.write(releaseManifestKey(name), release.bytes, CONTROL_HEADERS);
      const root = rootKey(name);
      await bucket.write(root, bodies.get(root)!, CONTROL_HEADERS);
      if (isWhole) await bucket.write(releaseObjectsKey(name), Buffer.from('x'), CONTROL_HEADERS);
    },
    live: (name: string) => bucket.write(MANIFEST_KEY, releaseOf(name).release.bytes, CONTROL_HEADERS),
    remember: (part: Partial<Timeline>) => putTimeline(bucket, part),
  };
}

it('an empty bucket has no releases', async () => {
  const { bucket } = open();
  expect(await listReleases(bucket)).toEqual([]);
  expect(await describeReleases(bucket)).toEqual([]);
  await expect(chooseRollbackRelease(bucket, undefined)).rejects.toMatchObject({
    code: 'unknown-release',
    message: 'store keeps no earlier release to go back to. "catalogue releases" lists those that it keeps.',
  });
});

it('each release has its times from the timeline', async () => {
  const { bucket, on, arrive, live, remember } = open();
  for (const [n, name] of [A, B, C].entries()) {
    on(n + 1);
    await arrive(name);
  }
  on(4);
  await live(C);
  await remember({
    live: [
      { release: A, since: at(1), until: at(2) },
      { release: B, since: at(2), until: at(3) },
      { release: A, since: at(3), until: at(4) },
      { release: C, since: at(4), until: null },
    ],
    pruned: [B],
  });
  const shared = { wasLive: true };
  expect(await listReleases(bucket)).toEqual([
    { ...shared, name: C, published: day(4), replaced: undefined, isLive: true, isRestorable: true },
    { ...shared, name: A, published: day(3), replaced: day(4), isLive: false, isRestorable: true },
    { ...shared, name: B, published: day(2), replaced: day(3), isLive: false, isRestorable: false },
  ]);
  expect(await chooseRollbackRelease(bucket, undefined)).toBe(A);
  expect(await chooseRollbackRelease(bucket, B.slice(0, 6).toUpperCase())).toBe(B);
  await expect(chooseRollbackRelease(bucket, 'dddddd')).rejects.toMatchObject({
    code: 'unknown-release',
    message: expect.stringContaining('store'),
  });
});

it('a release that never went live ends with its last attempt, and is no goal of a rollback', async () => {
  const { bucket, on, arrive, live, remember } = open();
  on(1);
  await arrive(A);
  await live(A);
  await remember({ live: [{ release: A, since: at(1), until: null }] });
  on(3);
  await arrive(B);
  on(5);
  await arrive(C, false);
  const never = { isLive: false, wasLive: false };
  expect((await listReleases(bucket)).slice(1)).toEqual([
    { ...never, name: C, published: day(5), replaced: day(5), isRestorable: false },
    { ...never, name: B, published: day(3), replaced: day(3), isRestorable: false, isUnfinished: true },
  ]);
  await expect(chooseRollbackRelease(bucket, undefined)).rejects.toMatchObject({ code: 'unknown-release' });
});

it('a first publish that ended before its release was live is no goal of a rollback', async () => {
  const { bucket, on, arrive, live, remember } = open();
  on(2);
  await arrive(A);
  on(4);
  await arrive(B);
  await live(B);
  await remember({ live: [{ release: B, since: at(4), until: null }], from: at(1) });
  const [, first] = await listReleases(bucket);
  expect(first).toMatchObject({ name: A, wasLive: false, replaced: day(2) });
  await expect(chooseRollbackRelease(bucket, undefined)).rejects.toMatchObject({ code: 'unknown-release' });
});

it('a release from before the first timeline was replaced at the latest when that began', async () => {
  const { bucket, on, arrive, live, remember } = open();
  on(1);
  await arrive(A);
  on(2);
  await arrive(B);
  on(6);
  await arrive(D);
  on(4);
  await live(B);
  expect(
    (await listReleases(bucket)).map(({ name, replaced, wasLive }) => [name, replaced, wasLive]),
  ).toEqual([
    [B, undefined, true],
    [D, day(6), false],
    [A, day(4), true],
  ]);
  await remember({ live: [{ release: B, since: at(3), until: null }] });
  expect(
    (await listReleases(bucket)).map(({ name, replaced, wasLive }) => [name, replaced, wasLive]),
  ).toEqual([
    [B, undefined, true],
    [D, day(6), false],
    [A, day(3), true],
  ]);
  expect(await chooseRollbackRelease(bucket, undefined)).toBe(A);
});

it('a release replaced by an unfinished publish ends when the manifest was replaced', async () => {
  const { bucket, on, arrive, live, remember } = open();
  on(1);
  for (const name of [A, B]) await arrive(name);
  await remember({ live: [{ release: A, since: at(2), until: null }] });
  on(7);
  await live(B);
  const [, second] = await listReleases(bucket);
  expect(second).toMatchObject({ name: A, published: day(2), replaced: day(7), isLive: false });
  await bucket.remove([MANIFEST_KEY]);
  const before = Date.now();
  const [lost] = await listReleases(bucket);
  expect(lost).toMatchObject({ name: A, isLive: false, wasLive: true });
  expect(lost!.replaced!.getTime()).toBeGreaterThanOrEqual(before);
});

it('releases of the same times are in the order of their names, and foreign objects are left out', async () => {
  const { bucket, arrive } = open();
  for (const name of [B, A, D, C]) await arrive(name);
  await bucket.write('_catalogue/releases/other/manifest.json', Buffer.from('x'), CONTROL_HEADERS);
  await bucket.write(
    `_catalogue/releases/${'f'.repeat(32)}/manifest.json.bak`,
    Buffer.from('x'),
    CONTROL_HEADERS,
  );
  expect((await listReleases(bucket)).map(({ name }) => name)).toEqual([A, B, C, D]);
});

it('the release that went live later comes first when both were replaced at once', async () => {
  const { bucket, arrive, live, remember } = open();
  for (const name of [A, B, C]) await arrive(name);
  await live(A);
  await remember({
    live: [
      { release: B, since: at(1), until: at(5) },
      { release: C, since: at(2), until: at(5) },
      { release: A, since: at(5), until: null },
    ],
  });
  expect((await listReleases(bucket)).map(({ name }) => name)).toEqual([A, C, B]);
});

it('a description has commit, time and number of properties, as far as the manifest is readable', async () => {
  const { bucket, arrive, live } = open();
  await arrive(A);
  await live(A);
  await arrive(B);
  await bucket.write(releaseManifestKey(B), Buffer.from('{'), CONTROL_HEADERS);
  expect(await describeReleases(bucket)).toMatchObject([
    { name: A, isLive: true, commit: expect.stringMatching(/^20260120/), time: at(20), properties: 1 },
    { name: B, isLive: false, commit: null, time: null, properties: undefined },
  ]);
});
