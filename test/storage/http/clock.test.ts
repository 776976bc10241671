/** The clock of a store: never ahead of it, and as close as its answers allow. */
import { expect, it } from 'vitest';
import { createStoreClock } from '../../../src/storage/http/clock.ts';

it('follows the latest answer: of a slower clock, and of one that was set back', () => {
  let passed = 0;
  const clock = createStoreClock(() => passed);
  clock.learn(undefined);
  expect(clock.now()).toBeUndefined();
  clock.learn(new Date(100_000));
  expect(clock.now()).toBe(100_000);
  passed = 5000;
  expect(clock.now()).toBe(105_000);
  clock.learn(new Date(104_500));
  expect(clock.now()).toBe(104_500);
  clock.learn(new Date(50_000));
  clock.learn(undefined);
  expect(clock.now()).toBe(50_000);
});

it('does not know the time half a minute after the last answer', () => {
  let passed = 0;
  const clock = createStoreClock(() => passed);
  clock.learn(new Date(100_000));
  passed = 29_999;
  expect(clock.now()).toBe(129_999);
  passed = 30_000;
  expect(clock.now()).toBeUndefined();
});

it('counts with the clock of this process that is never set', () => {
  const clock = createStoreClock();
  clock.learn(new Date(1_000_000));
  expect(clock.now()).toBeGreaterThanOrEqual(1_000_000);
  expect(clock.now()).toBeLessThan(1_060_000);
});
