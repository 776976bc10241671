/** The times when releases were live, and the objects that stay for readers. */
import { expect, it } from 'vitest';
import { propertyKey, RETIRED_DETAILS_KEY } from '../../src/contract/object-keys.ts';
import {
  dueRetiredIds,
  findTimeline,
  readTimeline,
  recordLiveRelease,
  retiredKeys,
  type Timeline,
  timelineForLog,
  withoutRetired,
  withRetired,
  withStartTime,
  writeRetired,
} from '../../src/publish/timeline.ts';
import type { BuildIdentity } from '../../src/release/root-contents.ts';
import { bucketStateOf, readLog, UNUSED_BUCKET } from '../../src/storage/lock-log.ts';
import { CONTROL_HEADERS } from '../../src/storage/reserved-keys.ts';
import { openMemory } from '../storage/memory.ts';
import { idOf } from './made.ts';
import { recorded } from './recorded.ts';
import { putTimeline } from './remembered.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const at = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
const BUILD: BuildIdentity = { commit: 'e'.repeat(40), time: at(1) };
const EMPTY: Timeline = { live: [], retired: [], cached: null, from: null };
const WHOLE: Timeline = {
  live: [
    { release: A, since: at(1), until: at(2), build: BUILD },
    { release: B, since: at(2), until: null, build: BUILD },
  ],
  retired: [
    { ids: [idOf(1), idOf(2)], due: at(5) },
    { ids: [idOf(3)], due: at(4) },
  ],
  cached: at(5),
  from: at(1),
};

it('knows every live release since it was begun, until spans are dropped', async () => {
  const bucket = openMemory();
  expect(await findTimeline(bucket, UNUSED_BUCKET)).toEqual({ timeline: EMPTY, isLost: false, stored: [] });
  expect((await findTimeline(bucket, { ...UNUSED_BUCKET, suspect: true })).isLost).toBe(true);
  const begun = recordLiveRelease(
    withStartTime(EMPTY, new Date(Date.parse(at(20)) + 300)),
    { name: A, build: BUILD },
    new Date(at(21)),
  );
  expect(begun.from).toBe(at(20));
  expect(withStartTime(begun, new Date(at(30)))).toBe(begun);
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
  const record = log.entry!;
  expect(record.due).toBe(at(4));
  const read = async (part: object) =>
    findTimeline(bucket, {
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
    { cached: 'later' },
    { from: 5 },
  ])
    expect(await read(damaged), JSON.stringify(damaged)).toMatchObject(lost);
  for (const damaged of [
    'x',
    '{}',
    'null',
    ...[
      { retired: [{ ids: [idOf(1)], due: 'later' }] },
      { retired: [{ ids: [idOf(1), '../x'], due: at(5) }] },
      { retired: [{ ids: [`${idOf(1)}0`], due: at(5) }] },
      { retired: [{ ids: [`0${idOf(1)}`], due: at(5) }] },
      { retired: [{ ids: [5], due: at(5) }] },
    ].map((part) => JSON.stringify(part)),
  ]) {
    await bucket.write(RETIRED_DETAILS_KEY, Buffer.from(damaged), CONTROL_HEADERS);
    expect(await read({}), damaged).toEqual({
      timeline: { ...WHOLE, retired: [] },
      isLost: true,
      stored: [],
    });
  }
  // Without retired details, their object does not count.
  const none = { ...bucketStateOf(log), due: null };
  expect(await findTimeline(bucket, none)).toMatchObject({ timeline: { live: WHOLE.live }, isLost: false });
});

it('retired details are written once', async () => {
  const { bucket, requests } = recorded(openMemory());
  await writeRetired(bucket, WHOLE, structuredClone(WHOLE.retired));
  expect(requests).toEqual([]);
  await writeRetired(bucket, WHOLE, []);
  expect((await bucket.inspect(RETIRED_DETAILS_KEY))!.headers).toEqual(CONTROL_HEADERS);
});

it('ends the previous release when another one goes live, and records the latest commit of each', () => {
  expect(recordLiveRelease(WHOLE, { name: C, build: BUILD }, new Date(at(3)))).toEqual({
    ...WHOLE,
    live: [
      WHOLE.live[0],
      { release: B, since: at(2), until: at(3), build: BUILD },
      { release: C, since: at(3), until: null, build: BUILD },
    ],
  });
  expect(recordLiveRelease(WHOLE, { name: B, build: BUILD }, new Date(at(3)))).toBe(WHOLE);
  const later = { commit: 'f'.repeat(40), time: at(9) };
  expect(recordLiveRelease(WHOLE, { name: B, build: later }, new Date(at(3))).live).toEqual([
    WHOLE.live[0],
    { ...WHOLE.live[1], build: later },
  ]);
  expect(recordLiveRelease(EMPTY, { name: A, build: BUILD }, new Date(at(1))).live).toEqual([
    { release: A, since: at(1), until: null, build: BUILD },
  ]);
});

it('keeps unlisted details until they are due', () => {
  expect(dueRetiredIds(WHOLE, new Date(Date.parse(at(4)) - 1))).toEqual([]);
  expect(dueRetiredIds(WHOLE, new Date(at(4)))).toEqual([idOf(3)]);
  expect(dueRetiredIds(WHOLE, new Date(at(5)))).toEqual([idOf(1), idOf(2), idOf(3)]);
  expect([timelineForLog(WHOLE).due, timelineForLog(EMPTY).due]).toEqual([at(4), null]);
  expect(retiredKeys(WHOLE)).toEqual(new Set([1, 2, 3].map((n) => propertyKey(idOf(n)))));
  // A known entry keeps its date.
  expect(withRetired(WHOLE, [idOf(1), idOf(9)], new Date(at(8))).retired).toEqual([
    ...WHOLE.retired,
    { ids: [idOf(9)], due: at(8) },
  ]);
  expect(withRetired(WHOLE, [idOf(1)], new Date(at(8)))).toBe(WHOLE);
  expect(withRetired(WHOLE, [], new Date(at(8)))).toBe(WHOLE);
  expect(withoutRetired(WHOLE, (id) => id !== idOf(2)).retired).toEqual([{ ids: [idOf(2)], due: at(5) }]);
});
