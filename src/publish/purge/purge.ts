/** Which paths caches have to forget after a publish. */
import { cacheTag } from '../../contract/cache-tags.ts';
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
   * @returns the paths, prefixes or tags that it was asked to forget.
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

/**
 * The tags of what changed, ascending: an object that has none of them is what it was.
 *
 * @returns undefined when there are more than `limit`, or nothing is known of what caches hold.
 */
export function changedTags(
  before: readonly Release[],
  after: Release,
  { limit, others = [] }: { limit: number; others?: readonly string[] | undefined },
): string[] | undefined {
  if (before.length === 0) return undefined;
  const tags = new Set<string>();
  for (const key of changedKeys(before, after, others)) {
    tags.add(cacheTag(key));
    if (tags.size > limit) return undefined;
  }
  return [...tags].sort();
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

/**
 * Covers paths by at most `limit` of them. Folders with the most paths, deepest first, become a wildcard
 * (`/folder/*`) until they are few enough; so as little else as possible is covered.
 *
 * @param paths absolute; one that ends with `*` covers all that start so, and no other of these.
 */
export function coverPaths(paths: Iterable<string>, limit: number): string[] {
  const cover = new Set(paths);
  while (cover.size > limit) {
    const folders = new Map<string, string[]>();
    let deepest = 0;
    for (const path of cover) deepest = Math.max(deepest, depthOf(path));
    for (const path of cover) {
      if (depthOf(path) !== deepest) continue;
      const folder = parentOf(path);
      const same = folders.get(folder);
      if (same) same.push(path);
      else folders.set(folder, [path]);
    }
    const bySize = [...folders].sort(([one, a], [other, b]) => b.length - a.length || (one < other ? -1 : 1));
    for (const [folder, members] of bySize) {
      if (cover.size <= limit) break;
      for (const path of members) cover.delete(path);
      cover.add(`${folder}/*`);
    }
    if (cover.size === 1) break;
  }
  return [...cover].sort();
}

/** Number of segments; a wildcard is as deep as the folder that it stands for. */
function depthOf(path: string): number {
  const { length } = path.split('/');
  return path.endsWith('/*') ? length - 1 : length;
}

function parentOf(path: string): string {
  const whole = path.endsWith('/*') ? path.slice(0, -2) : path;
  return whole.slice(0, whole.lastIndexOf('/'));
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
