/** Removals of one object per request are repeated one by one, never as a whole group. */
import { expect, it } from 'vitest';
import { BucketError, RequestExpired } from '../../src/storage/bucket.ts';
import { removeEach } from '../../src/storage/remove-each.ts';
import { withRetry } from '../../src/storage/retry.ts';
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
  };
  const bucket = withRetry(
    { ...openMemory(), remove: (keys) => removeEach(keys, { ...retry, limit }, remove) },
    { ...retry, limit },
  );
  await expect(bucket.remove(['a', 'b'])).rejects.toBe(error);
  expect(requests.sort()).toEqual(['a', 'b', 'b', 'b']);
  expect(unknown).toBe(unsettled);
});

it('an error of another kind stays as it is', async () => {
  const error = new Error('broken');
  const removal = removeEach(['a'], retry, () => Promise.reject(error));
  await expect(removal).rejects.toBe(error);
  expect(error).not.toHaveProperty('isTransient');
});
