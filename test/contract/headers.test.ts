import { describe, expect, it } from 'vitest';
import {
  headerGroup,
  mediaType,
  privateCacheControl,
  problemCacheControl,
  storedHeaders,
} from '../../src/contract/headers.ts';

const CACHING = {
  api: 'public, max-age=60, stale-while-revalidate=600',
  media: 'public, max-age=31536000, immutable',
  problem: 'public, max-age=10',
  release: 'public, max-age=5',
};

describe('caching', () => {
  it.each([
    ['public, max-age=60, stale-if-error=86400', 'private, max-age=60, stale-if-error=86400'],
    ['max-age=60', 'private, max-age=60'],
    ['public, s-maxage=600, max-age=60, proxy-revalidate', 'private, max-age=60'],
    ['Public,max-age=1', 'private, max-age=1'],
    ['private, max-age=1', 'private, max-age=1'],
    ['no-store', 'no-store'],
    ['', 'private'],
  ])('of "%s" is "%s" for requests with a key (B13)', (caching, guarded) => {
    expect(privateCacheControl(caching)).toBe(guarded);
  });

  it('is switched off in an answer that reports a broken catalogue (B11)', () => {
    expect(problemCacheControl(500, CACHING.problem)).toBe('no-store');
    expect(problemCacheControl(502, CACHING.problem)).toBe('no-store');
    expect(problemCacheControl(404, CACHING.problem)).toBe(CACHING.problem);
    expect(storedHeaders('_catalogue/problems/list-unavailable.json', CACHING, false)).toEqual({
      contentType: 'application/problem+json',
      cacheControl: 'no-store',
    });
  });

  it('of stored files is private when the files are guarded and the catalogue has keys (B13)', () => {
    const kept = (key: string, isKeyed: boolean) => storedHeaders(key, CACHING, isKeyed).cacheControl;
    for (const key of ['_catalogue/pages/-/-/25-1.json', '_catalogue/countries.json', 'properties.csv']) {
      expect(kept(key, true)).toBe('private, max-age=60, stale-while-revalidate=600');
      expect(kept(key, false)).toBe(CACHING.api);
    }
    expect(kept('_catalogue/current.json', true)).toBe('private, max-age=5');
    expect(kept('_catalogue/chunks/00.json', true)).toBe('private, max-age=31536000, immutable');
    expect(kept('_catalogue/parts/00.ndjson', true)).toBe('private, max-age=31536000, immutable');
    expect(kept('_catalogue/parts/00.ndjson', false)).toBe(CACHING.media);
    for (const key of ['_catalogue/properties/x.json', 'openapi.json', 'index.json'])
      expect(kept(key, true)).toBe(CACHING.api);
    expect(kept('media/x.jpg', true)).toBe(CACHING.media);
  });

  it('is the same for all files of a group', () => {
    const keys = [
      '_catalogue/problems/not-found.json',
      '_catalogue/problems/list-unavailable.json',
      '_catalogue/countries.json',
      'index.json',
      'changes/index.json',
      'properties.ndjson',
      '_catalogue/pages/-/-/total',
      '_catalogue/pages/-/-/25-1.json',
      '_catalogue/properties/x.json',
      '_catalogue/current.json',
      '_catalogue/roots/x.json',
    ];
    for (const isKeyed of [true, false]) {
      const headers = new Map<string, string>();
      for (const key of keys) {
        const stored = JSON.stringify(storedHeaders(key, CACHING, isKeyed));
        expect(headers.get(headerGroup(key)) ?? stored, key).toBe(stored);
        headers.set(headerGroup(key), stored);
      }
    }
  });
});

it.each([
  ['_catalogue/problems/not-found.json', 'application/problem+json', 'problems'],
  ['_catalogue/problems/list-unavailable.json', 'application/problem+json', 'problems.uncached'],
  ['_catalogue/properties/x.json', 'application/json', 'properties'],
  ['_catalogue/pages/-/-/25-1.json', 'application/json', 'pages'],
  ['_catalogue/pages/-/-/total', 'text/plain; charset=utf-8', 'totals'],
  ['_catalogue/current.json', 'application/json', 'current'],
  ['_catalogue/chunks/00.json', 'application/json', 'packed.json'],
  ['_catalogue/parts/00.ndjson', 'application/x-ndjson', '_catalogue/parts.ndjson'],
  ['media/a.b.jpg', 'image/jpeg', 'media.jpg'],
  ['explorer/app-1.js', 'text/javascript', 'explorer.js'],
  ['properties.csv', 'text/csv; charset=utf-8', 'guarded.csv'],
  ['changes/feed.xml', 'application/atom+xml', 'guarded.xml'],
  ['index.json', 'application/json', 'documents.json'],
  ['docs/a.constructor', 'text/plain; charset=utf-8', 'documents.constructor'],
  ['docs/_catalogue/pages/x.html', 'text/html; charset=utf-8', 'documents.html'],
])('%s is %s, of the group %s', (key, type, group) => {
  expect([mediaType(key), headerGroup(key)]).toEqual([type, group]);
});
