/** The requests to CloudFront, and the handling of its answers. */
import { createHash } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createCloudFront } from '../../../src/publish/purge/cloudfront.ts';
import { idOf } from '../made.ts';
import { houses, startFake } from './fake-cache.ts';

beforeEach(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' });
});

const PATH = '/2020-05-31/distribution/E%2F1/invalidation';
const [before, after] = [houses('old'), houses('new')];
const DETAIL = '/api/v1/public/properties';

const answer = (status: string, id = 'I/1') =>
  `<?xml version="1.0"?><Invalidation xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Id>${id}</Id><Status>${status}</Status><CreateTime>2026-01-01T00:00:00Z</CreateTime></Invalidation>`;

const DONE = { status: 201, body: answer('InProgress') };

it('is purged once for all paths, with a signature', async () => {
  const { calls, endpoint } = await startFake(() => DONE);
  const cache = createCloudFront({ distribution: 'E/1', endpoint });
  expect(cache.name).toBe('CloudFront');
  const paths = await cache.invalidate([before], after, ['a&b']);
  expect(paths).toEqual([
    ...['/_catalogue/manifest.json', `/_catalogue/properties/${idOf(1)}.json`, '/a&b'],
    ...[`${DETAIL}/${idOf(1)}`],
  ]);
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
    `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Paths><Quantity>4</Quantity><Items>${items}</Items></Paths>`,
  );
  expect(end).toBe('</InvalidationBatch>');
  // The same paths may be purged again: the reference differs.
  expect(body).toMatch(new RegExp(`<CallerReference>${after.name}-\\d{13}</CallerReference>`));
  expect(await cache.invalidate([after], after, [])).toEqual([]);
  expect(calls).toHaveLength(1);
});

it('is purged as a whole beyond 500 paths, or beyond the limit', async () => {
  const { endpoint } = await startFake(() => DONE);
  const paths = async (count: number, limit?: number) =>
    createCloudFront({ distribution: 'E', endpoint, limit }).invalidate(
      [houses('old', count)],
      houses('new', count),
      [],
    );
  expect(await paths(249)).toHaveLength(499);
  expect(await paths(250)).toEqual(['/*']);
  expect(await paths(1, 3)).toHaveLength(3);
  expect(await paths(2, 3)).toEqual(['/*']);
});

it('is waited for on request only', async () => {
  const fake = () =>
    startFake((_call, number) => ({ status: 200, body: answer(number < 3 ? 'InProgress' : 'Completed') }));
  const waiting = await fake();
  await createCloudFront({
    distribution: 'E/1',
    endpoint: waiting.endpoint,
    wait: true,
    interval: 1,
  }).invalidate([before], after, []);
  expect(waiting.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `POST ${PATH}`,
    `GET ${PATH}/I%2F1`,
    `GET ${PATH}/I%2F1`,
  ]);
  const [, { headers, body }] = waiting.calls as [unknown, (typeof waiting.calls)[number]];
  expect([headers['content-type'], body]).toEqual([undefined, '']);
  const other = await fake();
  await createCloudFront({ distribution: 'E/1', endpoint: other.endpoint }).invalidate([before], after, []);
  expect(other.calls).toHaveLength(1);
});

it('is asked again when it is busy, and its refusals are reported', async () => {
  const busy = await startFake((_call, number) => (number === 1 ? { status: 503, body: '' } : DONE));
  const cache = createCloudFront({ distribution: 'E', endpoint: busy.endpoint });
  expect(await cache.invalidate([before], after, [])).toHaveLength(3);
  expect(busy.calls).toHaveLength(2);
  const refused = async (body: string, status = 403) => {
    const { calls, endpoint } = await startFake(() => ({ status, body }));
    const outcome = createCloudFront({ distribution: 'E', endpoint }).invalidate([before], after, []);
    const error = (await outcome.catch((thrown: Error) => thrown)) as Error & { code: string };
    expect([error.code, calls.length]).toEqual(['invalidation-failed', 1]);
    return error.message;
  };
  const element = '<Error><Code>AccessDenied</Code><Message>not you</Message></Error>';
  expect(await refused(`<ErrorResponse>${element}</ErrorResponse>`)).toContain(
    'but CloudFront distribution E has not forgotten what changed (Error: 403 AccessDenied not you)',
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
  const ask = () => createCloudFront({ distribution: 'E' }).invalidate([before], after, []);
  Object.assign(process.env, { AWS_ENDPOINT_URL: endpoint });
  await ask();
  Object.assign(process.env, { AWS_ENDPOINT_URL_CLOUDFRONT: endpoint, AWS_ENDPOINT_URL: nowhere });
  await ask();
  Object.assign(process.env, { AWS_ENDPOINT_URL_CLOUDFRONT: nowhere });
  await createCloudFront({ distribution: 'E', endpoint }).invalidate([before], after, []);
  expect(calls).toHaveLength(3);
});
