/** Caches are opened from options and the environment. */
import { afterEach, expect, it, vi } from 'vitest';
import { openPurgers } from '../../../src/publish/purge/open.ts';
import { startFake } from './fake-cache.ts';

const OPTIONS = { limit: 15, wait: false };
const paths = ['/a', '/b', '/c'];
const setVariables = (variables: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
};

afterEach(() => void vi.unstubAllEnvs());

it('opens no cache without a name', async () => {
  expect(await openPurgers(OPTIONS)).toEqual([]);
});

it('opens both caches, each with its settings', async () => {
  const flare = await startFake(() => ({ status: 200, body: '{"success":true}' }));
  const front = await startFake((_call, number) => ({
    status: 201,
    body: `<Invalidation><Id>I1</Id><Status>${number < 2 ? 'InProgress' : 'Completed'}</Status></Invalidation>`,
  }));
  setVariables({
    ...{ AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' },
    AWS_ENDPOINT_URL_CLOUDFRONT: front.endpoint,
    ...{ CLOUDFLARE_API_TOKEN: 't0ken', CLOUDFLARE_BASE_URL: flare.endpoint },
  });
  const open = (more: object) =>
    openPurgers({
      ...{ ...OPTIONS, cloudfront: 'E1', cloudflare: 'z1', baseUrl: 'https://stays.example' },
      ...more,
    });
  const asked = async (more: object) => {
    const all: (readonly string[])[] = [];
    for (const { purge } of await open(more)) all.push(await purge({ paths }));
    return all;
  };
  expect((await open({})).map(({ name }) => name)).toEqual(['CloudFront', 'Cloudflare']);
  expect((await asked({})).map(({ length }) => length)).toEqual([3, 3]);
  expect(front.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /2020-05-31/distribution/E1/invalidation',
  ]);
  expect(flare.calls.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/zones/z1/purge_cache', 'Bearer t0ken'],
  ]);
  expect((await asked({ limit: 1 })).map(([first]) => first)).toEqual(['/*', 'stays.example/']);
});

it.each([
  [
    { baseUrl: 'https://stays.example' },
    { CLOUDFLARE_API_TOKEN: '' },
    'no-api-token',
    'There is no CLOUDFLARE_API_TOKEN in the environment. Make a token that may purge the cache of the zone.',
  ],
  [
    {},
    { CLOUDFLARE_API_TOKEN: 't' },
    'no-base-url',
    'Cloudflare purges URLs. Name the one in front of the API with --base-url.',
  ],
])('checks Cloudflare with %j and %j: %s', async (options, variables, code, message) => {
  setVariables(variables);
  const opened = openPurgers({ ...OPTIONS, cloudflare: 'z1', ...options });
  await expect(opened).rejects.toMatchObject({ name: 'UsageError', code, message });
});
