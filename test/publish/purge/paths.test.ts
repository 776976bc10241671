/** The purge requests for the differences between releases. */
import { describe, expect, it } from 'vitest';
import { CURRENT_KEY, chunkKey, propertyKey, rootKey } from '../../../src/contract/keys.ts';
import { cloudflarePurge } from '../../../src/publish/purge/cloudflare.ts';
import { cloudFrontPaths } from '../../../src/publish/purge/cloudfront.ts';
import {
  changedKeys,
  detailPath,
  invalidationError,
  isListKey,
  isPassing,
  PurgeRefusal,
} from '../../../src/publish/purge/purge.ts';
import type { Release } from '../../../src/release/release.ts';
import { CACHING, idOf, type MadeProperty, type Making, makeSource, photoKey } from '../made.ts';

const LIST = '/api/v1/public/properties';
const MANIFEST = '_catalogue/manifest.json';
const PROBLEM = '_catalogue/problems/not-found.json';
const SITE = 'https://stays.example';

const HOUSES = [1, 2, 3].map((n): MadeProperty => ({ id: idOf(n), title: `House ${n}` }));

/** A release of these houses, each with what is given of it. */
function houses(changes: Record<number, Partial<MadeProperty>> = {}, more: Partial<Making> = {}): Release {
  const properties = HOUSES.map((house, index) => ({ ...house, ...changes[index + 1] }));
  const documents = { 'openapi.json': 'o', [PROBLEM]: 'p' };
  return makeSource({ documents, properties, ...more }).release;
}

/** Paths of a scope in CloudFront and Cloudflare, `folders` of it, without a slash in front. */
const scopes = ['-/-', 'IE/-', '-/436f726b', 'IE/436f726b'].map((scope) => `_catalogue/pages/${scope}`);

describe('the changed keys', () => {
  const keys = (...args: Parameters<typeof changedKeys>) => [...changedKeys(...args)];

  it('are empty for the same release, except for keys outside of releases', () => {
    expect(keys([houses()], houses())).toEqual([]);
    expect(keys([houses()], houses(), ['changes/index.json'])).toEqual(['changes/index.json']);
    expect(keys([], houses(), ['a'])).toEqual(['a']);
  });

  it('are the manifest and all written and removed objects, for each release', () => {
    const two = houses({}, { properties: HOUSES.slice(0, 2), documents: { 'openapi.json': 'old' } });
    const mails = houses({ 1: { email: 'new' } });
    expect(keys([mails], houses())).toEqual([MANIFEST, propertyKey(idOf(1))]);
    expect(keys([houses(), mails], houses())).toEqual([MANIFEST, propertyKey(idOf(1))]);
    expect(keys([mails, mails], houses())).toHaveLength(4);
    const grown = keys([two], houses());
    expect(grown).toContain(propertyKey(idOf(3)));
    expect(grown).toContain('openapi.json');
    expect(grown).toContain(PROBLEM);
    const shrunk = keys([houses()], two);
    expect(shrunk).toContain(propertyKey(idOf(3)));
    expect(shrunk).toContain('_catalogue/pages/-/-/2-2.json');
    expect(shrunk.filter((key) => key === PROBLEM)).toHaveLength(1);
  });

  it('include no new photo or chunk, but one whose headers changed', () => {
    const photo = { 1: { photo: 'a' } };
    expect(keys([houses()], houses(photo)).filter((key) => key.startsWith('media/'))).toEqual([]);
    const cache_control = { ...CACHING, media: 'no-cache' };
    expect(keys([houses(photo)], houses(photo, { api: { cache_control } }))).toEqual([
      MANIFEST,
      photoKey('a'),
    ]);
    const packed = (text: string) =>
      makeSource({
        api: { layout: 'packed' },
        documents: {
          ...{ [chunkKey(text.repeat(32))]: text, [rootKey(text.repeat(32))]: text, [CURRENT_KEY]: text },
        },
        properties: HOUSES,
      }).release;
    expect(keys([packed('a')], packed('b'))).toEqual([MANIFEST, CURRENT_KEY]);
  });
});

it('become keys of lists and paths of details', () => {
  expect(isListKey('_catalogue/pages/-/-/total')).toBe(true);
  expect(isListKey('_catalogue/pagesque')).toBe(false);
  expect(detailPath('/at', propertyKey('x'))).toBe(`/at${LIST}/x`);
  expect(detailPath('/at', 'openapi.json')).toBeUndefined();
  expect(detailPath('/at', '_catalogue/propertiesque.json')).toBeUndefined();
});

describe('CloudFront', () => {
  it('forgets each object under its requested name and its stored name', () => {
    const [before, after] = [
      houses(),
      houses({ 2: { email: 'new' } }, { documents: { 'openapi.json': 'new', [PROBLEM]: 'p' } }),
    ];
    expect(cloudFrontPaths([before], before, 100)).toEqual([]);
    const expected = [
      ...[`/_catalogue/manifest.json`, `/_catalogue/properties/${idOf(2)}.json`],
      ...[`${LIST}/${idOf(2)}`, `/openapi.json`],
    ];
    expect(cloudFrontPaths([before], after, expected.length)).toEqual(expected);
    expect(cloudFrontPaths([], after, 100)).toEqual(['/*']);
    expect(cloudFrontPaths([before], before, 100, ['changes/feed.xml'])).toEqual(['/changes/feed.xml']);
  });

  it('forgets lists with every query', () => {
    const api = { base: '/at' };
    const [before, after] = [houses({}, { api }), houses({ 3: { title: 'Other' } }, { api })];
    expect(cloudFrontPaths([before], after, 100)).toEqual(
      [
        ...['/_catalogue/manifest.json', '/at/_catalogue/manifest.json'],
        ...[`/_catalogue/properties/${idOf(3)}.json`, `/at${LIST}/${idOf(3)}`, `/at${LIST}`, `/at${LIST}?*`],
        ...scopes.map((scope) => `/${scope}/2-2.json`),
      ].sort(),
    );
  });

  it('forgets everything when more paths changed than the limit', () => {
    const [before, after] = [houses(), houses({ 3: { title: 'Other' } })];
    const exact = cloudFrontPaths([before], after, 100);
    // Both paths of the list are apart.
    expect(cloudFrontPaths([before], after, exact.length - 2)).toEqual(exact);
    expect(cloudFrontPaths([before], after, exact.length - 3)).toEqual(['/*']);
  });
});

describe('Cloudflare', () => {
  const purge = (before: Release[], after: Release, limit = 100, others: string[] = []) =>
    cloudflarePurge(before, after, { baseUrl: `${SITE}/at`, limit, others });
  const documents = (text: string) => ({ 'openapi.json': text, [PROBLEM]: 'p' });
  const api = { base: '/at' };

  it('forgets each object under both of its URLs', () => {
    const [before, after] = [houses({}, { api }), houses({ 2: { email: 'new' } }, { api })];
    const files = [
      ...[`${SITE}/_catalogue/manifest.json`, `${SITE}/_catalogue/properties/${idOf(2)}.json`],
      ...[`${SITE}/at/_catalogue/manifest.json`, `${SITE}/at${LIST}/${idOf(2)}`],
    ];
    expect(purge([before], before)).toEqual({ files: [], prefixes: [] });
    expect(purge([before], after, 4)).toEqual({ files, prefixes: [] });
    expect(purge([before], before, 9, ['b', 'a']).files).toEqual([
      `${SITE}/a`,
      `${SITE}/at/a`,
      `${SITE}/at/b`,
      `${SITE}/b`,
    ]);
    expect(purge([], after)).toEqual({ files: [], prefixes: ['stays.example/'] });
  });

  it('forgets lists by their prefix, which covers every detail', () => {
    const before = houses({}, { api, documents: documents('old') });
    const after = houses({ 3: { title: 'Other' } }, { api, documents: documents('new') });
    const own = ['openapi.json', MANIFEST].flatMap((key) => [`${SITE}/${key}`, `${SITE}/at/${key}`]);
    expect(purge([before], after)).toEqual({
      files: [
        ...own,
        `${SITE}/_catalogue/properties/${idOf(3)}.json`,
        ...scopes.map((scope) => `${SITE}/${scope}/2-2.json`),
      ].sort(),
      prefixes: [`stays.example/at${LIST}`],
    });
    // Nine of them are not covered, and one is.
    expect(purge([before], after, 10).files).toHaveLength(9);
    expect(purge([before], after, 9)).toEqual({ files: [], prefixes: ['stays.example/'] });
  });
});

it('a purge that a cache refuses for good is not repeated', () => {
  for (const status of [429, 500, 503]) expect(isPassing(new PurgeRefusal(status, 'busy'))).toBe(true);
  for (const status of [400, 403, 430, 499]) expect(isPassing(new PurgeRefusal(status, 'no'))).toBe(false);
  expect(isPassing(new TypeError('fetch failed'))).toBe(true);
  const refusal = new PurgeRefusal(403, 'no');
  const error = invalidationError('Cloudflare zone z', refusal);
  expect(error).toMatchObject({
    code: 'invalidation-failed',
    message:
      'The release is live, but Cloudflare zone z has not forgotten what changed (Error: 403 no). Run the command again: it goes on from here.',
    cause: refusal,
  });
});
