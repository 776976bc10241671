/** The purge requests for the differences between releases. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheTag } from '../../../src/contract/cache-tags.ts';
import {
  CURRENT_KEY,
  chunkKey,
  hexadecimal,
  pageKey,
  propertyKey,
  rootKey,
  scopeFolder,
} from '../../../src/contract/keys.ts';
import { cloudflarePurge } from '../../../src/publish/purge/cloudflare.ts';
import { cloudFrontPaths } from '../../../src/publish/purge/cloudfront.ts';
import {
  changedKeys,
  changedTags,
  coverPaths,
  detailPath,
  invalidationError,
  isListKey,
  isPassing,
  PurgeRefusal,
} from '../../../src/publish/purge/purge.ts';
import type { Release } from '../../../src/release/release.ts';
import { CACHING, contentOf, idOf, inOrder, type MadeProperty, type Making, makeSource } from '../made.ts';

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
      'media/a.jpg',
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

it('have tags that name only the changes, unless too much changed', async () => {
  const place = (n: number) => ({ city: `City ${n % 3}`, country: n % 2 ? 'IE' : 'FR' });
  const made = (changes: Record<number, Partial<MadeProperty>>, without: number[] = []) =>
    makeSource({
      api: { page_sizes: [1, 25] },
      documents: { 'openapi.json': JSON.stringify(changes) },
      properties: inOrder(
        [1, 2, 3, 4, 5, 7]
          .filter((n) => !without.includes(n))
          .map((n) => ({ id: idOf(n), title: `House ${n}`, ...place(n), ...changes[n] })),
      ),
    });
  const before = made({});
  for (const after of [
    made({ 4: { title: 'Other' } }),
    made({ 3: { email: 'new' } }),
    made({ 7: { city: 'Új város', country: 'HU' } }),
    made({}, [5]),
  ]) {
    const [old, now] = [await contentOf(before), await contentOf(after)];
    const differing = [...old.keys(), ...now.keys()].filter((key) => old.get(key) !== now.get(key));
    const expected = [...new Set([...differing, MANIFEST].map(cacheTag))].sort();
    const tags = changedTags([before.release], after.release, { limit: expected.length });
    expect(tags).toEqual(expected);
    expect(tags!.every((tag) => /^[!-+\--~]{1,256}$/.test(tag))).toBe(true);
    expect(changedTags([before.release], after.release, { limit: expected.length - 1 })).toBeUndefined();
  }
  expect(changedTags([before.release], before.release, { limit: 0 })).toEqual([]);
  expect(changedTags([before.release], before.release, { limit: 2, others: ['b', 'a'] })).toEqual(['a', 'b']);
  // The content of the caches is unknown.
  expect(changedTags([], before.release, { limit: 100 })).toBeUndefined();
  expect(cacheTag(pageKey(scopeFolder('HU', 'ű'.repeat(60)), 100, 1)).length).toBe(249);
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

  it('forgets folders when there are too many paths, and everything when there are still too many', () => {
    const api = { base: '/at' };
    const documents = (text: string) => ({ 'openapi.json': text, [PROBLEM]: 'p' });
    const before = houses({}, { api, documents: documents('old') });
    const after = houses({ 3: { title: 'Other' } }, { api, documents: documents('new') });
    const exact = cloudFrontPaths([before], after, 100);
    expect(cloudFrontPaths([before], after, exact.length)).toEqual(exact);
    // The manifest and the document twice, and all details, because the list differs.
    const coarse = [
      ...['/_catalogue/manifest.json', '/at/_catalogue/manifest.json', '/at/openapi.json', '/openapi.json'],
      ...['/_catalogue/properties/*', `/at${LIST}*`],
      ...scopes.map((scope) => `/${scope}/*`),
    ];
    expect(new Set(cloudFrontPaths([before], after, exact.length - 1))).toEqual(new Set(coarse));
    expect(new Set(cloudFrontPaths([before], after, 5))).toEqual(new Set(coarse));
    expect(cloudFrontPaths([before], after, 4)).toEqual(['/*']);
  });

  it('gets fifteen wildcards at a time, which cover the changes and little else', () => {
    const spread = (title: string) =>
      makeSource({
        documents: { [PROBLEM]: 'p' },
        properties: Array.from({ length: 30 }, (_, index) => ({
          ...{ id: idOf(index), title, country: index < 15 ? 'FR' : 'IE', city: `City ${index}` },
        })),
      });
    const after = spread('After');
    const paths = cloudFrontPaths([spread('Before').release], after.release, 50);
    expect(paths).toEqual([...paths].sort());
    const wildcards = paths.filter((path) => path.endsWith('*'));
    expect(wildcards).toHaveLength(5);
    expect(wildcards).toContain(`${LIST}*`);
    expect(wildcards).toContain('/_catalogue/properties/*');
    const covers = (key: string) =>
      paths.some((path) =>
        path.endsWith('*') ? `/${key}`.startsWith(path.slice(0, -1)) : `/${key}` === path,
      );
    const changed = [...changedKeys([spread('Before').release], after.release)];
    expect(changed.filter((key) => !covers(key))).toEqual([]);
    expect(covers(PROBLEM)).toBe(false);
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
    const coarse = {
      files: [...own].sort(),
      prefixes: [
        ...scopes.map((scope) => `stays.example/${scope}/`),
        ...['stays.example/_catalogue/properties/', `stays.example/at${LIST}`],
      ].sort(),
    };
    expect(purge([before], after, 9)).toEqual(coarse);
    expect(purge([before], after, 4)).toEqual(coarse);
    expect(purge([before], after, 3)).toEqual({ files: [], prefixes: ['stays.example/'] });
  });

  it('gets at most thirty prefixes', () => {
    const spread = (title: string) =>
      makeSource({
        properties: Array.from({ length: 40 }, (_, index) => ({
          ...{ id: idOf(index), title, country: index < 20 ? 'FR' : 'IE', city: `City ${index % 20}` },
        })),
      }).release;
    const { files, prefixes } = purge([spread('Before')], spread('After'), 30);
    expect(prefixes).toEqual([
      ...['stays.example/_catalogue/pages/-/', 'stays.example/_catalogue/pages/FR/'],
      ...['stays.example/_catalogue/pages/IE/-/'],
      ...[...spread('After').sequence]
        .slice(20)
        .map(({ city }) => `stays.example/_catalogue/pages/IE/${hexadecimal(city)}/`)
        .sort(),
      ...['stays.example/_catalogue/properties/', `stays.example${LIST}`],
    ]);
    expect(prefixes.length).toBeLessThanOrEqual(30);
    expect(files).toEqual([`${SITE}/${MANIFEST}`]);
    // Two are those of the details and the list: of thirty folders, half are covered by one.
    const cities = (title: string) =>
      makeSource({
        properties: Array.from({ length: 14 }, (_, n) => ({ id: idOf(n), title, city: `City ${n}` })),
      }).release;
    expect(purge([cities('Before')], cities('After'), 30).prefixes).toHaveLength(1 + 15 + 2);
  });
});

describe('a cover', () => {
  it('contains everything, has no more paths than the limit, and shortens few of them', () => {
    const segment = fc.constantFrom('a', 'b', 'c', 'd');
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}.json`);
    fc.assert(
      fc.property(
        fc.uniqueArray(path, { maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        (paths, limit) => {
          const cover = coverPaths(paths, limit);
          expect(cover.length).toBeLessThanOrEqual(limit);
          const by = (one: string) =>
            cover.filter((other) =>
              other.endsWith('/*') ? one.startsWith(other.slice(0, -1)) : one === other,
            );
          expect(paths.filter((one) => by(one).length !== 1)).toEqual([]);
          if (paths.length <= limit) expect(cover).toEqual([...paths].sort());
        },
      ),
    );
  });

  it.each<[string[], number, string[]]>([
    [['/b', '/a'], 2, ['/a', '/b']],
    // The folder with the most paths comes first; of two alike, the first by name.
    [['/p/FR/1', '/p/FR/2', '/p/FR/3', '/p/IE/1', '/x'], 3, ['/p/FR/*', '/p/IE/1', '/x']],
    [['/p/IE/1', '/p/IE/2', '/p/FR/1', '/p/FR/2'], 3, ['/p/FR/*', '/p/IE/1', '/p/IE/2']],
    [['/p/FR/1', '/p/FR/2', '/p/IE/1', '/p/IE/2'], 3, ['/p/FR/*', '/p/IE/1', '/p/IE/2']],
    // The deepest folders come before larger ones above them.
    [['/a', '/b', '/c', '/d/e/1', '/d/e/2'], 4, ['/a', '/b', '/c', '/d/e/*']],
    // A wildcard is as deep as its folder, and goes into the next one above.
    [['/a/b/*', '/c/d', '/c/e', '/x'], 3, ['/a/b/*', '/c/*', '/x']],
    [['/p/FR/*', '/p/IE/*', '/p/x', '/q'], 2, ['/p/*', '/q']],
    [['/p/FR/*', '/p/FR/1', '/p/IE/1'], 1, ['/p/*']],
    [['/a/1', '/b/1'], 1, ['/*']],
    [['/a', '/b'], 1, ['/*']],
    [['/a', '/b'], 0, ['/*']],
  ])('of %j by %i: %j', (paths, limit, expected) => {
    expect(coverPaths(paths, limit)).toEqual(expected);
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
