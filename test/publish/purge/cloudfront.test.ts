/** The requests to CloudFront, and the handling of its answers. */
import { createHash } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createCloudFrontPurger } from '../../../src/publish/purge/cloudfront.ts';
import { startFake } from './fake-cache.ts';

beforeEach(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' });
});

const PATH = '/2020-05-31/distribution/E%2F1/invalidation';
const STALE = { paths: ['/a&b', '/c', '/d/'] };

const answer = (status: string, id = 'I/1') =>
  `<?xml version="1.0"?><Invalidation xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Id>${id}</Id><Status>${status}</Status><CreateTime>2026-01-01T00:00:00Z</CreateTime></Invalidation>`;

const DONE = { status: 201, body: answer('InProgress') };

it('is purged once for all paths, with a signature', async () => {
  const { calls, endpoint } = await startFake(() => DONE);
  const cache = createCloudFrontPurger({ distribution: 'E/1', endpoint });
  expect(cache.name).toBe('CloudFront');
  const paths = await cache.purge(STALE);
  expect(paths).toEqual(['/a&b*', '/c*', '/d/*']);
  expect(calls).toHaveLength(1);
  const [{ method, path, headers, body }] = calls as [(typeof calls)[number]];
  expect([method, path, headers['content-type']]).toEqual(['POST', PATH, 'text/xml']);
  expect(headers['x-amz-content-sha256']).toBe(createHash('sha256').update(body).digest('hex'));
  expect(headers.host).toBe(new URL(endpoint).host);
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=test-key\/\d{8}\/us-east-1\/cloudfront\/aws4_request/,
  );
  const items = paths.map((one) => `<Path>${one.replace('&', '&#38;')}</Path>`).join('');
  const [start, end] = body.split(/<CallerReference>[^<]*<\/CallerReference>/);
  expect(start).toBe(
    `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Paths><Quantity>3</Quantity><Items>${items}</Items></Paths>`,
  );
  expect(end).toBe('</InvalidationBatch>');
  // The same paths may be purged again: the reference differs.
  const referenceOf = (call?: { readonly body: string }) =>
    /<CallerReference>([^<]+)</.exec(call?.body ?? '')?.[1];
  expect(await cache.purge({ paths: [] })).toEqual([]);
  expect(calls).toHaveLength(1);
  await cache.purge(STALE);
  expect(referenceOf(calls[1])).not.toBe(referenceOf(calls[0]));
});

it('is purged as a whole beyond fifteen paths, or beyond the limit', async () => {
  const { endpoint } = await startFake(() => DONE);
  const purged = async (count: number, limit?: number) =>
    createCloudFrontPurger({ distribution: 'E', endpoint, limit }).purge({
      paths: Array.from({ length: count }, (_, n) => `/${n}/`),
    });
  expect(await purged(15)).toHaveLength(15);
  for (const limit of [undefined, 500]) expect(await purged(16, limit)).toEqual(['/*']);
  expect(await purged(3, 3)).toHaveLength(3);
  expect(await purged(4, 3)).toEqual(['/*']);
});

it('is waited for on request only', async () => {
  const fake = () =>
    startFake((_call, number) => ({ status: 200, body: answer(number < 3 ? 'InProgress' : 'Completed') }));
  const waiting = await fake();
  await createCloudFrontPurger({
    distribution: 'E/1',
    endpoint: waiting.endpoint,
    wait: true,
    interval: 1,
  }).purge(STALE);
  expect(waiting.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST ${PATH}`,
    `GET ${PATH}/I%2F1`,
    `GET ${PATH}/I%2F1`,
  ]);
  const [, { headers, body }] = waiting.calls as [unknown, (typeof waiting.calls)[number]];
  expect([headers['content-type'], body]).toEqual([undefined, '']);
  const other = await fake();
  await createCloudFrontPurger({ distribution: 'E/1', endpoint: other.endpoint }).purge(STALE);
  expect(other.calls).toHaveLength(1);
});

it.each([
  ['<html>sign in</html>', 1],
  [answer('', 'I1'), 1],
  [answer('InProgress', ''), 1],
  [answer('InProgress'), 2],
])('fails where another server answers: %s', async (body, count) => {
  const { calls, endpoint } = await startFake((_call, number) => ({
    status: 200,
    body: number === 1 ? body : '<html>sign in</html>',
  }));
  const cache = createCloudFrontPurger({ distribution: 'E', endpoint, wait: true, interval: 1 });
  await expect(cache.purge(STALE)).rejects.toMatchObject({
    code: 'invalidation-failed',
    message: expect.stringContaining('(Error: the answer is not that of CloudFront to an invalidation)'),
  });
  expect(calls).toHaveLength(count);
});

it('is asked again when it is busy, and its refusals are reported', async () => {
  const throttled =
    '<ErrorResponse><Error><Code>TooManyInvalidationsInProgress</Code></Error></ErrorResponse>';
  const busy = await startFake(
    (_call, number) =>
      [
        { status: 503, body: '' },
        { status: 400, body: throttled },
      ][number - 1] ?? DONE,
  );
  const cache = createCloudFrontPurger({ distribution: 'E', endpoint: busy.endpoint, delay: 1 });
  expect(await cache.purge(STALE)).toHaveLength(3);
  expect(busy.calls).toHaveLength(3);
  // The same request: it takes effect once.
  expect(new Set(busy.calls.map(({ body }) => body)).size).toBe(1);
  const refused = async (body: string, status = 403) => {
    const { calls, endpoint } = await startFake(() => ({ status, body }));
    const outcome = createCloudFrontPurger({ distribution: 'E', endpoint }).purge(STALE);
    const error = (await outcome.catch((thrown: Error) => thrown)) as Error & { code: string };
    expect([error.code, calls.length]).toEqual(['invalidation-failed', 1]);
    return error.message;
  };
  const element = '<Error><Code>AccessDenied</Code><Message>not you</Message></Error>';
  expect(await refused(`<ErrorResponse>${element}</ErrorResponse>`)).toContain(
    'but CloudFront distribution E has not purged what changed (Error: 403 AccessDenied not you)',
  );
  expect(await refused('not XML')).toContain('(Error: 403 without a code)');
  expect(await refused(element, 300)).toContain('(Error: 300 AccessDenied not you)');
});

it('is configured by the variables and files of AWS’s own tools', async () => {
  const { calls, endpoint } = await startFake(() => DONE);
  const nowhere = 'http://127.0.0.1:1';
  const names = ['AWS_ENDPOINT_URL_CLOUDFRONT', 'AWS_ENDPOINT_URL'] as const;
  onTestFinished(() => {
    for (const name of names) delete process.env[name];
  });
  const ask = () => createCloudFrontPurger({ distribution: 'E' }).purge(STALE);
  Object.assign(process.env, { AWS_ENDPOINT_URL: endpoint });
  await ask();
  Object.assign(process.env, { AWS_ENDPOINT_URL_CLOUDFRONT: endpoint, AWS_ENDPOINT_URL: nowhere });
  await ask();
  Object.assign(process.env, { AWS_ENDPOINT_URL_CLOUDFRONT: nowhere });
  await createCloudFrontPurger({ distribution: 'E', endpoint }).purge(STALE);
  expect(calls).toHaveLength(3);
});
