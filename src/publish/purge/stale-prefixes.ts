/**
 * Finds path prefixes to purge. Complete URLs cannot be listed: a response has an unlimited number of them, with
 * different queries and with ids in different letter case.
 */

import { isDeepStrictEqual } from 'node:util';
import {
  CHANGES_FOLDER,
  CITY_LISTS_FOLDER,
  DOCS_FOLDER,
  DOWNLOAD_BASENAME,
  EXPLORER_KEY,
  NOT_FOUND_KEY,
} from '../../contract/document-keys.ts';
import {
  CURRENT_KEY,
  DATA_FOLDER,
  LIST_PATH,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
  propertyKey,
} from '../../contract/object-keys.ts';
import { isSharedObject, type ObjectKind, objectKindOf } from '../../contract/object-kinds.ts';
import { hasSameDetails } from '../../release/compare-releases.ts';
import type { Release } from '../../release/release.ts';
import { KINDS_TO_UPLOAD, planFromReleases } from '../plan.ts';

/** Path prefixes with a leading slash; undefined for everything. */
export type StalePrefixes = readonly string[] | undefined;

/** Default maximum number of prefixes: CloudFront allows 15 wildcards in progress. */
export const MAX_PREFIXES = 15;

const PREFIXES = [
  ...[PAGES_FOLDER, PROPERTIES_FOLDER, CITY_LISTS_FOLDER, CHANGES_FOLDER, DOCS_FOLDER].map(
    (folder) => `${folder}/`,
  ),
  `${DOWNLOAD_BASENAME}.`,
];

const LIST_KINDS: ReadonlySet<ObjectKind> = new Set(['page', 'total']);
const KINDS_WITH_ONE_PREFIX: ReadonlySet<ObjectKind> = new Set(['page', 'total', 'detail', 'country']);
const ANY_ID = '00000000-0000-4000-8000-000000000000';

/**
 * @param before releases whose objects caches may hold
 * @param others keys or folders to purge in addition to those that differ between the releases
 * @returns undefined (everything) if `before` is empty, if a setting that affects all responses has changed, or if a
 * changed file may be the response to any path
 */
export async function stalePrefixesBetween(
  before: readonly Release[],
  after: Release,
  others: Iterable<string> = [],
): Promise<StalePrefixes> {
  if (before.length === 0) return undefined;
  const keys = new Set(others);
  for (const release of before) {
    if (release.name === after.name && isDeepStrictEqual(release.build, after.build)) continue;
    if (hasOtherSettings(release, after)) return undefined;
    keys.add(CURRENT_KEY);
    // Without pages, servers make lists from the tree, so any list may have changed.
    if (!after.hasPages) keys.add(`${PAGES_FOLDER}/`);
    for await (const key of changedKeys(release, after)) keys.add(key);
  }
  return stalePrefixes(keys, after.settings.base);
}

/** Whether responses can differ even if the objects behind them are equal. */
function hasOtherSettings(before: Release, after: Release): boolean {
  const isSameGroup = ([group, digest]: [string, string]) => (before.headers[group] ?? digest) === digest;
  const [{ about: _before, ...old }, { about: _after, ...now }] = [before.settings, after.settings];
  return !isDeepStrictEqual(old, now) || !Object.entries(after.headers).every(isSameGroup);
}

async function* changedKeys(before: Release, after: Release): AsyncGenerator<string> {
  const plan = await planFromReleases(before, after);
  for (const kind of KINDS_TO_UPLOAD) {
    // Objects named by their content are never stale.
    if (isSharedObject({ kind })) continue;
    for (const { key } of plan.writes(kind)) {
      yield key;
      if (KINDS_WITH_ONE_PREFIX.has(kind)) break;
    }
  }
  yield* plan.removals();
  // Details inside parts are not objects, but they have URLs, all with the same prefix: one key purges them all.
  if (!hasSameDetails(before, after)) yield propertyKey(ANY_ID);
}

/**
 * Returns prefixes of the paths at which servers send the objects with these keys, or responses made from the objects.
 * Returns undefined (everything) if one of the objects may be the response to any path.
 */
export function stalePrefixes(keys: Iterable<string>, base: string): StalePrefixes {
  const found = new Set<string>();
  for (const key of keys) {
    const kind = objectKindOf(key);
    // These files may be the response to any path.
    if (kind === 'problem' || key === EXPLORER_KEY || key === NOT_FOUND_KEY) return undefined;
    if (LIST_KINDS.has(kind)) found.add(base + LIST_PATH);
    if (kind === 'detail') found.add(`${base}${LIST_PATH}/`);
    const start = PREFIXES.find((prefix) => key.startsWith(prefix)) ?? key;
    // A server may also serve the object at its key, with or without the base path.
    for (const path of [`/${start}`, `${base}/${start}`]) found.add(path);
  }
  return withoutCovered(found);
}

/**
 * If there are more than `limit` prefixes, shortens those in the data folder to the folder itself. Returns undefined
 * (everything) if there are still too many.
 */
export function limitPrefixes(paths: StalePrefixes, limit: number): StalePrefixes {
  if (paths === undefined || paths.length <= limit) return paths;
  const data = `/${DATA_FOLDER}/`;
  const shorter = paths.map((path) =>
    path.includes(data) ? path.slice(0, path.indexOf(data) + data.length) : path,
  );
  const fewer = withoutCovered(new Set(shorter));
  return fewer.length <= limit ? fewer : undefined;
}

function withoutCovered(paths: ReadonlySet<string>): string[] {
  const sorted = [...paths].sort();
  // After sorting, the paths that a prefix covers follow it directly.
  let last: string | undefined;
  return sorted.filter((path) => {
    const isCovered = last !== undefined && path.startsWith(last);
    if (!isCovered) last = path;
    return !isCovered;
  });
}
