/** The times when releases were live, and the objects that stay for readers. */
import { expect, it } from 'vitest';
import {
  findTimeline,
  isOver,
  readTimeline,
  type Timeline,
  timelineForLog,
  withLiveRelease,
  withOnlyNeeded,
  withReplaced,
  withStartIfEmpty,
} from '../../src/publish/timeline.ts';
import type { BuildIdentity } from '../../src/release/root-contents.ts';
import { bucketStateOf, readLog, UNUSED_BUCKET } from '../../src/storage/lock-log.ts';
import { openMemory } from '../storage/memory.ts';
import { putTimeline } from './remembered.ts';

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(32)) as [
  string,
  string,
  string,
  string,
];
const at = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
const BUILD: BuildIdentity = { commit: 'e'.repeat(40), time: at(1) };
const EMPTY: Timeline = { live: [], before: [], coveredUntil: null, from: null };
const WHOLE: Timeline = {
  live: [
    { release: A, since: at(1), until: at(2), build: BUILD },
    { release: B, since: at(2), until: null, build: BUILD },
  ],
  before: [
    { release: A, until: at(5) },
    { release: C, until: at(4) },
  ],
  coveredUntil: null,
  from: at(1),
};

it('knows every live release since it was begun, until spans are dropped', async () => {
  const bucket = openMemory();
  expect(findTimeline(UNUSED_BUCKET)).toEqual({ timeline: EMPTY, isLost: false });
  expect(findTimeline({ ...UNUSED_BUCKET, suspect: true }).isLost).toBe(true);
  const begun = withLiveRelease(
    withStartIfEmpty(EMPTY, new Date(Date.parse(at(20)) + 300)),
    { name: A, build: BUILD },
    new Date(at(21)),
  );
  expect(begun.from).toBe(at(20));
  expect(withStartIfEmpty(begun, new Date(at(30)))).toBe(begun);
  await putTimeline(bucket, begun);
  expect(await readTimeline(bucket)).toEqual(begun);
  const many = Array.from({ length: 201 }, (_, n) => ({
    release: n.toString(16).padStart(32, '0'),
    since: at(1),
    until: at(2),
    build: BUILD,
  }));
  await putTimeline(bucket, { ...begun, live: many });
  expect(await readTimeline(bucket)).toMatchObject({ from: null, live: many.slice(1) });
});

it('is read back as it was recorded, and is empty when it is damaged or missing', async () => {
  const bucket = openMemory();
  expect(await readTimeline(bucket)).toEqual(EMPTY);
  await putTimeline(bucket, WHOLE);
  expect(await readTimeline(bucket)).toEqual(WHOLE);
  const log = await readLog(bucket);
  const record = log.lastEntry!;
  expect(record.due).toBe(at(4));
  const read = (part: object) =>
    findTimeline({
      ...{ ...bucketStateOf(log), current: 'a'.repeat(32) },
      timeline: { ...(record.timeline as object), ...part },
    });
  const lost = { timeline: EMPTY, isLost: true };
  const span = { release: A, since: at(1), until: null, build: BUILD };
  for (const damaged of [
    { live: [{ ...span, release: 'A' }] },
    { live: [{ ...span, since: 'then' }] },
    { live: [{ ...span, since: 5 }] },
    { live: [{ ...span, until: 'later' }] },
    { live: [span, { ...span, release: '' }] },
    { live: [{ ...span, build: {} }] },
    { live: [{ ...span, build: { ...BUILD, commit: '../x' } }] },
    { live: [{ ...span, build: { ...BUILD, time: 'then' } }] },
    { before: [{ release: A, until: 'later' }] },
    { before: [{ release: '../x', until: at(5) }] },
    { before: [{ release: A }] },
    { before: null },
    { coveredUntil: undefined },
    { coveredUntil: 'later' },
    { from: 5 },
  ])
    expect(read(damaged), JSON.stringify(damaged)).toMatchObject(lost);
});

it('ends the previous release when another one goes live, and records the latest commit of each', () => {
  expect(withLiveRelease(WHOLE, { name: C, build: BUILD }, new Date(at(3)))).toEqual({
    ...WHOLE,
    live: [
      WHOLE.live[0],
      { release: B, since: at(2), until: at(3), build: BUILD },
      { release: C, since: at(3), until: null, build: BUILD },
    ],
    // Lists of C itself.
    before: WHOLE.before.slice(0, 1),
    coveredUntil: at(4),
  });
  expect(withLiveRelease(WHOLE, { name: B, build: BUILD }, new Date(at(3)))).toBe(WHOLE);
  const later = { commit: 'f'.repeat(40), time: at(9) };
  expect(withLiveRelease(WHOLE, { name: B, build: later }, new Date(at(3))).live).toEqual([
    WHOLE.live[0],
    { ...WHOLE.live[1], build: later },
  ]);
  expect(withLiveRelease(EMPTY, { name: A, build: BUILD }, new Date(at(1))).live).toEqual([
    { release: A, since: at(1), until: null, build: BUILD },
  ]);
});

it('keeps replaced releases for as long as caches may serve their lists', () => {
  const early = new Date(Date.parse(at(5)) - 1);
  expect([isOver(at(5), early), isOver(at(5), new Date(at(5))), isOver(null, early)]).toEqual([
    false,
    true,
    true,
  ]);
  expect([timelineForLog(WHOLE).due, timelineForLog(EMPTY).due]).toEqual([at(4), null]);
  const until = (timeline: Timeline) =>
    Object.fromEntries(timeline.before.map((one) => [one.release, one.until]));
  // A longer time stays.
  const longer = withReplaced(WHOLE, [A, C, B], new Date(Date.parse(at(4)) + 1000));
  expect(until(longer)).toEqual({
    [A]: at(5),
    [B]: '2026-01-04T00:00:01.000Z',
    [C]: '2026-01-04T00:00:01.000Z',
  });
  expect(withReplaced(WHOLE, [], new Date(at(9)))).toBe(WHOLE);
});

it('forgets replaced releases that have nothing that the live one lacks, and keeps the longest time', () => {
  const all = new Set([A, C]);
  const early = new Date(at(3));
  expect(withOnlyNeeded(WHOLE, all, early)).toEqual(WHOLE);
  const one = withOnlyNeeded(WHOLE, new Set([C]), early);
  expect(one).toEqual({ ...WHOLE, before: [{ release: C, until: at(4) }], coveredUntil: at(5) });
  const none = withOnlyNeeded(WHOLE, new Set(), early);
  expect([none.before, none.coveredUntil]).toEqual([[], at(5)]);
  // Nothing is to be removed then.
  expect(timelineForLog(none).due).toBeNull();
  expect(withOnlyNeeded(none, new Set(), early)).toEqual(none);
  expect(withOnlyNeeded(EMPTY, all, early)).toEqual(EMPTY);
  // C may have photos of details that stay for the lists of A (seed 232514 of the simulation).
  const later = withOnlyNeeded(WHOLE, all, new Date(at(4)));
  expect(later.before).toEqual([
    { release: A, until: at(5) },
    { release: C, until: at(5) },
  ]);
  expect(withOnlyNeeded(one, new Set([C]), new Date(at(5))).coveredUntil).toBeNull();
  // The next release may lack properties of lists that the replaced one covered.
  const next = withLiveRelease(one, { name: D, build: BUILD }, new Date(at(3)));
  expect([next.before, next.coveredUntil]).toEqual([
    [
      { release: C, until: at(4) },
      { release: B, until: at(5) },
    ],
    null,
  ]);
  // A release that is live again covers its own lists.
  const again = withLiveRelease(next, { name: B, build: BUILD }, new Date(at(3)));
  expect([again.before, again.coveredUntil]).toEqual([[{ release: C, until: at(4) }], at(5)]);
});
