/** The wait before another attempt, and the end of the attempts. */
import { expect, it } from 'vitest';
import { backOff, retry } from '../../src/storage/backoff.ts';

/** The requested waits. */
function waits(random = 1) {
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => void slept.push(milliseconds);
  return { slept, options: { delay: 100, longest: 500, sleep, random: () => random } };
}

it('waits a random part of a time that doubles up to a maximum', async () => {
  const { slept, options } = waits(0.5);
  for (const attempt of [1, 2, 3, 4, 9]) await backOff(attempt, options);
  expect(slept).toEqual([50, 100, 200, 250, 250]);
});

it('repeats as often as allowed, and throws the last failure', async () => {
  const { slept, options } = waits();
  let attempts = 0;
  const fail = async () => {
    throw new Error(String(++attempts));
  };
  await expect(retry(3, fail, undefined, options)).rejects.toThrow('3');
  expect(slept).toEqual([100, 200]);
});

it('returns the first success, and throws permanent failures at once', async () => {
  const { slept, options } = waits();
  let attempts = 0;
  const second = async () => {
    if (++attempts < 2) throw new Error('passing');
    return 'done';
  };
  const isPassing = (error: unknown) => (error as Error).message === 'passing';
  expect(await retry(3, second, isPassing, options)).toBe('done');
  expect(slept).toEqual([100]);
  await expect(retry(3, () => Promise.reject(new Error('fatal')), isPassing, options)).rejects.toThrow(
    'fatal',
  );
  expect(slept).toEqual([100]);
});
