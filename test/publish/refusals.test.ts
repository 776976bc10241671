/** The cases in which a publish refuses to start. */
import { describe, expect, it } from 'vitest';
import type { PublishPlan } from '../../src/publish/plan.ts';
import { assertNotEmpty, type GuardOptions, guardPlan } from '../../src/publish/refusals.ts';
import type { Release } from '../../src/release/release.ts';
import { idOf, makeSource } from './made.ts';

/** A release with so many properties. */
function releaseOf(count: number, time: string | null = null): Release {
  const properties = Array.from({ length: count }, (_, n) => ({ id: idOf(n), title: 'House' }));
  return makeSource({ time, api: { layout: 'packed' }, properties }).release;
}

/** The code of the refusal; undefined without one. */
async function refusal(
  live: Release | undefined,
  after: Release,
  options: GuardOptions = {},
  goneProperties = 0,
) {
  try {
    await guardPlan(live, { after, goneProperties } as PublishPlan, options);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ name: 'UsageError' });
    return error as Error & { code: string };
  }
}

it('an empty catalogue is refused', () => {
  expect(() => assertNotEmpty(releaseOf(0))).toThrow(
    expect.objectContaining({
      ...{ name: 'UsageError', code: 'empty-catalogue' },
      message:
        'The catalogue holds no property. An empty one is never published: look for what went wrong with the content folder.',
    }),
  );
  assertNotEmpty(releaseOf(1));
});

describe('a release that loses too many properties', () => {
  it.each([
    [7, {}, 5],
    [50, {}, 5],
    [59, {}, 5],
    [60, {}, 6],
    [200, {}, 20],
    [200, { maxShrink: 0 }, 5],
    [200, { maxShrink: 33 }, 66],
  ])('of %i properties with %j may lose %i', async (count, options, limit) => {
    const live = releaseOf(count);
    expect(await refusal(live, releaseOf(count - limit), options)).toBeUndefined();
    const after = releaseOf(count - limit - 1);
    expect(await refusal(live, after, options)).toMatchObject({
      code: 'too-many-removed',
      message: `This release would remove ${limit + 1} of ${count} properties; the limit is ${limit}. If that is meant, publish with --allow-shrink.`,
    });
    expect(await refusal(live, after, { ...options, allowShrink: true })).toBeUndefined();
  });

  it('is compared with properties that a listing found too, and also when nothing is known', async () => {
    const one = releaseOf(1);
    expect(await refusal(one, one, {}, 5)).toBeUndefined();
    expect(await refusal(one, one, {}, 6)).toMatchObject({
      message: expect.stringContaining('remove 6 of 1 property'),
    });
    expect(await refusal(undefined, one, {}, 5)).toBeUndefined();
    expect(await refusal(undefined, one, {}, 6)).toMatchObject({
      message: expect.stringContaining('remove 6 of 7 prop'),
    });
    expect(await refusal(releaseOf(7), releaseOf(1), {}, 2)).toMatchObject({
      message: expect.stringContaining('remove 6 of 7'),
    });
  });
});

describe('a commit that is older than the live one', () => {
  const [early, late] = ['2026-03-01T10:59:59Z', '2026-03-01T12:00:00+01:00'];
  const of = (time: string | null) => releaseOf(1, time);

  it('is refused without the option for it', async () => {
    const [before, after] = [of(late).build, of(early).build];
    expect(await refusal(of(late), of(early))).toMatchObject({
      code: 'older-commit',
      message: `This release is of commit ${after.commit} of ${early}; the live one is of a later commit, ${before.commit} of ${late}. Build the latest commit, or publish this one with --allow-older.`,
    });
    expect(await refusal(of(late), of(early), { allowOlder: true })).toBeUndefined();
  });

  it.each<[string | null, string | null]>([
    [early, late],
    [late, late],
    [late, '2026-03-01T11:00:00Z'],
    [late, null],
    [null, early],
  ])('after %s, %s is accepted', async (before, after) => {
    expect(await refusal(of(before), of(after))).toBeUndefined();
  });

  it('is accepted when nothing is live', async () => {
    expect(await refusal(undefined, of(early))).toBeUndefined();
  });
});
