/** Carrying out a plan does not trust the plan: it removes no foreign object. */
import { expect, it } from 'vitest';
import { CURRENT_KEY, propertyKey } from '../../src/contract/object-keys.ts';
import { applyPlan } from '../../src/publish/apply.ts';
import { type PublishPlan, planFromReleases } from '../../src/publish/plan.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { surveyBucket } from '../../src/publish/survey.ts';
import { readTimeline, timelineForLog } from '../../src/publish/timeline.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { type HeldLock, takeLock } from '../../src/storage/lock.ts';
import { openMemory } from '../storage/memory.ts';
import { idOf, makeSource } from './made.ts';
import { recorded } from './recorded.ts';

const houses = (...numbers: number[]) =>
  makeSource({
    documents: { 'openapi.json': numbers.join(), ...(numbers.includes(2) ? { 'openapi.yaml': 'x' } : {}) },
    properties: numbers.map((n) => ({ id: idOf(n), title: `House ${n}` })),
  });

/** Carries out a plan for a release with a third house, after the one with a second, with these removals. */
async function change(bucket: Bucket, removals: readonly string[], begun: string[] = []) {
  const source = houses(1, 3);
  const held = await takeLock(bucket);
  const survey = await surveyBucket(held);
  const made = await planFromReleases(survey.live!, source.release);
  const plan: PublishPlan = { ...made, removals: () => removals };
  const record: HeldLock['record'] = (next) => {
    begun.push(...next.releases!);
    return held.record(next);
  };
  try {
    const applied = await applyPlan({
      ...{ held: { ...held, record }, source, plan, survey },
      ...{ goal: null, listener: () => {}, width: 4 },
    });
    await held.finish(timelineForLog(applied.timeline));
    return applied;
  } catch (error) {
    await held.abandon();
    throw error;
  }
}

/** Publishes one release, and carries out a plan for another with these removals. */
async function remove(bucket: Bucket, removals: readonly string[]) {
  await publishRelease(bucket, houses(1, 2));
  return change(bucket, removals);
}

it('names the releases that the bucket may hold in part', async () => {
  const bucket = openMemory();
  await publishRelease(bucket, houses(1, 2));
  const names = [houses(1, 2), houses(1, 3)].map(({ release }) => release.name);
  const begun: string[] = [];
  await change(bucket, [], begun);
  expect(begun).toEqual(names);
});

it.each([
  ['of nobody known', 'robots.txt'],
  ['of the release itself', 'openapi.json'],
  ['of publishing itself', '_catalogue/log/00000001.json'],
])('refuses to remove an object %s, and its whole group', async (_name, key) => {
  const { bucket, requests } = recorded(openMemory());
  await expect(remove(bucket, ['openapi.yaml', key])).rejects.toThrow(
    `internal: ${key} to remove belongs to another program, or to the new release`,
  );
  expect(requests.filter((request) => request.startsWith('remove'))).toEqual([]);
});

it('uses the time of the machine when the store gives none', async () => {
  const memory = openMemory();
  const silent: Bucket = {
    ...memory,
    read: async (key) => {
      const object = await memory.read(key);
      return object && { body: object.body, tag: object.tag };
    },
    write: async (...args) => ({ tag: (await memory.write(...args)).tag }),
  };
  const before = Date.now();
  await publishRelease(silent, houses(1));
  const since = Date.parse((await readTimeline(memory)).live[0]!.since);
  expect(since).toBeGreaterThanOrEqual(before - 1);
  expect(since).toBeLessThanOrEqual(Date.now() + 1);
});

it('returns the retired keys, and the changed keys outside of releases', async () => {
  const bucket = openMemory();
  const { retired, otherKeys, timeline } = await remove(bucket, [propertyKey(idOf(2))]);
  expect([retired, otherKeys]).toEqual([1, [CURRENT_KEY]]);
  expect(timeline).toEqual(await readTimeline(bucket));
  expect(timeline.before).toHaveLength(1);
});
