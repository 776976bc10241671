/** Computes the paths that caches must purge after a publish. */
import {
  LIST_PATH,
  MANIFEST_KEY,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
  propertyKey,
} from '../../contract/keys.ts';
import { EnvironmentError } from '../../errors.ts';
import { differingDetails, isKept, type Release } from '../../release/release.ts';
import { allWrites, planFromManifests } from '../plan.ts';

export type Invalidator = {
  /** Name in reports, such as `CloudFront`. */
  readonly name: string;
  /**
   * Purges the differences between the live release and those that were live before, wholly or in part.
   *
   * @param others other changed keys, which belong to no release.
   * @returns the purged paths or prefixes.
   * @throws EnvironmentError `invalidation-failed`.
   */
  readonly invalidate: (
    before: readonly Release[],
    after: Release,
    others: readonly string[],
  ) => Promise<readonly string[]>;
};

/** Yields the keys whose cached content may be stale. */
export function* changedKeys(
  before: readonly Release[],
  after: Release,
  others: readonly string[] = [],
): Generator<string> {
  yield* others;
  for (const release of before) {
    if (release.name === after.name) continue;
    yield MANIFEST_KEY;
    const plan = planFromManifests(release, after);
    for (const object of allWrites(plan)) {
      // A photo or chunk with other content has another name.
      if (!isKept(object) || plan.isPresent(object.key)) yield object.key;
    }
    yield* plan.removals();
    if (!after.hasDetails || !release.hasDetails) yield* changedDetails(release, after);
  }
}

/** Yields the keys of details that are no files, but whose answers differ. */
function* changedDetails(before: Release, after: Release): Generator<string> {
  const { writtenDetails, goneDetails } = differingDetails(before, after);
  for (const id of [...writtenDetails, ...goneDetails]) yield propertyKey(id);
}

/** Tells whether a key is that of a page or a total. */
export function isListKey(key: string): boolean {
  return key.startsWith(`${PAGES_FOLDER}/`);
}

/** Returns the API path of the detail with this key; undefined for other keys. */
export function detailPath(base: string, key: string): string | undefined {
  if (!key.startsWith(`${PROPERTIES_FOLDER}/`)) return undefined;
  return `${base}${LIST_PATH}/${key.slice(PROPERTIES_FOLDER.length + 1, -'.json'.length)}`;
}

/** Paths to purge; lists apart, since they have unlimited URLs. */
export type ChangedPaths = { readonly paths: ReadonlySet<string>; readonly hasLists: boolean };

/**
 * Computes the paths that caches may hold stale: that of each stored object, and of the request it answers.
 *
 * @returns undefined when everything has to be purged: more than `limit` paths changed, or it is unknown which release
 *   is cached.
 */
export function changedPaths(
  before: readonly Release[],
  after: Release,
  { limit, others }: { readonly limit: number; readonly others: readonly string[] },
): ChangedPaths | undefined {
  if (before.length === 0) return undefined;
  const { base } = after.manifest.api;
  const paths = new Set<string>();
  let hasLists = false;
  for (const key of changedKeys(before, after, others)) {
    paths.add(`/${key}`);
    if (isListKey(key)) hasLists = true;
    else paths.add(detailPath(base, key) ?? `${base}/${key}`);
    if (paths.size > limit) return undefined;
  }
  return { paths, hasLists };
}

/** Thrown for an unsuccessful answer of a cache. */
export class PurgeRefusal extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
  }
}

/** Tells whether a request to a cache may succeed a moment later; true also for a failure without a valid answer. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof PurgeRefusal) || error.status === 429 || error.status >= 500;
}

/** Makes the error for a failed purge. */
export function invalidationError(cache: string, error: unknown): EnvironmentError {
  const { name, message } = error as Error;
  return new EnvironmentError(
    'invalidation-failed',
    `The release is live, but ${cache} has not forgotten what changed (${name}: ${message}). Run the command again: it goes on from here.`,
    { cause: error },
  );
}
