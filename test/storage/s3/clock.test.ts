/** The clock of a store: never ahead of it, and as close as its answers allow. */
import { expect, it } from 'vitest';
import { createStoreClock } from '../../../src/storage/s3/clock.ts';

it('uses the answer with the shortest round trip, until it is forgotten', () => {
  let passed = 0;
  const clock = createStoreClock(() => passed);
  clock.learn(undefined);
  expect(clock.now()).toBeUndefined();
  clock.learn(new Date(100_000));
  expect(clock.now()).toBe(100_000);
  passed = 5000;
  expect(clock.now()).toBe(105_000);
  // This answer took longer, and is less exact.
  clock.learn(new Date(103_000));
  expect(clock.now()).toBe(105_000);
  clock.learn(new Date(105_400));
  expect(clock.now()).toBe(105_400);
  clock.forget();
  expect(clock.now()).toBeUndefined();
  clock.learn(new Date(50_000));
  expect(clock.now()).toBe(50_000);
});

it('counts with the clock of this process that is never set', () => {
  const clock = createStoreClock();
  clock.learn(new Date(1_000_000));
  expect(clock.now()).toBeGreaterThanOrEqual(1_000_000);
  expect(clock.now()).toBeLessThan(1_060_000);
});
