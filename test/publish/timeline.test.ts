/** The times when releases were live, and the objects that stay for readers. */
import { expect, it } from 'vitest';
import { CURRENT_KEY, MANIFEST_KEY, propertyKey } from '../../src/contract/keys.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import {
  amended,
  beginTimeline,
  dueIds,
  firstDue,
  isSameTimeline,
  readTimeline,
  retiredKeys,
  type Timeline,
  withLive,
  withoutPruned,
  withoutRetired,
  withRetired,
  writeTimeline,
} from '../../src/publish/timeline.ts';
import { type Bucket, BucketError } from '../../src/storage/bucket.ts';
import { CONTROL_HEADERS, TIMELINE_KEY } from '../../src/storage/reserved-keys.ts';
import { withRetry } from '../../src/storage/retry.ts';
import { createReleases } from '../simulation/releases.ts';
import { openMemory } from '../storage/memory.ts';
import { idOf } from './made.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const at = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString();
const EMPTY: Timeline = { live: [], retired: [], pruned: [], cached: null, from: null };
const WHOLE: Timeline = {
  live: [
    { release: A, since: at(1), until: at(2) },
    { release: B, since: at(2), until: null },
  ],
  retired: [
    { ids: [idOf(1), idOf(2)], due: at(5) },
    { ids: [idOf(3)], due: at(4) },
  ],
  pruned: [C],
  cached: at(5),
  from: at(1),
};

it('knows every live release since it was begun, until spans are dropped', async () => {
  const bucket = openMemory();
  expect(await beginTimeline(bucket, 'x')).toBe(true);
  const { modified } = (await bucket.read(TIMELINE_KEY))!;
  const begun = withLive(await readTimeline(bucket), A, new Date(at(20)));
  expect(begun.from).toBe(modified!.toISOString());
  await writeTimeline(bucket, begun);
  expect(await readTimeline(bucket)).toMatchObject({ live: begun.live, from: begun.from });
  const many = Array.from({ length: 1001 }, () => begun.live[0]!);
  await writeTimeline(bucket, { ...begun, live: many });
  expect((await readTimeline(bucket)).from).toBe(null);
});

it('is read back as it was written, and is empty when it is damaged or missing', async () => {
  const bucket = openMemory();
  expect(await readTimeline(bucket)).toEqual(EMPTY);
  await writeTimeline(bucket, WHOLE);
  expect(await readTimeline(bucket)).toEqual(WHOLE);
  expect((await bucket.inspect(TIMELINE_KEY))!.headers).toEqual(CONTROL_HEADERS);
  const span = { release: A, since: at(1), until: null };
  for (const damaged of [
    'x',
    '{}',
    'null',
    ...[
      { live: [{ ...span, release: 'A' }] },
      { live: [{ ...span, since: 'then' }] },
      { live: [{ ...span, since: 5 }] },
      { live: [{ ...span, until: 'later' }] },
      { live: [span, { ...span, release: '' }] },
      { retired: [{ ids: [idOf(1)], due: 'later' }] },
      { retired: [{ ids: [idOf(1), '../x'], due: at(5) }] },
      { retired: [{ ids: [`${idOf(1)}0`], due: at(5) }] },
      { retired: [{ ids: [`0${idOf(1)}`], due: at(5) }] },
      { retired: [{ ids: [5], due: at(5) }] },
      { pruned: [A, 'B'] },
    ].map((part) => JSON.stringify({ ...EMPTY, ...part })),
  ]) {
    await bucket.write(TIMELINE_KEY, Buffer.from(damaged), CONTROL_HEADERS);
    expect(await readTimeline(bucket), damaged).toEqual(EMPTY);
  }
});

it('keeps the last thousand releases', async () => {
  const bucket = openMemory();
  const live = Array.from({ length: 1001 }, (_, n) => ({
    release: n.toString(16).padStart(32, '0'),
    since: at(1),
    until: at(2),
  }));
  await writeTimeline(bucket, { ...EMPTY, live });
  expect((await readTimeline(bucket)).live).toEqual(live.slice(1));
});

it('ends the previous release when another one goes live', () => {
  expect(withLive(WHOLE, C, new Date(at(3)))).toEqual({
    ...WHOLE,
    live: [
      WHOLE.live[0],
      { release: B, since: at(2), until: at(3) },
      { release: C, since: at(3), until: null },
    ],
  });
  expect(withLive(WHOLE, B, new Date(at(3)))).toBe(WHOLE);
  expect(withLive(EMPTY, A, new Date(at(1))).live).toEqual([{ release: A, since: at(1), until: null }]);
});

it('keeps unlisted details until they are due', () => {
  expect(dueIds(WHOLE, new Date(Date.parse(at(4)) - 1))).toEqual([]);
  expect(dueIds(WHOLE, new Date(at(4)))).toEqual([idOf(3)]);
  expect(dueIds(WHOLE, new Date(at(5)))).toEqual([idOf(1), idOf(2), idOf(3)]);
  expect([firstDue(WHOLE), firstDue(EMPTY)]).toEqual([at(4), null]);
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

it('a release is no longer pruned when a part of it returns', () => {
  expect(withoutPruned({ ...EMPTY, pruned: [A, C] }, [A]).pruned).toEqual([C]);
  expect(isSameTimeline(WHOLE, structuredClone(WHOLE))).toBe(true);
  expect(isSameTimeline(WHOLE, { ...WHOLE, pruned: [] })).toBe(false);
});

it('an interrupted publish may have made a release live without recording it', async () => {
  const now = new Date(at(9));
  const modified = new Date(at(3));
  for (const layout of ['pages', 'packed'] as const) {
    const [{ release, bodies }] = createReleases(layout, false) as [
      ReturnType<typeof createReleases>[number],
    ];
    const bucket = openMemory({ now: () => modified });
    const manifest = { body: release.bytes, tag: '"x"', modified };
    const live = { release: release.name, since: modified.toISOString(), until: null };
    const known = { ...WHOLE, live: [live] };
    expect(await amended(bucket, known, release, manifest, now)).toBe(known);
    if (layout === 'packed') {
      // A packed release is live when its root is named.
      expect(await amended(bucket, WHOLE, release, manifest, now)).toBe(WHOLE);
      await bucket.write(CURRENT_KEY, Buffer.from('{}'), CONTROL_HEADERS);
      expect(await amended(bucket, WHOLE, release, manifest, now)).toBe(WHOLE);
      await bucket.write(CURRENT_KEY, bodies.get(CURRENT_KEY)!, CONTROL_HEADERS);
    } else await bucket.write(MANIFEST_KEY, release.bytes, CONTROL_HEADERS);
    expect((await amended(bucket, WHOLE, release, manifest, now)).live.at(-1)).toEqual(live);
    if (layout === 'packed') continue;
    const untimed = { body: release.bytes, tag: '"x"' };
    expect((await amended(bucket, WHOLE, release, untimed, now)).live.at(-1)!.since).toBe(now.toISOString());
  }
});

it('a late attempt without an answer does not undo what the same publish recorded after it', async () => {
  const memory = openMemory();
  const sources = createReleases('pages', false).slice(0, 3);
  const options = { allowShrink: true };
  await publishRelease(memory, sources[0]!, options);
  const before = (await memory.read(TIMELINE_KEY))!.body;
  await publishRelease(memory, sources[1]!, options);
  // As if that publish had been interrupted before it recorded its live release.
  await memory.write(TIMELINE_KEY, before, CONTROL_HEADERS);

  let late: (() => Promise<unknown>) | undefined;
  const slow: Bucket = {
    ...memory,
    async write(key, body, headers, condition, limit) {
      if (key !== TIMELINE_KEY || late) return memory.write(key, body, headers, condition, limit);
      // Its store checked the limit when it arrived.
      late = () => memory.write(key, body, headers, condition);
      throw new BucketError('bucket-unreachable', 'no answer', true);
    },
  };
  await publishRelease(withRetry(slow, { delay: 0 }), sources[2]!, options);
  const recorded = await readTimeline(memory);
  expect(recorded.live.map(({ release }) => release)).toEqual(sources.map(({ release }) => release.name));
  expect(recorded.retired).not.toEqual([]);
  await expect(late!()).rejects.toThrow('condition');
  expect(await readTimeline(memory)).toEqual(recorded);
});
