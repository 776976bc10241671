/** What caches purge for the differences between releases. */
import { describe, expect, it } from 'vitest';
import { CURRENT_KEY, propertyKey } from '../../../src/contract/object-keys.ts';
import { cloudFrontPaths } from '../../../src/publish/purge/cloudfront.ts';
import { isRetryable, PurgeRefusal, purgeError } from '../../../src/publish/purge/request.ts';
import {
  limitPrefixes,
  MAX_PREFIXES,
  stalePrefixes,
  stalePrefixesBetween,
} from '../../../src/publish/purge/stale-prefixes.ts';
import type { Release } from '../../../src/release/release.ts';
import { CACHING, idOf, type MadeProperty, type Making, makeSource } from '../made.ts';

const LIST = '/api/v1/public/properties';
const PROBLEM = '_catalogue/problems/not-found.json';
const UPPER = 'ABCDEF00-0000-4000-8000-000000000000';

const LAYOUTS = ['pages', 'packed'] as const;
const HOUSES = [1, 2, 3].map((n): MadeProperty => ({ id: idOf(n), title: `House ${n}`, photo: 'a' }));

/** A release of these houses, with the documents of a build. */
function release(
  layout: (typeof LAYOUTS)[number],
  properties: readonly MadeProperty[],
  more: Making['api'] = {},
) {
  const text = JSON.stringify([layout, properties, more]);
  const { name } = makeSource({ properties, api: { layout, ...more } }).release;
  const documents = {
    ...{ 'openapi.json': 'o', 'index.html': 'h', [PROBLEM]: 'p', 'index.json': name },
    ...{ 'properties.ndjson': text, '_catalogue/countries/IE.json': text },
  };
  return makeSource({ documents, properties, api: { layout, ...more } }).release;
}

const titled = (title: string) => HOUSES.map((house, n) => (n === 1 ? { ...house, title } : house));
const CHANGES: Record<string, readonly MadeProperty[]> = {
  'a title': titled('Other'),
  'a removal': HOUSES.slice(0, 2),
  'a new property': [...HOUSES, { id: idOf(4), title: 'House 4' }],
  'a new city': [...HOUSES, { id: idOf(4), title: 'House 4', city: 'Galway' }],
};

/** Whether CloudFront, or Cloudflare, purges a URL. */
const covers = {
  CloudFront: (paths: readonly string[] | undefined, url: string) =>
    cloudFrontPaths(paths, MAX_PREFIXES).some((path) => url.startsWith(path.slice(0, -1))),
  // A prefix has no query.
  Cloudflare: (paths: readonly string[] | undefined, url: string) =>
    (limitPrefixes(paths, MAX_PREFIXES) ?? ['/']).some((path) => url.split('?')[0]!.startsWith(path)),
};

describe.each(['CloudFront', 'Cloudflare'] as const)('%s', (cache) => {
  const isPurged = covers[cache];
  describe.each(LAYOUTS)('%s', (layout) => {
    it.each(Object.entries(CHANGES))(
      'purges lists and details in any spelling after %s, and no photo',
      async (_, after) => {
        for (const base of ['', '/at', '/at/the/sea']) {
          const [one, other] = [release(layout, HOUSES, { base }), release(layout, after, { base })];
          // The second is a rollback.
          for (const paths of [
            await stalePrefixesBetween([one], other),
            await stalePrefixesBetween([other], one),
            await stalePrefixesBetween([other, one], one),
          ]) {
            for (const url of [
              LIST,
              `${LIST}?page[number]=2`,
              `${LIST}?x=1`,
              `${LIST}/${UPPER}`,
              `${LIST}/${idOf(2)}?x=1`,
            ])
              expect([url, isPurged(paths, base + url)]).toEqual([url, true]);
            const keys = [
              CURRENT_KEY,
              'index.json?release=1',
              'properties.ndjson',
              '_catalogue/countries/IE.json',
            ];
            if (layout !== 'packed') keys.push('_catalogue/pages/-/-/2-2.json', propertyKey(idOf(2)));
            for (const key of keys) {
              expect([key, isPurged(paths, `${base}/${key}`)]).toEqual([key, true]);
              expect([key, isPurged(paths, `/${key}`)]).toEqual([key, true]);
            }
            for (const key of ['media/a.jpg', 'explorer/a.js', 'openapi.json', 'index.html', ''])
              expect([key, isPurged(paths, `${base}/${key}`)]).toEqual([key, false]);
          }
        }
      },
    );

    it('purges details, and lists only where they name their release, after a change of a detail', async () => {
      const mail = HOUSES.map((house) => ({ ...house, email: 'new@stays.example' }));
      const paths = await stalePrefixesBetween([release(layout, HOUSES)], release(layout, mail));
      expect(isPurged(paths, `${LIST}/${UPPER}`)).toBe(true);
      expect(isPurged(paths, `${LIST}?x`)).toBe(layout !== 'pages');
    });

    it('purges everything after a change of a setting', async () => {
      for (const api of [
        { page_sizes: [1] },
        { cache_control: { ...CACHING, media: 'no-cache' } },
        { edge: 'x' },
      ])
        expect(
          await stalePrefixesBetween([release(layout, HOUSES)], release(layout, HOUSES, api)),
        ).toBeUndefined();
      for (const other of LAYOUTS.filter((one) => one !== layout))
        expect(await stalePrefixesBetween([release(other, HOUSES)], release(layout, HOUSES))).toBeUndefined();
    });
  });
});

it('nothing is purged for the same release, but keys outside of releases', async () => {
  const one = release('packed', HOUSES);
  expect(await stalePrefixesBetween([one], one)).toEqual([]);
  expect(await stalePrefixesBetween([one], one, ['changes/2026-01.ndjson', 'changes/feed.xml'])).toEqual([
    '/changes/',
  ]);
});

it('everything is purged where it is unknown what is cached, and where any path may have a changed answer', async () => {
  expect(await stalePrefixesBetween([], release('packed', HOUSES))).toBeUndefined();
  const documents = (text: string, key: string) => ({ [key]: text });
  for (const key of ['index.html', '404.html', PROBLEM]) {
    const [before, after] = ['a', 'b'].map(
      (text) => makeSource({ properties: HOUSES, documents: documents(text, key) }).release,
    ) as [Release, Release];
    expect(await stalePrefixesBetween([before], after)).toBeUndefined();
  }
});

it('a preview is purged at both of its paths', async () => {
  expect(stalePrefixes(['_previews/pr-12/'], '')).toEqual(['/_previews/pr-12/']);
  expect(stalePrefixes(['_previews/pr-12/'], '/at')).toEqual(['/_previews/pr-12/', '/at/_previews/pr-12/']);
});

it('many prefixes become few, then everything', async () => {
  const paths = ['/_catalogue/a', '/_catalogue/b', '/at/_catalogue/a', '/at/_catalogue/b', '/index.json'];
  expect(limitPrefixes(paths, 5)).toEqual(paths);
  expect(limitPrefixes(paths, 4)).toEqual(['/_catalogue/', '/at/_catalogue/', '/index.json']);
  expect(limitPrefixes(paths, 2)).toBeUndefined();
  expect(limitPrefixes(undefined, 2)).toBeUndefined();
  expect(limitPrefixes([], 0)).toEqual([]);
});

it('CloudFront gets its unsafe characters percent-encoded, and at most fifteen wildcards', async () => {
  const path = '/~at/[a] {b}|c^d`e\\f"g<h>#%é';
  expect(cloudFrontPaths([path], 9)).toEqual([
    '/%7Eat/%5Ba%5D%20%7Bb%7D%7Cc%5Ed%60e%5Cf%22g%3Ch%3E%23%25%C3%A9*',
  ]);
  expect(cloudFrontPaths(['/a-b_c.d/e'], 9)).toEqual(['/a-b_c.d/e*']);
  const many = Array.from({ length: 16 }, (_, n) => `/${n}/`);
  expect(cloudFrontPaths(many.slice(1), 500)).toHaveLength(15);
  expect(cloudFrontPaths(many, 500)).toEqual(['/*']);
});

it('a purge that a cache refuses for good is not repeated', async () => {
  const refusedWith = (status: number, code = '') => new PurgeRefusal({ status, headers: {} }, 'no', code);
  for (const status of [429, 500, 503]) expect(isRetryable(refusedWith(status))).toBe(true);
  for (const status of [400, 403, 430, 499]) expect(isRetryable(refusedWith(status))).toBe(false);
  const codes =
    'TooManyInvalidationsInProgress,Throttling,ThrottlingException,TooManyRequestsException,SlowDown';
  for (const code of `${codes},RequestLimitExceeded,RequestThrottled`.split(','))
    expect(isRetryable(refusedWith(400, code))).toBe(true);
  for (const code of ['AccessDenied', 'NoSuchDistribution', 'toString', ''])
    expect(isRetryable(refusedWith(400, code))).toBe(false);
  expect(isRetryable(new TypeError('fetch failed'))).toBe(true);
  const refusal = refusedWith(403);
  const error = purgeError('Cloudflare zone z', refusal);
  expect(error).toMatchObject({ code: 'invalidation-failed', cause: refusal });
  expect(error.message).toBe(
    'The bucket is up to date, but Cloudflare zone z has not purged what changed (Error: 403 no). Run the command again, or "catalogue publish --purge", which purges everything.',
  );
});
