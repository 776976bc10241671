/** The requests to Cloudflare, and the handling of its answers. */
import { expect, it, onTestFinished } from 'vitest';
import { createCloudflarePurger } from '../../../src/publish/purge/cloudflare.ts';
import { startFake } from './fake-cache.ts';

const SETTINGS = { zone: 'z/1', token: 't0ken', baseUrl: 'https://stays.example', delay: 1 };
const DONE = { status: 200, body: '{"success":true}' };
const STALE = { paths: ['/a', '/b/', '/c'] };

it('is purged by prefix with the token, and the request is reported', async () => {
  const { calls, endpoint } = await startFake(() => DONE);
  const cache = createCloudflarePurger({ ...SETTINGS, endpoint });
  expect(cache.name).toBe('Cloudflare');
  const prefixes = await cache.purge(STALE);
  expect(prefixes).toEqual(['stays.example/a', 'stays.example/b/', 'stays.example/c']);
  expect(calls).toHaveLength(1);
  const [{ method, path, headers, body }] = calls as [(typeof calls)[number]];
  expect([method, path]).toEqual(['POST', '/zones/z%2F1/purge_cache']);
  expect(headers).toMatchObject({ authorization: 'Bearer t0ken', 'content-type': 'application/json' });
  expect(JSON.parse(body)).toEqual({ prefixes });
  expect(await cache.purge({ paths: [] })).toEqual([]);
  expect(calls).toHaveLength(1);
});

it('is purged by at most thirty prefixes at a time, and as a whole host beyond the limit', async () => {
  const { calls, endpoint } = await startFake(() => DONE);
  const purged = (count: number, limit?: number) =>
    createCloudflarePurger({ ...SETTINGS, endpoint, limit }).purge({
      paths: Array.from({ length: count }, (_, n) => `/${n}/`),
    });
  const exact = await purged(61, 61);
  expect(calls.map(({ body }) => JSON.parse(body).prefixes.length)).toEqual([30, 30, 1]);
  expect(calls.flatMap(({ body }) => JSON.parse(body).prefixes)).toEqual(exact);
  const prefixes = ['stays.example/'];
  expect(await purged(61, 60)).toEqual(prefixes);
  expect(calls.slice(3).map(({ body }) => JSON.parse(body))).toEqual([{ prefixes }]);
  expect(await purged(15)).toHaveLength(15);
  expect(await purged(16)).toEqual(prefixes);
});

it('waits as long as it is asked to, and gives up where that is too long', async () => {
  const busy = (wait: string) =>
    startFake(() => ({ status: 429, body: '', headers: { 'Retry-After': wait } }));
  const long = await busy('3600');
  const cache = createCloudflarePurger({ ...SETTINGS, endpoint: long.endpoint });
  await expect(cache.purge(STALE)).rejects.toThrow('429');
  expect(long.calls).toHaveLength(1);
  const now = await busy('0');
  await expect(createCloudflarePurger({ ...SETTINGS, endpoint: now.endpoint }).purge(STALE)).rejects.toThrow(
    '429',
  );
  expect(now.calls).toHaveLength(5);
});

it('is asked again when it is busy, five times at most, but not after a refusal', async () => {
  const purge = async (status: number, body: string, successes = 9) => {
    const { calls, endpoint } = await startFake((_call, number) =>
      number > successes ? DONE : { status, body },
    );
    const outcome = await createCloudflarePurger({ ...SETTINGS, endpoint })
      .purge(STALE)
      .catch((error: Error) => error);
    return { outcome, count: calls.length };
  };
  expect(await purge(429, '', 4)).toMatchObject({ outcome: { length: 3 }, count: 5 });
  expect(await purge(503, 'x'.repeat(400))).toMatchObject({
    count: 5,
    outcome: {
      code: 'invalidation-failed',
      message: expect.stringMatching(/but Cloudflare zone z\/1 has not purged .*\(Error: 503 x{300}\)/),
    },
  });
  const refusal = '{"success":false,"errors":[{"message":"no"}]}';
  expect(await purge(403, refusal)).toMatchObject({
    count: 1,
    outcome: { message: expect.stringContaining(`403 ${refusal}`) },
  });
  // The body reports a failure although the status is a success.
  expect(await purge(200, refusal)).toMatchObject({
    count: 1,
    outcome: { code: 'invalidation-failed' },
  });
  expect(await purge(200, 'no JSON', 1)).toMatchObject({ count: 2, outcome: { length: 3 } });
  expect(await purge(403, '{"success":true}')).toMatchObject({
    count: 1,
    outcome: { code: 'invalidation-failed' },
  });
});

it('is configured by the variables of Cloudflare’s own libraries', async () => {
  const { calls, endpoint } = await startFake(() => DONE);
  process.env.CLOUDFLARE_BASE_URL = endpoint;
  onTestFinished(() => void delete process.env.CLOUDFLARE_BASE_URL);
  await createCloudflarePurger(SETTINGS).purge(STALE);
  expect(calls).toHaveLength(1);
});

it.each(['stays.example', 'ftp://stays.example', 'file:///stays', 'shttps://stays.example'])(
  'refuses %s',
  (baseUrl) => {
    expect(() => createCloudflarePurger({ ...SETTINGS, baseUrl })).toThrow(
      expect.objectContaining({
        code: 'invalid-base-url',
        message: `"${baseUrl}" is not a base URL. Give one such as https://stays.example.`,
      }),
    );
  },
);

it('accepts a base URL without TLS', () => {
  expect(createCloudflarePurger({ ...SETTINGS, baseUrl: 'http://stays.example' }).name).toBe('Cloudflare');
});
