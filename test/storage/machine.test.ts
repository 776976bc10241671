import { hostname, userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { elapsedAtLeast, elapsedAtMost, thisMachine } from '../../src/storage/machine.ts';
import { createVirtualHost } from './virtual-host.ts';

it('names the run of a workflow, or the user, machine and process', () => {
  const run = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'a/b', GITHUB_RUN_ID: '7' };
  expect(thisMachine(run).owner).toBe('https://git.example/a/b/actions/runs/7');
  const own = `${userInfo().username}@${hostname()} (process ${process.pid})`;
  for (const name of Object.keys(run)) expect(thisMachine({ ...run, [name]: undefined }).owner).toBe(own);
  expect(thisMachine({}).owner).toBe(own);
});

it('sleeps, schedules calls, and cancels them', async () => {
  const host = thisMachine({});
  const called: string[] = [];
  host.after(1, () => called.push('first'));
  host.after(5, () => called.push('never'))();
  const { monotonic, wall } = host.instant();
  await host.sleep(30);
  await sleep(30);
  expect(called).toEqual(['first']);
  const now = host.instant();
  // Timers may be a millisecond early.
  expect(now.monotonic - monotonic).toBeGreaterThan(50);
  expect(now.wall).toBeGreaterThanOrEqual(wall);
  expect(host.unique()).not.toBe(host.unique());
});

it('a holder counts the longer of two clocks, a challenger the one that is never set', async () => {
  const { host, advance, setClock } = createVirtualHost();
  const since = host.instant();
  await advance(1000);
  expect([elapsedAtMost(host, since), elapsedAtLeast(host, since)]).toEqual([1000, 1000]);
  setClock(500);
  expect([elapsedAtMost(host, since), elapsedAtLeast(host, since)]).toEqual([1500, 1000]);
  setClock(-900);
  expect([elapsedAtMost(host, since), elapsedAtLeast(host, since)]).toEqual([1000, 1000]);
});
