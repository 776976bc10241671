import { type HostName, hostOf } from '../../contract/hosts.ts';
import type { Release } from '../../release/release.ts';
import type { PublishResult } from '../publish.ts';
import type { Invalidator } from './purge.ts';

/** Returns a sentence about a cache in front of the host that was not purged; undefined without one. */
export function unpurgedText(
  { host, release }: { readonly host: HostName | undefined; readonly release: Pick<Release, 'hasPages'> },
  invalidators: readonly Invalidator[],
  { outcome }: Pick<PublishResult, 'outcome'>,
): string | undefined {
  const cache = hostOf(host)?.cache;
  if (!cache || outcome === 'unchanged' || (cache.isOfPages && !release.hasPages)) return undefined;
  if (invalidators.some(({ name }) => name === cache.name)) return undefined;
  return `${cache.name} was not purged: it may answer as before for as long as cache_control lets it. Name it with ${cache.option} next time, or now with --purge too.`;
}
