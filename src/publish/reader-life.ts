/** For how long caches may serve a list after it was replaced. */
import type { CacheControl } from '../contract/headers.ts';
import type { Release } from '../release/release.ts';

/** Milliseconds that two whole-second times of a store, and an answer on its way, may add. */
const MARGIN = 5000;

/**
 * Milliseconds for which a cache may serve a list of these releases: the directives of RFC 9111, 5.2.2 and RFC 5861, 3
 * together. What is served only while the origin fails (`stale-if-error`) does not count. Of a packed release, two
 * objects are cached one after the other: the one that names the root, and the list.
 */
export function readerLife(releases: readonly Pick<Release, 'manifest'>[]): number {
  const lives = releases.map(({ manifest: { api } }) => {
    const { api: lists, release = lists } = api.cache_control as CacheControl;
    return cacheLife(lists) + (api.layout === 'pages' ? 0 : cacheLife(release));
  });
  const longest = Math.max(0, ...lives);
  return longest > 0 ? longest * 1000 + MARGIN : 0;
}

/** Seconds for which an answer with this `Cache-Control` may be served. */
function cacheLife(cacheControl: string): number {
  const seconds = (name: string) =>
    Number(new RegExp(`(?:^|[\\s,])${name}="?(\\d{1,9})`, 'i').exec(cacheControl)?.[1] ?? 0);
  if (/(?:^|[\s,])no-store/i.test(cacheControl)) return 0;
  return Math.max(seconds('max-age'), seconds('s-maxage')) + seconds('stale-while-revalidate');
}
