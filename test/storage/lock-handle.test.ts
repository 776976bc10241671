import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Bucket } from '../../src/storage/bucket.ts';
import { createLockHandle } from '../../src/storage/lock-handle.ts';
import { thisMachine } from '../../src/storage/machine.ts';

it('any number of requests can listen for the end of a lock without a leak warning of Node.js (issue 18)', async () => {
  const said: string[] = [];
  const listen = ({ name }: Error) => void said.push(name);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  const options = {
    owner: 'test',
    duration: 60_000,
    life: 30_000,
    isExclusive: true,
    releases: [],
    readerLife: 0,
  };
  const { limit } = createLockHandle({} as Bucket, thisMachine(), options);
  for (let request = 0; request < 100; request++) limit.signal.addEventListener('abort', () => request);
  // Warnings come in order: this one is the last.
  const last = once(process, 'warning');
  process.emitWarning('the end', 'TrialWarning');
  await last;
  expect(said).toEqual(['TrialWarning']);
});

it('a machine that slept knows only the latest possible time (A9), also of an answer that waited meanwhile', async () => {
  let instant = { monotonic: 0, wall: 0 };
  const options = {
    owner: 'test',
    duration: 60_000,
    life: 30_000,
    isExclusive: true,
    releases: [],
    readerLife: 0,
  };
  const host = { ...thisMachine(), instant: () => instant };
  const { observe, time, latest } = createLockHandle({} as Bucket, host, options);
  await observe(async () => ({ time: new Date('2026-01-01T00:00:00Z') }));
  instant = { monotonic: 1000, wall: 200_000 };
  expect([time(), latest()]).toEqual([new Date('2026-01-01T00:00:01Z'), new Date('2026-01-01T00:03:20Z')]);
  await observe(async () => {
    instant = { monotonic: 2000, wall: 500_000 };
    return { time: new Date('2026-01-01T00:04:00Z') };
  });
  expect([time(), latest()]).toEqual([new Date('2026-01-01T00:04:00Z'), new Date('2026-01-01T00:09:00Z')]);
});

it('after a pause of both clocks, the latest possible time is that by which a request was signed', async () => {
  const options = { owner: 'test', isExclusive: true };
  const host = { ...thisMachine(), instant: () => ({ monotonic: 0, wall: 0 }) };
  const { observe, latest, limit } = createLockHandle({} as Bucket, host, options);
  await observe(async () => ({ time: new Date('2026-01-01T00:00:00Z') }));
  limit.remaining(Date.UTC(2026, 0, 1, 0, 1));
  expect(latest()).toEqual(new Date('2026-01-01T00:01:00Z'));
  limit.remaining(Date.UTC(2026, 0, 1, 0, 0, 30));
  limit.remaining();
  expect(latest()).toEqual(new Date('2026-01-01T00:01:00Z'));
});

it('renewals go on after a failure, and end with one that was on its way', async () => {
  const planned: (() => void)[] = [];
  const after: ReturnType<typeof thisMachine>['after'] = (_pause, run) => {
    planned.push(run);
    return () => {};
  };
  const bucket = { write: () => Promise.reject(new Error('no answer')) } as unknown as Bucket;
  const options = {
    owner: 'test',
    duration: 60_000,
    life: 30_000,
    isExclusive: true,
    releases: [],
    readerLife: 0,
  };
  const stop = createLockHandle(bucket, { ...thisMachine(), after }, options).keepBeating();
  planned[0]!();
  await setImmediate();
  expect(planned).toHaveLength(2);
  planned[1]!();
  stop();
  await setImmediate();
  expect(planned).toHaveLength(2);
});
