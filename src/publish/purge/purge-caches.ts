import { type HostName, hostOf } from '../../contract/hosts.ts';
import type { Release } from '../../release/release.ts';
import type { PublishListener } from '../progress.ts';
import type { StalePrefixes } from './stale-prefixes.ts';

export type StaleContent = {
  readonly paths: StalePrefixes;
  /** For key value stores. Undefined for a prune or a preview, which change neither totals nor the live release. */
  readonly release?: Release | undefined;
};

export type Purger = {
  /** Shown in reports. Must equal `cache.name` of a host whose cache it purges (`contract/hosts.ts`). */
  readonly name: string;
  /**
   * @returns purged prefixes as the cache's API writes them, or changed keys of a key value store; empty if nothing was
   * stale
   * @throws EnvironmentError `invalidation-failed`
   */
  readonly purge: (stale: StaleContent) => Promise<readonly string[]>;
  /** Only for a key value store: returns whether its entries differ from those that the release needs. */
  readonly isStale?: ((release: Release) => Promise<boolean>) | undefined;
};

export type PurgeCachesOptions = {
  /**
   * Put key value stores first. Otherwise, a cache that was already purged may get the old totals again.
   * @default none
   */
  readonly purgers?: readonly Purger[] | undefined;
  readonly listener?: PublishListener | undefined;
};

/** Returns what was purged, by the name of the cache. Leaves out caches in which nothing was stale. */
export async function purgeCaches(
  stale: StaleContent,
  { purgers = [], listener = () => {} }: PurgeCachesOptions,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const purged: Record<string, readonly string[]> = {};
  for (const { name, purge } of purgers) {
    listener({ kind: 'stage', stage: 'purge' });
    const paths = await purge(stale);
    if (paths.length > 0) purged[name] = paths;
  }
  return purged;
}

/** Returns a warning if the host's own cache may hold replaced responses and was not purged; otherwise undefined. */
export function unpurgedText(
  { host, release }: { readonly host: HostName | undefined; readonly release: Pick<Release, 'hasPages'> },
  purgers: readonly Purger[],
  { outcome }: { readonly outcome: 'published' | 'unchanged' },
): string | undefined {
  const cache = hostOf(host)?.cache;
  if (!cache || outcome === 'unchanged' || (cache.isOfPages && !release.hasPages)) return undefined;
  if (purgers.some(({ name }) => name === cache.name)) return undefined;
  return `${cache.name} was not purged: it may answer as before for as long as cache_control lets it. Name it with ${cache.option} next time, or now with --purge too.`;
}
