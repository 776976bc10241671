/** Which paths caches have to forget after a publish. */
import { LIST_PATH, MANIFEST_KEY, PAGES_FOLDER, PROPERTIES_FOLDER } from '../../contract/keys.ts';
import { EnvironmentError } from '../../errors.ts';
import { isKept, type Release } from '../../release/release.ts';
import { allWrites, planFromManifests } from '../plan.ts';

/** A cache in front of a bucket. */
export type Invalidator = {
  /** As a report names it, such as `CloudFront`. */
  readonly name: string;
  /**
   * Makes it forget what differs between releases that were live, or in part, and the one that is now.
   *
   * @param others keys of no release that changed too.
   * @returns the paths or prefixes that it was asked to forget.
   * @throws EnvironmentError `invalidation-failed`.
   */
  readonly invalidate: (
    before: readonly Release[],
    after: Release,
    others: readonly string[],
  ) => Promise<readonly string[]>;
};

/** Keys that may be cached with another content than they have now. */
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
      // A photo, or a chunk, of another content has another name.
      if (!isKept(object) || plan.isPresent(object.key)) yield object.key;
    }
    yield* plan.removals();
  }
}

/** Whether a key is a page's or a total's. */
export function isListKey(key: string): boolean {
  return key.startsWith(`${PAGES_FOLDER}/`);
}

/** The path of the API that answers with the detail of this key; undefined for other keys. */
export function detailPath(base: string, key: string): string | undefined {
  if (!key.startsWith(`${PROPERTIES_FOLDER}/`)) return undefined;
  return `${base}${LIST_PATH}/${key.slice(PROPERTIES_FOLDER.length + 1, -'.json'.length)}`;
}

/** Paths to purge; lists apart, since each has endless URLs. */
export type ChangedPaths = { readonly paths: ReadonlySet<string>; readonly hasLists: boolean };

/**
 * The paths under which caches may hold another content than there is now: of the stored object, and of the request
 * that it answers.
 *
 * @returns undefined when everything has to be purged: more than `limit` paths changed, or no release is known whose
 *   answers are cached.
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

/** An answer of a cache that is no success. */
export class PurgeRefusal extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(`${status} ${text}`);
    this.status = status;
  }
}

/** Whether a request to a cache may succeed a moment after this failure: also one without a sound answer. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof PurgeRefusal) || error.status === 429 || error.status >= 500;
}

/** The error for a cache that was not purged. */
export function invalidationError(cache: string, error: unknown): EnvironmentError {
  const { name, message } = error as Error;
  return new EnvironmentError(
    'invalidation-failed',
    `The release is live, but ${cache} has not forgotten what changed (${name}: ${message}). Run the command again: it goes on from here.`,
    { cause: error },
  );
}
