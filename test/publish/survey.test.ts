/** The state of a bucket as a publisher finds it, and its reasons for a listing. */
import { expect, it } from 'vitest';
import { CHUNKS_FOLDER, CURRENT_KEY, chunkKey, rootKey } from '../../src/contract/object-keys.ts';
import { listingReasonText, refuseNewerVersion, surveyBucket } from '../../src/publish/survey.ts';
import { type Timeline, timelineForLog } from '../../src/publish/timeline.ts';
import { digestOf } from '../../src/release/digest.ts';
import { readIds } from '../../src/release/release.ts';
import { UNKNOWN_BUILD } from '../../src/release/root-contents.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import type { HeldLock } from '../../src/storage/lock.ts';
import type { BucketState } from '../../src/storage/lock-log.ts';
import { openMemory } from '../storage/memory.ts';
import { CACHING, idOf, type MadeSource, makeSource } from './made.ts';
import { recorded } from './recorded.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const at = (n: number) => day(n).toISOString();
const [A, B, C] = ['a', 'b', 'c'].map((letter, index) =>
  makeSource({ initial: letter, properties: [{ id: idOf(index), title: letter }] }),
) as [ReturnType<typeof makeSource>, ReturnType<typeof makeSource>, ReturnType<typeof makeSource>];
const AFTER = makeSource({ properties: [{ id: idOf(4), title: 'd' }] });

function open() {
  let today = 1;
  let known: Pick<BucketState, 'timeline' | 'due'> = { timeline: null, due: null };
  const bucket = openMemory({ name: 'store', now: () => day(today) });
  return {
    bucket,
    on: (n: number) => {
      today = n;
    },
    keep: async (...sources: (typeof A)[]) => {
      for (const { bodies } of sources) {
        for (const [key, body] of bodies)
          if (key !== CURRENT_KEY) await bucket.write(key, body, CONTROL_OBJECT_HEADERS);
      }
    },
    remember: async (part: Partial<Timeline>) => {
      const timeline = { live: [], before: [], coveredUntil: null, from: null, ...part };
      known = timelineForLog(timeline);
    },
    survey: (remains: Partial<BucketState> = {}) =>
      surveyBucket(
        {
          bucket,
          remains: {
            releases: [],
            suspect: false,
            current: digestIn(A),
            goal: null,
            readerLife: 0,
            ...known,
            ...remains,
          },
          time: () => day(20),
          latest: () => day(20),
        } as unknown as HeldLock,
        AFTER.release,
      ),
  };
}

const digestIn = ({ bodies }: typeof A) => digestOf(bodies.get(CURRENT_KEY)!);

/** Makes a release live, with its tree. */
async function putLive(bucket: ReturnType<typeof openMemory>, { bodies }: typeof A) {
  for (const [key, body] of bodies) await bucket.write(key, body, CONTROL_OBJECT_HEADERS);
}

const span = (source: typeof A, since: number, until: number | null = null) => ({
  release: source.release.name,
  since: at(since),
  until: until === null ? null : at(until),
  build: UNKNOWN_BUILD,
});
const namesOf = (releases: readonly { name: string }[]) => releases.map(({ name }) => name[0]).join('');

it('lists an empty bucket and finds nothing', async () => {
  expect(await open().survey()).toEqual({
    ...{ live: undefined, last: undefined, known: [], current: undefined, replaced: [] },
    timeline: { live: [], before: [], coveredUntil: null, from: at(20) },
    ...{
      listLife: 0,
      isAmended: true,
      listingReason: 'no-release',
      doubt: 'no-release',
      now: day(20),
    },
  });
});

it('trusts the current.json of the last publish without a listing', async () => {
  const { bucket, remember, survey } = open();
  await putLive(bucket, A);
  await remember({ live: [span(A, 1)] });
  const found = await survey();
  expect(found).toMatchObject({
    isAmended: false,
    listingReason: undefined,
    now: day(20),
  });
  expect([found.live?.name, found.last?.name]).toEqual([A.release.name, A.release.name]);
  expect(namesOf(found.known)).toBe('a');
});

it('gives the reason for a listing', async () => {
  const { bucket, remember, survey } = open();
  expect((await survey({ suspect: true })).listingReason).toBe('no-release');
  await bucket.write(CURRENT_KEY, Buffer.from('{'), CONTROL_OBJECT_HEADERS);
  expect((await survey()).listingReason).toBe('damaged-release');
  await putLive(bucket, A);
  expect((await survey({ suspect: true })).listingReason).toBe('lost-timeline');
  await remember({});
  expect(await survey({ suspect: true })).toMatchObject({
    listingReason: 'unfinished',
    doubt: undefined,
  });
  expect((await survey({ current: null })).listingReason).toBe('foreign-release');
  const foreign = await survey({ current: digestIn(B), suspect: true });
  expect([foreign.listingReason, foreign.live]).toEqual(['foreign-release', undefined]);
  // A release in part may have been made live; without a log, the timeline says what was.
  const inPart = await survey({ current: null, releases: [A.release.name], suspect: true });
  expect([inPart.listingReason, inPart.live?.name]).toEqual(['unfinished', A.release.name]);
  await remember({ live: [span(A, 1)] });
  const lost = await survey({ current: null });
  expect([lost.listingReason, lost.live?.name]).toEqual(['lost-log', A.release.name]);
  const reasons = ['no-release', 'damaged-release', 'foreign-release', 'unfinished'] as const;
  expect(reasons.map((reason) => listingReasonText(reason, 'store'))).toEqual([
    'There is no live release in store: its objects were listed.',
    'The live release of store is damaged: its objects were listed.',
    'The live release of store is not the one that was published last: its objects were listed.',
    'An earlier publish to store did not end: its objects were listed.',
  ]);
});

it('doubts what a publisher left that found no log and did not end', async () => {
  const { bucket, keep, remember, survey } = open();
  await putLive(bucket, A);
  await keep(A);
  await remember({ live: [span(A, 1)] });
  const releases = [A.release.name];
  const unknown = await survey({ releases, suspect: true, current: null });
  expect(unknown.doubt).toBe('unfinished');
  // Caches may serve lists of any kept release (seed 898871 of the simulation).
  expect(unknown.timeline.coveredUntil).not.toBeNull();
  const known = await survey({ releases, suspect: true, current: digestIn(A) });
  expect([known.doubt, known.timeline.before]).toEqual([undefined, []]);
  // The lists that it replaces may be of any of them, and are cached from then on (seed 93485).
  const cache_control = { ...CACHING, api: 'max-age=3600' };
  await keep(makeSource({ initial: 'c', api: { cache_control }, properties: [] }));
  expect((await survey({ releases, suspect: true, current: null })).listLife).toBe(3_605_000);
  expect((await survey({ releases, suspect: true, current: digestIn(A) })).listLife).toBe(known.listLife);
});

it('names the releases that the bucket may hold in part, each once', async () => {
  const { bucket, keep, survey } = open();
  await putLive(bucket, A);
  await keep(A, B);
  const releases = [B, A, C, B].map(({ release }) => release.name);
  expect(namesOf((await survey({ releases })).known)).toBe('ab');
});

it('reads no leaf that a known release has, and recognises a release that lacks one', async () => {
  const inChunks = (letter: string, last: number) =>
    makeSource({
      initial: letter,
      api: { layout: 'packed' },
      properties: [1, 2, last].map((n) => ({ id: idOf(n), title: `House ${n}` })),
      ends: [2, 3],
    });
  const [live, after, part] = [inChunks('a', 3), inChunks('b', 4), inChunks('c', 5)];
  const { bucket, requests } = recorded(openMemory());
  const keyOf = ({ release }: MadeSource, chunk: number) => chunkKey(release.root.chunks[chunk]!.digest);
  const put = (key: string, body: Buffer) => bucket.write(key, body, CONTROL_OBJECT_HEADERS);
  await put(CURRENT_KEY, live.bodies.get(CURRENT_KEY)!);
  await put(keyOf(live, 1), live.bodies.get(keyOf(live, 1))!);
  for (const { release, bodies } of [live, part])
    await put(rootKey(release.name), bodies.get(rootKey(release.name))!);
  const releases = [live, part].map(({ release }) => release.name);
  const remains = { releases, suspect: true, current: null, due: null, readerLife: 0 };
  const survey = async () => {
    requests.length = 0;
    const held = { bucket, remains, time: () => day(20), latest: () => day(20) } as unknown as HeldLock;
    const found = await surveyBucket(held, after.release);
    const reads = requests.filter((request) => request.startsWith(`read ${CHUNKS_FOLDER}`));
    return { ...found, reads: reads.map((request) => request.slice('read '.length)) };
  };
  const found = await survey();
  expect(found.reads).toEqual([keyOf(live, 1)]);
  expect(namesOf(found.known)).toBe('ac');
  // The release in part has those that the known one has.
  expect(await readIds(found.known[1]!)).toEqual([1, 2].map(idOf));
  // Without its own leaf, the live one cannot be compared as a whole.
  await bucket.remove([keyOf(live, 1)]);
  const lost = await survey();
  expect([lost.live, lost.doubt, lost.last?.name]).toEqual([undefined, 'damaged-release', live.release.name]);
});

it('compares with the last live or newest release when current.json is damaged', async () => {
  const { bucket, on, keep, remember, survey } = open();
  on(1);
  await keep(C);
  on(3);
  await keep(B);
  on(2);
  await keep(A);
  expect((await survey()).last?.name).toBe(B.release.name);
  await remember({ live: [span(B, 1, 2), span(C, 2)] });
  const found = await survey();
  expect([found.live, found.last?.name, namesOf(found.known), found.isAmended]).toEqual([
    ...[undefined, C.release.name, 'c', true],
  ]);
  await bucket.write(rootKey(C.release.name), Buffer.from('{'), CONTROL_OBJECT_HEADERS);
  expect((await survey()).last?.name).toBe(B.release.name);
  await bucket.write(rootKey(B.release.name), Buffer.from('{'), CONTROL_OBJECT_HEADERS);
  expect((await survey()).last?.name).toBe(A.release.name);
});

it('adds the live release to the timeline, and reads the replaced releases that readers may need', async () => {
  const { bucket, on, keep, remember, survey } = open();
  const before = [{ release: B.release.name, until: at(29) }];
  await remember({ live: [span(B, 1)], before });
  on(5);
  await putLive(bucket, A);
  await keep(A, B);
  const found = await survey();
  expect([found.isAmended, found.timeline]).toEqual([
    true,
    { live: [span(B, 1, 5), span(A, 5)], before, coveredUntil: null, from: null },
  ]);
  expect(found.replaced.map(({ release, isDue }) => [release.name, isDue])).toEqual([
    [B.release.name, false],
  ]);
  await remember({ live: [span(B, 1)], before: [{ release: B.release.name, until: at(20) }] });
  expect((await survey()).replaced[0]!.isDue).toBe(true);
  await bucket.remove([rootKey(B.release.name)]);
  const lost = await survey();
  expect([lost.doubt, lost.replaced, lost.timeline.before]).toEqual(['lost-timeline', [], []]);
});

it('refuses to replace a release of a later version', () => {
  for (const text of ['{"version":4}', '{"version":3.5}'])
    expect(() => refuseNewerVersion('store', Buffer.from(text))).toThrow(
      expect.objectContaining({
        ...{ name: 'UsageError', code: 'newer-version' },
        message:
          'The live release of store was published by a later version of catalogue. Publish with that version, or with --allow-older.',
      }),
    );
  for (const text of ['{"version":3}', '{"version":1}', '{"version":"4"}', '{}', '[]', '{', ''])
    refuseNewerVersion('store', Buffer.from(text));
  refuseNewerVersion('store', undefined);
});
