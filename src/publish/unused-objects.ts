/** Finds what a prune removes from a bucket. */
import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  DOCUMENT_COPIES_FOLDER,
  FACETS_FOLDER,
  IMAGE_LISTS_FOLDER,
  PARTS_FOLDER,
  prunedRootKey,
  RELEASE_STATEMENTS_FOLDER,
  ROOTS_FOLDER,
  releaseStatementKey,
  rootKey,
} from '../contract/object-keys.ts';
import { isSharedKey } from '../contract/object-kinds.ts';
import { type Release, sharedKeys } from '../release/release.ts';
import type { Bucket } from '../storage/bucket.ts';
import type { EndedPreviews } from './ended-previews.ts';
import type { StoredRelease } from './list-releases.ts';
import { createSharedKeysReader } from './stored-release.ts';

const PRUNED = new RegExp(`^${prunedRootKey('([0-9a-f]{32})')}$`);
const STATEMENT = new RegExp(`^${releaseStatementKey('([0-9a-f]{32})[0-9a-f]{32}')}$`);

/** Only this tool writes shared objects to these folders, so a prune may remove even those that no root names. */
const TREE_FOLDERS = [
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  FACETS_FOLDER,
  PARTS_FOLDER,
  IMAGE_LISTS_FOLDER,
  DOCUMENT_COPIES_FOLDER,
];

/**
 * `marked`: names of releases that have a moved root, since a prune of them began. That prune may have removed nothing
 * yet, and a later publish may have restored the release. `rootless`: names of marked releases that have no root in its
 * usual place.
 */
export async function findInterruptedPrunes(bucket: Bucket) {
  const keys = new Set<string>();
  for await (const { key } of bucket.list(`${ROOTS_FOLDER}/`)) keys.add(key);
  const marked = [...keys].flatMap((key) => PRUNED.exec(key)?.slice(1) ?? []);
  return { marked, rootless: marked.filter((name) => !keys.has(rootKey(name))) };
}

/**
 * Keys of shared objects that no remaining release or preview uses. Roots, images and assets are found only
 * through `gone` (names of the releases to remove) and `previews.unused`.
 */
export async function findUnusedKeys(
  bucket: Bucket,
  live: Release,
  {
    staying,
    gone,
    previews,
  }: {
    readonly staying: readonly StoredRelease[];
    readonly gone: readonly string[];
    readonly previews: EndedPreviews;
  },
): Promise<string[]> {
  const used = new Set([...sharedKeys(live), ...previews.used]);
  const keysOfKept = createSharedKeysReader(bucket, [live]);
  for (const { name } of staying) for (const key of await keysOfKept(name)) used.add(key);
  const unused = new Set([...previews.unused].filter((key) => !used.has(key)));
  // Adds the key of the root, since `keysOfKept` returns no keys at all if the root is damaged.
  for (const name of gone)
    for (const key of [rootKey(name), ...(await keysOfKept(name))]) if (!used.has(key)) unused.add(key);
  for (const folder of TREE_FOLDERS)
    for await (const { key } of bucket.list(`${folder}/`))
      if (isSharedKey(key) && !used.has(key)) unused.add(key);
  return [...unused];
}

/** A statement's name starts with the name of its release, since both are digests of the root. */
export async function findUnusedStatements(
  bucket: Bucket,
  live: Release,
  staying: readonly StoredRelease[],
): Promise<string[]> {
  const used = new Set([live.name, ...staying.map(({ name }) => name)]);
  const unused: string[] = [];
  for await (const { key } of bucket.list(`${RELEASE_STATEMENTS_FOLDER}/`)) {
    const [, release] = STATEMENT.exec(key) ?? [];
    if (release !== undefined && !used.has(release)) unused.push(key);
  }
  return unused;
}
