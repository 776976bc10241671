/** Roots of the live release and of releases requested by name. */
import { CURRENT_KEY, rootKey } from '../../contract/object-keys.ts';
import { ORIGIN_TIME_LIMIT } from '../../contract/origin-status.ts';
import { withTimeLimit } from '../../targets/runtime/time-limit.ts';
import { type LiveRelease, parseCurrentJson, parseRoot, type Root } from '../format/root.ts';
import { freshnessLimits } from './freshness-limits.ts';
import type { ObjectCache, SizedValue } from './object-cache.ts';
import {
  hexadecimalDigest,
  type PlatformServices,
  readCheckedObject,
  startSharedWork,
} from './read-object.ts';
import { createRefreshedValue } from './stale-while-revalidate.ts';

type Live = { readonly root: Root; readonly before: LiveRelease['before'] };

/** Each method throws if an object is damaged or unreadable. */
export type ReleaseRoots = {
  /** The live release; may be cached for as long as `cache_control.release` (also its `stale-` directives) permits. */
  readonly current: (platform: PlatformServices) => Live | Promise<Live>;
  /** The live release, read now and without caches. */
  readonly renewed: (platform: PlatformServices) => Promise<Live>;
  /** Undefined for an unknown name. A removed release may still be found for up to a minute. */
  readonly kept: (release: string, platform: PlatformServices) => Promise<Root | undefined>;
};

/**
 * Milliseconds after which a root that was requested by name is read again, since the release may have been pruned.
 */
const RECHECK_AFTER = 60_000;

/**
 * Timeout for `current.json` in milliseconds, which leaves time to answer from the cached root if the bucket hangs.
 */
const CURRENT_READ_TIMEOUT = ORIGIN_TIME_LIMIT / 2;

/**
 * @param cacheControl `cache_control.release` of the configuration
 * @param objects cache for the roots
 */
export function createReleaseRoots(
  cacheControl: string,
  objects: ObjectCache,
  now: () => number,
): ReleaseRoots {
  const current = createRefreshedValue<Live>(freshnessLimits(cacheControl), now);

  const rootOf = async (release: string, platform: PlatformServices, period: string | number = '') => {
    const load = () => startSharedWork(platform, () => loadRoot(release, platform));
    return objects.get(`${rootKey(release)} ${period}`, load);
  };

  const readCurrent = async (
    last: Live | undefined,
    platform: PlatformServices,
    isDoubted: boolean,
  ): Promise<Live> => {
    const bytes = await withTimeLimit(platform.read(CURRENT_KEY, isDoubted), CURRENT_READ_TIMEOUT);
    const live = bytes && parseCurrentJson(bytes);
    if (!live) throw new Error(`${CURRENT_KEY} is ${bytes ? 'damaged, or of a later format' : 'missing'}.`);
    const { release, before } = live;
    const root = release === last?.root.release ? last.root : await rootOf(release, platform);
    if (!root) throw new Error(`There is no ${rootKey(release)}.`);
    return { root, before };
  };
  const reading =
    (platform: PlatformServices, isDoubted = false) =>
    (last: Live | undefined) =>
      startSharedWork(platform, () => readCurrent(last, platform, isDoubted));

  return {
    current: (platform) => current.get(reading(platform), platform.later),
    renewed: (platform) => current.renew(reading(platform, true)),
    kept: async (release, platform) =>
      /^[0-9a-f]{32}$/.test(release)
        ? rootOf(release, platform, Math.floor(now() / RECHECK_AFTER))
        : undefined,
  };
}

async function loadRoot(release: string, platform: PlatformServices): Promise<SizedValue<Root | undefined>> {
  const check = async (bytes: Uint8Array<ArrayBuffer>) => (await hexadecimalDigest(bytes)) === release;
  const parse = (bytes: Uint8Array<ArrayBuffer>) => parseRoot(bytes, release);
  const root = await readCheckedObject(rootKey(release), check, parse, platform);
  // A missing root is not cached, since it may be written later.
  return root ?? { value: undefined, bytes: Number.POSITIVE_INFINITY };
}
