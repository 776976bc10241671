import { expect, it } from 'vitest';
import { createRequestQueue } from '../../../src/dev/api/request-queue.ts';

it('runs one lane after another, each in its order, and has settled when nothing runs or waits', async () => {
  const queue = createRequestQueue();
  const done: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = queue.run('network', () => gate.then(() => done.push('fetch')));
  const failed = queue.run('network', () => Promise.reject(new Error('no place')));
  await queue.run('a.yaml', async () => done.push('save'));
  expect(done).toEqual(['save']);
  let isSettled = false;
  const settled = queue.settled().then(() => {
    isSettled = true;
  });
  // Comes after `settled` was called, and counts too.
  const last = first.then(() => queue.run('b.yaml', async () => done.push('later')));
  await Promise.resolve();
  expect(isSettled).toBe(false);
  open();
  await expect(failed).rejects.toThrow('no place');
  await Promise.all([settled, last]);
  expect(done).toEqual(['save', 'fetch', 'later']);
});
