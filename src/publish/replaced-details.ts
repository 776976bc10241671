/** Finds the details of removed properties. They stay while caches may serve lists that name these properties. */

import { compareReleases } from '../release/compare-releases.ts';
import type { Release } from '../release/release.ts';
import { MAX_REPLACED_RELEASES } from '../tree/format/root.ts';
import { undefinedIfDamaged } from './stored-release.ts';

export type ReplacedRelease = {
  readonly release: Release;
  /** Whether all cached lists of the release have expired. */
  readonly isDue: boolean;
  /**
   * True if it is unknown which release is live. Readers may then be served this release until `current.json` is
   * replaced.
   */
  readonly isDoubtful: boolean;
};

export type RemovedPropertyDetails = {
  /** Ids of removed properties that cached lists may still name, so that readers may request their details. */
  readonly stayingIds: ReadonlySet<string>;
  /** Ids of removed properties whose details nobody needs any more. */
  readonly dueIds: ReadonlySet<string>;
  /** Names of replaced releases that have a property of `stayingIds`. Some of these releases may be due. */
  readonly neededReleases: ReadonlySet<string>;
  /**
   * Names of the replaced releases in which readers look for details of `stayingIds`, latest first: at most
   * {@link MAX_REPLACED_RELEASES}.
   */
  readonly releases: readonly string[];
};

/** @param replaced latest first */
export async function findRemovedPropertyDetails(
  replaced: readonly ReplacedRelease[],
  live: Release,
): Promise<RemovedPropertyDetails> {
  const stayingIds = new Set<string>();
  const neededReleases = new Set<string>();
  const releases: string[] = [];
  const over = new Set<string>();
  // Releases that are not due come first, so that `stayingIds` is complete before due releases are compared with it.
  for (const { release, isDue } of [...replaced].sort((one, other) => +one.isDue - +other.isDue)) {
    if (release.name === live.name) continue;
    const ids = (await compareReleases(release, live).catch(undefinedIfDamaged))?.removed ?? [];
    // A due release may have photos that a kept detail links to, so it is still needed.
    if (isDue ? ids.some((id) => stayingIds.has(id)) : ids.length > 0) neededReleases.add(release.name);
    if (isDue) for (const id of ids) over.add(id);
    else {
      if (ids.some((id) => !stayingIds.has(id)) && releases.length < MAX_REPLACED_RELEASES)
        releases.push(release.name);
      for (const id of ids) stayingIds.add(id);
    }
  }
  return {
    stayingIds,
    neededReleases,
    dueIds: new Set([...over].filter((id) => !stayingIds.has(id))),
    releases,
  };
}
