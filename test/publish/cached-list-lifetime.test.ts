/** The time for which details stay for readers of cached lists. */
import { expect, it } from 'vitest';
import { listCacheLifetime } from '../../src/publish/cached-list-lifetime.ts';
import { CACHING, idOf, type Making, makeSource } from './made.ts';

const MARGIN = 5000;
const DAY = 86_400;

function release(api: string, more: { release?: string; layout?: 'pages' | 'packed' } = {}) {
  const { layout = 'pages', release: root } = more;
  const { release: _release, ...caching } = CACHING;
  const cache_control = { ...caching, api, ...(root === undefined ? {} : { release: root }) };
  const settings = { layout, cache_control } as Making['api'];
  return makeSource({ api: settings, properties: [{ id: idOf(1), title: 'One' }] }).release;
}

it.each([
  ['max-age=60', 60],
  ['public, max-age=60, stale-while-revalidate=600, stale-if-error=86400', 660],
  ['max-age=60, s-maxage=120', 120],
  ['s-maxage=60,max-age=120', 120],
  ['MAX-AGE="60"', 60],
  ['max-age=1234567890', 1_234_567_890],
  ['max-age=99999999999999999999', 2 ** 31],
  ['s-maxage=60', 60],
  ['max-age=0, s-maxage=600', 600],
  ['max-age=0, stale-while-revalidate=30', 30],
  ['private, max-age=60, s-maxage=600', 60],
  ['private', DAY],
  ['public', DAY],
  ['stale-while-revalidate=30', DAY + 30],
  ['x-max-age=60', DAY],
  ['max-age = 60', DAY],
  ['public; max-age=60', DAY],
  ['max-age=-1', DAY],
  ['hello', DAY],
  ['60', DAY],
  ['no-cache, max-age=60', 0],
  ['no-cache="set-cookie", max-age=60', 60],
  ['private="x, max-age=9", max-age=60', 60],
  ['max-age=0', 0],
  ['no-cache', 0],
  ['', DAY],
  ['no-store, max-age=60', 0],
  ['max-age=60, No-Store', 0],
  ['max-age=60,no-store', 0],
  ['x-no-store, max-age=60', 60],
])('"%s" gives %i seconds', (api, seconds) => {
  expect(listCacheLifetime([release(api)])).toBe(seconds === 0 ? 0 : seconds * 1000 + MARGIN);
});

it('the cache time of the root is added for a packed release', () => {
  const caching = { release: 'max-age=10' };
  expect(listCacheLifetime([release('max-age=60', caching)])).toBe(60_000 + MARGIN);
  expect(listCacheLifetime([release('max-age=60', { ...caching, layout: 'packed' })])).toBe(70_000 + MARGIN);
  // Without a setting for that object, it is cached as long as a list.
  expect(listCacheLifetime([release('max-age=60', { layout: 'packed' })])).toBe(120_000 + MARGIN);
});

it('the longest time counts, and without releases it is 0', () => {
  expect(listCacheLifetime([release('max-age=60'), release('max-age=90'), release('max-age=20')])).toBe(
    90_000 + MARGIN,
  );
  expect(listCacheLifetime([])).toBe(0);
});
