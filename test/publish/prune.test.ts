/** The time for which a bucket keeps earlier releases. */

import { expect, it } from 'vitest';
import { CURRENT_KEY, propertyKey, prunedRootKey, rootKey } from '../../src/contract/object-keys.ts';
import { isSharedKey, isTreeKey, objectKindOf } from '../../src/contract/object-kinds.ts';
import { listReleases } from '../../src/publish/list-releases.ts';
import { pruneReleases } from '../../src/publish/prune.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { readTimeline } from '../../src/publish/timeline.ts';
import { sharedKeys } from '../../src/release/release.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import { withDryRun } from '../../src/storage/dry-run.ts';
import { takeLock } from '../../src/storage/lock.ts';
import { isAtRest, isLogKey, readLog } from '../../src/storage/lock-log.ts';
import { openMemory } from '../storage/memory.ts';
import { createVirtualHost } from '../storage/virtual-host.ts';
import { listKeys } from '../support/bucket.ts';
import { idOf, type MadeSource, makeSource, photoKey } from './made.ts';
import { recorded } from './recorded.ts';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1);

/** A bucket whose clock is set in days. */
function open() {
  let now = START;
  const bucket = openMemory({ name: 'store', now: () => new Date(now) });
  const on = (day: number) => {
    now = START + day * DAY;
  };
  return { bucket, on };
}

/** A release with a photo, a chunk, a file of the explorer and parts of its own, and some that all have. */
function release(letter: string, properties = 3): MadeSource {
  const documents = {
    [`explorer/app-${letter.repeat(8)}.js`]: letter,
    'explorer/all-00000000.js': 'all',
    'openapi.json': 'o',
  };
  return makeSource({
    ...{ initial: letter, documents, api: { layout: 'pages' } },
    properties: Array.from({ length: properties }, (_, n) => ({
      ...{ id: idOf(n), title: `${letter} ${n}`, photo: n === 0 ? letter : 'all' },
    })),
  });
}

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((letter) => release(letter).release.name) as [
  ...[string, string, string, string],
];

/** Three releases, each live for two days. */
async function publishThree() {
  const { bucket, on } = open();
  for (const [index, letter] of ['a', 'b', 'c'].entries()) {
    on(2 * index);
    await publishRelease(bucket, release(letter));
  }
  return { bucket, on };
}

const shared = (letter: string, properties?: number) => sharedKeys(release(letter, properties).release);
/** What all releases of three properties have. */
const ALL = shared('a')
  .filter((key) => shared('b').includes(key))
  .sort();
const own = (letter: string, properties?: number) =>
  shared(letter, properties)
    .filter((key) => !ALL.includes(key))
    .sort();
/** All but the log, which every command writes. */
const keysIn = async (bucket: Bucket) => (await listKeys(bucket)).filter((key) => !isLogKey(key));
const keptIn = async (bucket: Bucket) => (await listKeys(bucket)).filter(isSharedKey);

const NOTHING = {
  pruned: [],
  forgotten: [],
  media: 0,
  tree: 0,
  assets: 0,
  parts: 0,
  details: 0,
  previews: [],
  busy: [],
  strange: [],
};

it('keeps the objects of replaced releases for a week, and then removes those that no other release has', async () => {
  const { bucket, on } = await publishThree();
  const before = await keysIn(bucket);
  expect(await pruneReleases(bucket, { now: START + 9 * DAY })).toEqual({ bucket: 'store', ...NOTHING });
  expect(await keysIn(bucket)).toEqual(before);
  // The first one was replaced on the second day.
  expect(await pruneReleases(bucket, { now: START + 9 * DAY + 1 })).toEqual({
    ...{ bucket: 'store', pruned: [A], forgotten: [], details: 0, previews: [], busy: [], strange: [] },
    ...{ media: 1, tree: own('a').filter(isTreeKey).length, assets: 1, parts: 2 },
  });
  expect(await keptIn(bucket)).toEqual([...own('b'), ...own('c'), ...ALL].sort());
  expect(await keysIn(bucket)).toEqual(before.filter((key) => !own('a').includes(key)));
  on(12);
  const dry = await pruneReleases(withDryRun(bucket));
  expect(dry).toMatchObject({ pruned: [B], media: 1, tree: 3, assets: 1, parts: 2 });
  expect(await pruneReleases(bucket)).toEqual(dry);
  expect(await keptIn(bucket)).toEqual([...own('c'), ...ALL].sort());
  expect(await pruneReleases(bucket)).toEqual({ bucket: 'store', ...NOTHING });
  expect(
    (await listReleases(bucket, await readTimeline(bucket))).map(({ name, isLive, isRestorable }) => [
      name,
      isLive,
      isRestorable,
    ]),
  ).toEqual([
    [C, true, true],
    [B, false, false],
    [A, false, false],
  ]);
  await expect(rollBack(bucket, A)).rejects.toMatchObject({ code: 'release-pruned' });
  await expect(rollBack(bucket, undefined)).rejects.toMatchObject({ code: 'unknown-release' });
  const log = await readLog(bucket);
  expect([isAtRest(log), log.lastEntry?.due]).toEqual([true, null]);
});

it('keeps more with a longer grace, and less with a shorter one', async () => {
  const { bucket } = await publishThree();
  const pruned = async (grace: number, now: number) =>
    (await pruneReleases(withDryRun(bucket), { grace, now: START + now * DAY })).pruned;
  expect(await pruned(8, 10)).toEqual([]);
  expect(await pruned(8, 10.1)).toEqual([A]);
  expect(await pruned(1, 5.1)).toEqual([B, A]);
  expect(await pruned(0, 0)).toEqual([B, A]);
});

it('remembers as many of the last releases as the option says', async () => {
  const { bucket } = await publishThree();
  const forgotten = async (options: object) =>
    (await pruneReleases(withDryRun(bucket), { now: START + 99 * DAY, ...options })).forgotten;
  expect(await forgotten({})).toEqual([]);
  expect(await forgotten({ keep: 2 })).toEqual([]);
  expect(await forgotten({ keep: 1 })).toEqual([A]);
  expect(await forgotten({ keep: 0 })).toEqual([B, A]);
  expect(await forgotten({ keep: 0, now: START + 5 * DAY })).toEqual([]);
  expect(await forgotten({ grace: 0 })).toEqual([B, A]);
  expect(await forgotten({ grace: 0, keep: 1 })).toEqual([A]);
  await pruneReleases(bucket, { now: START + 99 * DAY, keep: 1 });
  expect((await readTimeline(bucket)).live.map((span) => span.release)).toEqual([B, C]);
});

it('remembers ten releases by default', async () => {
  const { bucket } = open();
  const letters = [...'0123456789ab'];
  for (const letter of letters) await publishRelease(bucket, release(letter));
  const { forgotten, pruned } = await pruneReleases(bucket, { now: START + 99 * DAY });
  expect([forgotten.length, pruned.length]).toEqual([1, 11]);
});

it('moves roots, then removes details, then objects, then lists of images, then the moved roots', async () => {
  const { bucket } = await publishThree();
  await publishRelease(bucket, release('d', 2), { allowShrink: true });
  const { bucket: watched, requests } = recorded(bucket);
  await pruneReleases(watched, { grace: 0 });
  const all = requests.filter((request) => /^(?:write|remove) /.test(request));
  const changes = all.filter((request) => !isLogKey(request));
  const isOf = (key: string, ...kinds: string[]) => kinds.includes(objectKindOf(key));
  const gone = ['a', 'b', 'c']
    .flatMap((letter) => shared(letter))
    .filter((key) => !shared('d', 2).includes(key));
  const keys = [...new Set(gone)].sort();
  const steps = [
    [A, B, C].map((name) => `write ${prunedRootKey(name)}`),
    ...[
      keys.filter((key) => isOf(key, 'root')),
      [propertyKey(idOf(2))],
      keys.filter((key) => !isOf(key, 'root', 'images')),
      keys.filter((key) => isOf(key, 'images')),
      [A, B, C].map(prunedRootKey),
    ].map((step) => step.map((key) => `remove ${key}`)),
  ];
  for (const step of steps) expect(changes.splice(0, step.length).sort()).toEqual(step.sort());
  expect(changes).toEqual([]);
  expect(isLogKey(all.at(-1)!)).toBe(true);
});

it('removes a thousand objects at a time', async () => {
  const { bucket } = open();
  const documents = (letter: string) =>
    Object.fromEntries(
      Array.from({ length: 1001 }, (_, n) => [`explorer/${letter}-${String(n).padStart(8, '0')}.js`, letter]),
    );
  for (const letter of ['a', 'b']) {
    const properties = [{ id: idOf(1), title: letter }];
    await publishRelease(bucket, makeSource({ documents: documents(letter), properties }));
  }
  const sizes: number[] = [];
  const watched: Bucket = {
    ...bucket,
    remove(keys) {
      sizes.push(keys.length);
      return bucket.remove(keys);
    },
  };
  expect((await pruneReleases(watched, { grace: 0 })).assets).toBe(1001);
  // The root, the objects with a chunk and a part, and the moved root.
  expect(sizes).toEqual([1, 1000, 3, 1]);
});

it('removes unlisted details when they are due; with a grace of 0 at once', async () => {
  const { bucket, on } = open();
  await publishRelease(bucket, release('a', 3));
  await publishRelease(bucket, release('b', 2));
  const detail = propertyKey(idOf(2));
  expect(await bucket.read(detail)).toBeDefined();
  const { due } = (await readLog(bucket)).lastEntry!;
  expect(due).not.toBeNull();
  const now = Date.parse(due!);
  expect((await pruneReleases(withDryRun(bucket), { now: now - 1 })).details).toBe(0);
  const kept = await pruneReleases(bucket, { now: now - 1 });
  expect([kept.details, (await readLog(bucket)).lastEntry!.due]).toEqual([0, due]);
  expect((await pruneReleases(withDryRun(bucket), { now })).details).toBe(1);
  expect((await pruneReleases(withDryRun(bucket), { now: START, grace: 0 })).details).toBe(1);
  on(1);
  expect((await pruneReleases(bucket)).details).toBe(1);
  expect(await bucket.read(detail)).toBeUndefined();
  expect((await readTimeline(bucket)).before).toEqual([]);
  expect((await readLog(bucket)).lastEntry!.due).toBeNull();
});

it('keeps photos of details that stay for readers', async () => {
  const { bucket } = open();
  const only = { id: idOf(9), title: 'Only', photo: 'a' };
  const both = { id: idOf(1), title: 'Both', photo: 'all' };
  await publishRelease(bucket, makeSource({ properties: [both, only] }));
  await publishRelease(bucket, makeSource({ properties: [both] }));
  const now = Date.parse((await readLog(bucket)).lastEntry!.due!) - 1;
  await pruneReleases(bucket, { now, grace: 1 / DAY });
  expect(await listKeys(bucket, 'media/')).toEqual([photoKey('a'), photoKey('all')]);
});

/** Publishes up to the first write of a key like this. */
async function interrupt(bucket: Bucket, source: MadeSource, at: RegExp): Promise<void> {
  const broken: Bucket = {
    ...bucket,
    async write(key, ...rest) {
      if (at.test(key)) throw new Error('cut off');
      return bucket.write(key, ...rest);
    },
  };
  await expect(publishRelease(broken, source, { allowShrink: true })).rejects.toThrow('cut off');
}

it('keeps what an unfinished publish may still need, and does not mark the bucket as finished', async () => {
  const { bucket } = open();
  await publishRelease(bucket, release('a', 3));
  await publishRelease(bucket, release('b', 2));
  await interrupt(bucket, release('c', 3), /^_catalogue\/current\.json$/);
  const result = await pruneReleases(bucket, { now: START + 30 * DAY });
  // The third release lists a property that the second one lacks, whose detail is that of the first one.
  expect(result).toMatchObject({ pruned: [], forgotten: [], details: 0 });
  expect(await keptIn(bucket)).toEqual([...own('a'), ...own('b', 2), ...own('c'), ...ALL].sort());
  expect(await bucket.read(propertyKey(idOf(2)))).toBeDefined();
  const { isHeld, lastEntry } = await readLog(bucket);
  expect([isHeld, lastEntry?.suspect, lastEntry?.releases.includes(C)]).toEqual([false, true, true]);
});

it('finds the tree of a release whose root is damaged by its folders', async () => {
  const { bucket } = await publishThree();
  const before = await keysIn(bucket);
  await bucket.write(rootKey(A), Buffer.from('{'), CONTROL_OBJECT_HEADERS);
  const options = { now: START + 9 * DAY + 1 };
  const removal = await pruneReleases(withDryRun(bucket), options);
  expect(removal).toEqual({ bucket: 'store', ...NOTHING, pruned: [A], tree: 3, parts: 2 });
  expect(await pruneReleases(bucket, options)).toEqual(removal);
  const isFound = (key: string) => /roots|chunks|parts|facets|_catalogue\/images/.test(key);
  const gone = shared('a').filter((key) => isFound(key) && !shared('b').includes(key));
  expect(await keysIn(bucket)).toEqual(before.filter((key) => !gone.includes(key)));
  expect(await pruneReleases(bucket, options)).toEqual({ bucket: 'store', ...NOTHING });
});

it('waits for a publisher, and requires a known live release', async () => {
  const { bucket } = await publishThree();
  const held = await takeLock(bucket);
  await expect(pruneReleases(bucket)).rejects.toMatchObject({ code: 'bucket-locked' });
  await held.abandon();
  await bucket.write(CURRENT_KEY, Buffer.from('{'), CONTROL_OBJECT_HEADERS);
  const before = await keysIn(bucket);
  await expect(pruneReleases(bucket, { grace: 0 })).rejects.toMatchObject({
    ...{ name: 'EnvironmentError', code: 'damaged-release' },
    message:
      'The live release of store is damaged: it is not known what readers are served. Publish first: that compares every object.',
  });
  expect(await keysIn(bucket)).toEqual(before);
  expect((await readLog(bucket)).isHeld).toBe(false);
});

it.each([
  ['foreign-release', CURRENT_KEY],
  ['lost-timeline', rootKey(C)],
  ['lost-log', 'log'],
])('refuses with %s, and the next publish mends the bucket', async (code, key) => {
  const { bucket } = await publishThree();
  await publishRelease(bucket, release('d', 2));
  const live = release('d', 2);
  if (key === CURRENT_KEY)
    await bucket.write(key, release('a').bodies.get(CURRENT_KEY)!, CONTROL_OBJECT_HEADERS);
  else await bucket.remove(key === 'log' ? (await readLog(bucket)).keys : [key]);
  const before = await listKeys(bucket);
  // Nobody else can be at work: without this, the bucket would wait.
  const lock = { isExclusive: false };
  await expect(pruneReleases(bucket, { grace: 0, lock })).rejects.toMatchObject({ code });
  expect((await listKeys(bucket)).filter((one) => !isLogKey(one))).toEqual(
    before.filter((one) => !isLogKey(one)),
  );
  // Although nothing has changed.
  expect((await publishRelease(bucket, live, { lock })).outcome).toBe('published');
  await pruneReleases(bucket, { grace: 0, lock });
  expect((await listKeys(bucket)).filter((key) => key.includes('properties/'))).toEqual(
    [0, 1].map((n) => propertyKey(idOf(n))),
  );
  // What only a lost root named is found by its folder, but photos and files of the explorer are not.
  const isFound = (key: string) => !/^media|^explorer/.test(key) || shared('d', 2).includes(key);
  expect((await keptIn(bucket)).filter(isFound)).toEqual(shared('d', 2).sort());
});

it('the remains of an interrupted publish are forgotten when another one has ended', async () => {
  const { bucket } = open();
  await publishRelease(bucket, release('a'));
  await interrupt(bucket, release('b'), /^_catalogue\/current\.json$/);
  await interrupt(bucket, release('d'), /^_catalogue\/images/);
  expect((await readLog(bucket)).lastEntry!.releases).toEqual(expect.arrayContaining([B, D]));
  expect(await pruneReleases(bucket, { now: START + 30 * DAY })).toMatchObject({ pruned: [], forgotten: [] });
  await publishRelease(bucket, release('c'));
  const { pruned, forgotten } = await pruneReleases(bucket, { grace: 0 });
  // Only one of them could be restored.
  expect([pruned, [...forgotten].sort()]).toEqual([[A], [A, B, D]]);
  expect(await keptIn(bucket)).toEqual([...own('c'), ...ALL].sort());
});

it('a prune finishes what one left that was interrupted anywhere', async () => {
  const now = START + 9 * DAY + 1;
  const { bucket: whole } = await publishThree();
  await pruneReleases(whole, { now });
  for (let at = 1, isDone = false; !isDone; at++) {
    const { bucket } = await publishThree();
    let changes = 0;
    const cut = (keys: readonly string[]) => {
      if (!isLogKey(keys[0]!) && ++changes === at) throw new Error('cut off');
    };
    const broken: Bucket = {
      ...bucket,
      async remove(keys) {
        cut(keys);
        return bucket.remove(keys);
      },
      async write(key, ...rest) {
        cut([key]);
        return bucket.write(key, ...rest);
      },
    };
    isDone = await pruneReleases(broken, { now }).then(
      () => true,
      ({ message }: Error) => message !== 'cut off',
    );
    // A dry run names what is left, too.
    const dry = await pruneReleases(withDryRun(bucket), { now });
    expect(await pruneReleases(bucket, { now }), `cut off at change ${at}`).toEqual(dry);
    expect(await keysIn(bucket), `cut off at change ${at}`).toEqual(await keysIn(whole));
    expect(isDone).toBe(at === 6);
  }
});

it('a mark that an interrupted prune left condemns no release that is whole, or whole again', async () => {
  const { bucket, on } = await publishThree();
  const root = (await bucket.read(rootKey(A)))!.body;
  await bucket.write(prunedRootKey(A), root, CONTROL_OBJECT_HEADERS);
  on(6);
  await rollBack(bucket, A, { allowOlder: true });
  await publishRelease(bucket, release('d'), { allowOlder: true });
  on(7);
  expect(await pruneReleases(bucket)).toMatchObject({ pruned: [] });
  expect(await listKeys(bucket)).not.toContain(prunedRootKey(A));
  expect((await rollBack(bucket, A, { allowOlder: true })).release).toBe(A);
});

it('nothing counts as erased that an unfinished publish may have left', async () => {
  const { bucket } = open();
  await publishRelease(bucket, release('a'));
  const held = await takeLock(bucket, { releases: [A, B] });
  await held.record({ releases: [A, B] });
  await held.abandon();
  await expect(pruneReleases(bucket, { grace: 0, force: true })).rejects.toMatchObject({
    code: 'unfinished',
  });
  await pruneReleases(bucket);
});

it('a prune that ends after its last removal is finished by the next one', async () => {
  const { host, passed } = createVirtualHost();
  const bucket = openMemory({ name: 'store', now: () => new Date(START + passed()) });
  const lock = { host };
  await publishRelease(bucket, release('a'), { lock });
  await publishRelease(bucket, release('b', 2), { allowShrink: true, lock });
  expect((await readTimeline(bucket)).before).toHaveLength(1);
  const options = { grace: 0, force: true };
  let isOver = false;
  const killed: Bucket = {
    ...bucket,
    async remove(keys) {
      const answer = await bucket.remove(keys);
      isOver ||= keys.includes(prunedRootKey(A));
      return answer;
    },
    write: (key, ...rest) =>
      isOver && isLogKey(key) ? Promise.reject(new Error('killed')) : bucket.write(key, ...rest),
  };
  await expect(pruneReleases(killed, { ...options, lock })).rejects.toThrow('killed');
  const again = await pruneReleases(bucket, { ...options, lock: { host, force: true } });
  expect([again.pruned, isAtRest(await readLog(bucket))]).toEqual([[], false]);
  await publishRelease(bucket, release('b', 2), { lock });
  expect(isAtRest(await readLog(bucket))).toBe(true);
});

it('a release whose root is lost counts as pruned; that of the live release is written again', async () => {
  const { bucket } = await publishThree();
  await bucket.remove([rootKey(A)]);
  await expect(rollBack(bucket, A)).rejects.toMatchObject({ code: 'release-pruned' });
  const options = { now: START + 9 * DAY + 1 };
  expect(await pruneReleases(bucket, options)).toEqual({ bucket: 'store', ...NOTHING, tree: 2, parts: 2 });
  await bucket.remove([rootKey(C)]);
  await expect(pruneReleases(bucket)).rejects.toMatchObject({ code: 'damaged-release' });
  await publishRelease(bucket, release('c'), { verify: true });
  expect(await bucket.read(rootKey(C))).toBeDefined();
});

/** With a release that was replaced long ago, and a cache that records what it is asked to purge. */
async function openPurged() {
  const { bucket, on } = open();
  await publishRelease(bucket, release('a'));
  on(1);
  await publishRelease(bucket, release('b', 2), { allowShrink: true });
  on(30);
  const asked: unknown[] = [];
  const purge = async ({ paths }: { readonly paths: readonly string[] | undefined }) => {
    asked.push(paths);
    return paths ?? ['/'];
  };
  return { bucket, asked, cache: { name: 'A', purge } };
}

it('caches are purged: of lists, details and previews, and of everything with a grace of 0', async () => {
  const { bucket, asked, cache } = await openPurged();
  const caches = async (baseUrl: string) => {
    expect(baseUrl).toBe('https://stays.example');
    return [cache];
  };
  await pruneReleases(bucket, { caches });
  expect(asked.pop()).toEqual(
    expect.arrayContaining(['/_catalogue/releases.json', '/api/v1/public/properties/']),
  );
  await pruneReleases(bucket, { caches, grace: 0 });
  expect(asked).toEqual([undefined]);
});

it('a purge that failed is made up for by the next publish', async () => {
  const { bucket, asked, cache } = await openPurged();
  const fails = () => Promise.reject(new Error('not now'));
  const failing = { name: 'A', purge: fails };
  const next = () => publishRelease(bucket, release('b', 2), { purgers: [cache] });
  await expect(pruneReleases(bucket, { caches: async () => [failing] })).rejects.toThrow('not now');
  await next();
  await next();
  expect(asked).toEqual([undefined]);
  // Also if the prune ends before the purge.
  await expect(pruneReleases({ ...bucket, discardParts: fails })).rejects.toThrow('not now');
  await next();
  expect(asked).toEqual([undefined, undefined]);
});

it('says whether versions keep what a grace of 0 removed', async () => {
  const { bucket } = open();
  await publishRelease(bucket, release('a'));
  for (const kept of [true, false, undefined]) {
    const versioned = { ...bucket, keepsVersions: async () => kept };
    expect(await pruneReleases(versioned, { grace: 0 })).toMatchObject({ keepsVersions: kept });
    expect(await pruneReleases(versioned)).not.toHaveProperty('keepsVersions');
  }
  expect(await pruneReleases(bucket, { grace: 0 })).not.toHaveProperty('keepsVersions');
});

it('aborts our uploads that are older than a day by the clock of the store, and no others', async () => {
  const { bucket, on } = open();
  await publishRelease(bucket, release('a'));
  on(10);
  const digest = '0f'.repeat(16);
  const ours = [
    ...[`media/${digest}.jpg`, `_catalogue/parts/${digest}.ndjson`, `_catalogue/chunks/${digest}.json`],
    ...['properties.ndjson', `_catalogue/documents/${digest}`],
  ];
  const others = [
    'media/film.mp4',
    `media/${digest}`,
    'backup.tar',
    `other/media/${digest}.jpg`,
    'media/../x.jpg',
  ];
  const aborted: string[] = [];
  const discardParts: Bucket['discardParts'] = async (isOurs) => {
    for (const key of [...ours, ...others])
      for (const [age, begun] of [
        ['old', new Date(START + 8.9 * DAY)],
        ['new', new Date(START + 9.1 * DAY)],
        ['unknown', new Date('')],
      ] as const)
        if (isOurs(key, begun)) aborted.push(`${age} ${key}`);
  };
  await pruneReleases({ ...bucket, discardParts });
  expect(aborted).toEqual(ours.map((key) => `old ${key}`));
});
