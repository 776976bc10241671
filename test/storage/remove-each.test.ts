/** Removals of one object per request are repeated one by one, never as a whole group. */
import { expect, it } from 'vitest';
import { BucketError, RequestExpired } from '../../src/storage/bucket.ts';
import { removeEach } from '../../src/storage/remove-each.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import { openMemory } from './memory.ts';

const retry = { attempts: 3, sleep: async () => {} };

it.each([
  ['busy', new BucketError('bucket-busy', 'busy', true), 3],
  ['too late', new RequestExpired('a'), 0],
])('an object whose removal stays %s is requested once per attempt', async (_name, error, unsettled) => {
  const requests: string[] = [];
  let unknown = 0;
  const limit = {
    ...{ holder: 'one', remaining: () => 30_000, signal: new AbortController().signal },
    ready: async () => {},
    unsettled: () => void unknown++,
  };
  const remove = async (key: string) => {
    requests.push(key);
    if (key === 'b') throw error;
    return undefined;
  };
  const bucket = withRetry(
    { ...openMemory(), remove: (keys) => removeEach(keys, { ...retry, limit }, remove) },
    { ...retry, limit },
  );
  await expect(bucket.remove(['a', 'b'])).rejects.toBe(error);
  expect(requests.sort()).toEqual(['a', 'b', 'b', 'b']);
  expect(unknown).toBe(unsettled);
});

it('tells the latest time of the responses, in whatever order they arrive', async () => {
  const time = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
  const times = new Map([
    ['a', time(1)],
    ['b', time(3)],
    ['c', time(2)],
    ['d', undefined],
  ]);
  const remove = async (key: string) => (key === 'd' ? undefined : { time: times.get(key) });
  expect(await removeEach(times.keys(), retry, remove)).toEqual({ time: time(3) });
  expect(await removeEach(['d'], retry, remove)).toEqual({ time: undefined });
});

it('an error of another kind stays as it is', async () => {
  const error = new Error('broken');
  const removal = removeEach(['a'], retry, () => Promise.reject(error));
  await expect(removal).rejects.toBe(error);
  expect(error).not.toHaveProperty('isTransient');
});
