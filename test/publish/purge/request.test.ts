/** A stop signal ends a purge at once. */
import { beforeEach, expect, it } from 'vitest';
import { publishRelease } from '../../../src/publish/publish.ts';
import { createCloudflarePurger } from '../../../src/publish/purge/cloudflare.ts';
import { createCloudFrontPurger } from '../../../src/publish/purge/cloudfront.ts';
import type { StalePrefixes } from '../../../src/publish/purge/stale-prefixes.ts';
import { thisMachine } from '../../../src/storage/machine.ts';
import { openMemory } from '../../storage/memory.ts';
import { serveLoopback } from '../../support/loopback.ts';
import { idOf, makeSource } from '../made.ts';

beforeEach(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' });
});

const IN_PROGRESS = '<Invalidation><Id>I1</Id><Status>InProgress</Status></Invalidation>';

it.each([
  ['waits for the invalidation', 200, IN_PROGRESS],
  ['waits as long as it is asked to', 429, ''],
  ['waits for an answer', 0, ''],
])(
  'a publish that %s is stopped: it gives the lock back, and the next one purges everything',
  async (_, status, body) => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    let calls = 0;
    const endpoint = await serveLoopback((_incoming, outgoing) => {
      calls++;
      if (status > 0) outgoing.writeHead(status, { 'retry-after': '100' }).end(body);
      setTimeout(() => stop.abort(reason), 50);
    });
    const bucket = openMemory();
    const stopped = stop.signal;
    const front = createCloudFrontPurger({ distribution: 'E', endpoint, wait: true, stopped });
    const source = makeSource({ properties: [{ id: idOf(1), title: 'House' }] });
    const lock = { host: thisMachine({}, stopped) };
    await expect(publishRelease(bucket, source, { purgers: [front], lock })).rejects.toBe(reason);
    expect(calls).toBe(1);
    const asked: StalePrefixes[] = [];
    const purge = async ({ paths }: { readonly paths: StalePrefixes }) => {
      asked.push(paths);
      return [];
    };
    expect(await publishRelease(bucket, source, { purgers: [{ name: 'A', purge }] })).toMatchObject({
      outcome: 'published',
    });
    expect(asked).toEqual([undefined]);
  },
);

it('no purge begins after a stop signal', async () => {
  const stopped = AbortSignal.abort(new Error('stopped'));
  let calls = 0;
  const endpoint = await serveLoopback((_incoming, outgoing) => {
    calls++;
    outgoing.end('{"success":true}');
  });
  const settings = { zone: 'z', token: 't', baseUrl: 'https://stays.example', endpoint };
  const purge = createCloudflarePurger({ ...settings, stopped }).purge({ paths: ['/a'] });
  await expect(purge).rejects.toThrow('stopped');
  expect(calls).toBe(0);
});
