/** Details of removed properties, which stay while caches may serve lists that name them. */

import { compareReleases } from '../release/compare-releases.ts';
import type { Release } from '../release/release.ts';
import { MAX_BEFORE } from '../tree/format/root.ts';
import { undefinedIfDamaged } from './stored-release.ts';

export type ReplacedRelease = {
  readonly release: Release;
  /** No cache serves its lists any more. */
  readonly isDue: boolean;
  /** It may be served until the publish ends, since it is unknown which release is. */
  readonly isDoubtful: boolean;
};

export type ReplacedDetails = {
  /** Ids of removed properties whose details readers of cached lists may request. */
  readonly kept: ReadonlySet<string>;
  /** Ids of removed properties whose details nobody needs any more. */
  readonly due: ReadonlySet<string>;
  /** Releases that have kept details, also those that are due. */
  readonly needed: ReadonlySet<string>;
  /** Those in which a reader finds the kept details: at most {@link MAX_BEFORE}, the latest. */
  readonly releases: readonly string[];
};

/** @param replaced latest first */
export async function findReplacedDetails(
  replaced: readonly ReplacedRelease[],
  live: Release,
): Promise<ReplacedDetails> {
  const kept = new Set<string>();
  const needed = new Set<string>();
  const releases: string[] = [];
  const over = new Set<string>();
  // Those that are not due come first, since a detail may be that of an earlier release.
  for (const { release, isDue } of [...replaced].sort((one, other) => +one.isDue - +other.isDue)) {
    if (release.name === live.name) continue;
    const ids = (await compareReleases(release, live).catch(undefinedIfDamaged))?.removed ?? [];
    // One that is due may have photos of a kept detail.
    if (isDue ? ids.some((id) => kept.has(id)) : ids.length > 0) needed.add(release.name);
    if (isDue) for (const id of ids) over.add(id);
    else {
      if (ids.some((id) => !kept.has(id)) && releases.length < MAX_BEFORE) releases.push(release.name);
      for (const id of ids) kept.add(id);
    }
  }
  return { kept, needed, due: new Set([...over].filter((id) => !kept.has(id))), releases };
}
