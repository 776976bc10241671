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
import { type HostName, hostOf } from '../../contract/hosts.ts';
import {
  CURRENT_KEY,
  DATA_FOLDER,
  LIST_PATH,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
  propertyKey,
} from '../../contract/object-keys.ts';
import { isSharedObject, type ObjectKind, objectKindOf } from '../../contract/object-kinds.ts';
import { EnvironmentError } from '../../errors/errors.ts';
import { hasSameDetails } from '../../release/compare-releases.ts';
import type { Release } from '../../release/release.ts';
import { isBusyCode } from '../../storage/http/errors.ts';
import { KINDS_TO_UPLOAD, planFromReleases } from '../plan.ts';
import type { PublishListener } from '../progress.ts';

/** Path prefixes with a leading slash; undefined for everything. */
export type StalePaths = readonly string[] | undefined;

export type StaleContent = {
  readonly paths: StalePaths;
  /** Undefined if the live release and its totals did not change. */
  readonly release?: Release | undefined;
};

export type Invalidator = {
  /** Name of the cache in reports, such as `CloudFront`. */
  readonly name: string;
  /**
   * @returns purged path prefixes, or changed keys of a key value store; empty if nothing was stale
   * @throws EnvironmentError `invalidation-failed`
   */
  readonly invalidate: (stale: StaleContent) => Promise<readonly string[]>;
  /** Only for a key value store: whether it differs from what the release needs. */
  readonly isStale?: ((release: Release) => Promise<boolean>) | undefined;
};

/** Maximum number of prefixes before everything is purged: CloudFront allows 15 wildcards in progress. */
export const MAX_PREFIXES = 15;

const GROUPS = [
  ...[PAGES_FOLDER, PROPERTIES_FOLDER, CITY_LISTS_FOLDER].map((folder) => `${folder}/`),
  ...[`${CHANGES_FOLDER}/`, `${DOCS_FOLDER}/`, `${DOWNLOAD_BASENAME}.`],
];

const OF_LISTS: ReadonlySet<ObjectKind> = new Set(['page', 'total']);
const ONE_GROUP: ReadonlySet<ObjectKind> = new Set(['page', 'total', 'detail', 'country']);

/**
 * @param before releases whose objects caches may hold
 * @param others changed keys or folders that a comparison of releases does not find
 * @returns undefined (everything) if `before` is empty, or if settings that affect all responses changed
 */
export async function stalePaths(
  before: readonly Release[],
  after: Release,
  others: Iterable<string> = [],
): Promise<StalePaths> {
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
      if (ONE_GROUP.has(kind)) break;
    }
  }
  yield* plan.removals();
  // Details inside parts have URLs but are not objects. The key of any detail purges all of them.
  if (!hasSameDetails(before, after)) yield propertyKey(ANY_ID);
}

const ANY_ID = '00000000-0000-4000-8000-000000000000';

/** Returns prefixes that cover the paths of the objects with these keys, and of all responses made from them. */
export function stalePrefixes(keys: Iterable<string>, base: string): StalePaths {
  const found = new Set<string>();
  for (const key of keys) {
    const kind = objectKindOf(key);
    // These files may be the response to any path.
    if (kind === 'problem' || key === EXPLORER_KEY || key === NOT_FOUND_KEY) return undefined;
    if (OF_LISTS.has(kind)) found.add(base + LIST_PATH);
    if (kind === 'detail') found.add(`${base}${LIST_PATH}/`);
    const start = GROUPS.find((group) => key.startsWith(group)) ?? key;
    // A server may also serve the object at its key, with or without the base path.
    for (const path of [`/${start}`, `${base}/${start}`]) found.add(path);
  }
  return withoutCovered(found);
}

/** Beyond `limit`, shortens prefixes in the data folder to that folder; undefined (everything) if still too many. */
export function limitPrefixes(paths: StalePaths, limit: number): StalePaths {
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

export type PurgeCachesOptions = {
  /**
   * Put key value stores first: caches purged before such a store has the new totals would store the old ones again.
   * @default none
   */
  readonly invalidators?: readonly Invalidator[] | undefined;
  readonly listener?: PublishListener | undefined;
};

/** Returns what was purged, by the name of the cache. Leaves out caches in which nothing was stale. */
export async function purgeCaches(
  stale: StaleContent,
  { invalidators = [], listener = () => {} }: PurgeCachesOptions,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const purged: Record<string, readonly string[]> = {};
  for (const { name, invalidate } of invalidators) {
    listener({ kind: 'stage', stage: 'invalidate' });
    const paths = await invalidate(stale);
    if (paths.length > 0) purged[name] = paths;
  }
  return purged;
}

export class PurgeRefusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Milliseconds until a retry is accepted; undefined if the response does not say. */
  readonly retryAfter: number | undefined;
  constructor(status: number, text: string, code = '', retryAfter?: number) {
    super(`${status} ${text}`);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Whether a retry may succeed. Also true for every error without a valid response. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof PurgeRefusal)) return true;
  return error.status === 429 || error.status >= 500 || isBusyCode(error.code);
}

/** Many attempts, because caches limit requests per minute. */
export const PURGE_ATTEMPTS = 5;
export const PURGE_BACKOFF = {
  delay: 1000,
  asked: (error: unknown) => (error instanceof PurgeRefusal ? error.retryAfter : undefined),
};

export function invalidationError(cache: string, error: unknown): EnvironmentError {
  const { name, message } = error as Error;
  return new EnvironmentError(
    'invalidation-failed',
    `The bucket is up to date, but ${cache} has not purged what changed (${name}: ${message}). Run the command again, or "catalogue publish --purge", which purges everything.`,
    { cause: error },
  );
}

/** Returns a warning if the host has its own cache and that was not purged; otherwise undefined. */
export function unpurgedText(
  { host, release }: { readonly host: HostName | undefined; readonly release: Pick<Release, 'hasPages'> },
  invalidators: readonly Invalidator[],
  { outcome }: { readonly outcome: 'published' | 'unchanged' },
): string | undefined {
  const cache = hostOf(host)?.cache;
  if (!cache || outcome === 'unchanged' || (cache.isOfPages && !release.hasPages)) return undefined;
  if (invalidators.some(({ name }) => name === cache.name)) return undefined;
  return `${cache.name} was not purged: it may answer as before for as long as cache_control lets it. Name it with ${cache.option} next time, or now with --purge too.`;
}
