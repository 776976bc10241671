import type { CacheControlSettings } from '../contract/headers.ts';
import { cacheLifetimeOf } from '../contract/parse-cache-control.ts';
import type { Release } from '../release/release.ts';

/** Milliseconds added to the lifetime: the store truncates times to whole seconds, and responses arrive late. */
const MARGIN = 5000;

/**
 * Maximum milliseconds for which a cache may serve a list of one of these releases (RFC 9111, 5.2.2; RFC 5861, 3,
 * without `stale-if-error`); 0 if no cache may store one. In the packed layout, the lifetime of `current.json` is added
 * to that of the list.
 */
export function listCacheLifetime(releases: readonly Pick<Release, 'settings'>[]): number {
  const lives = releases.map(({ settings }) => {
    const { api: lists, release = lists } = settings.cache_control as CacheControlSettings;
    return cacheLife(lists) + (settings.layout === 'pages' ? 0 : cacheLife(release));
  });
  const longest = Math.max(0, ...lives);
  return longest > 0 ? longest * 1000 + MARGIN : 0;
}

/** Seconds for which caches are assumed to keep a response that states no lifetime (RFC 9111, 4.2.2). */
const ASSUMED_LIFETIME = 24 * 60 * 60;

function cacheLife(cacheControl: string): number {
  const {
    private: own = ASSUMED_LIFETIME,
    shared = ASSUMED_LIFETIME,
    staleWhileRevalidate,
  } = cacheLifetimeOf(cacheControl);
  return Math.max(own, shared) + staleWhileRevalidate;
}
