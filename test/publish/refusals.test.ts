/** How many properties may go at once. */
import { expect, it } from 'vitest';
import type { Plan } from '../../src/publish/plan.ts';
import { guardPlan } from '../../src/publish/refusals.ts';
import { parseRelease, type Release } from '../../src/release/release.ts';
import { idOf } from '../build/workspace.ts';

/** A release with so many properties. */
function releaseOf(properties: number): Release {
  const digest = '0'.repeat(32);
  const manifest = {
    version: 1,
    release: digest,
    build: { commit: null, time: null },
    api: { base: '', page_sizes: [25], cache_control: { api: '', media: '', problem: '' }, api_keys: false },
    headers: {},
    documents: {},
    media: [],
    sequence: Array.from({ length: properties }, (_, n) => [idOf(n), 'IE', 'Cork', digest, digest]),
  };
  return parseRelease(Buffer.from(JSON.stringify(manifest)))!;
}

/** The number of properties that may go without a refusal. */
function limitOf(properties: number, options: { maxShrink?: number }): number {
  const live = releaseOf(properties);
  const accepts = (goneProperties: number) => {
    const after = releaseOf(properties - goneProperties);
    try {
      guardPlan(live, { after, goneProperties } as Plan, options);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-many-removed' });
      guardPlan(live, { after, goneProperties } as Plan, { ...options, allowShrink: true });
      return false;
    }
  };
  const all = Array.from({ length: properties }, (_, gone) => accepts(gone));
  const limit = all.lastIndexOf(true);
  expect(all.indexOf(false)).toBe(limit + 1 < properties ? limit + 1 : -1);
  return limit;
}

it.each([
  [7, {}, 5],
  [50, {}, 5],
  [59, {}, 5],
  [60, {}, 6],
  [200, {}, 20],
  [200, { maxShrink: 0 }, 5],
  [200, { maxShrink: 33 }, 66],
])('of %i properties with %j: %i', (properties, options, limit) => {
  expect(limitOf(properties, options)).toBe(limit);
});
