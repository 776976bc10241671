/** Photos that one side of a merge removed, although a property of the result shows them. They are restored. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { photoPathsIn } from '../../editing/photo-path.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import { createContentFile, readIfPresent } from '../content/content-files.ts';
import { changedFiles } from './changed-files.ts';
import { git } from './git.ts';
import { checkedOutFile, readBlobs } from './git-objects.ts';
import { type MergeSides, pathInContent } from './merge-sides.ts';
import { type MergeFileChange, readWorkingFile } from './merge-transaction.ts';
import { isRemoved, isSubmodule, treeChangesBetween } from './tree-changes.ts';

/** Returns the lines of `git update-index --index-info` that add lost photos to the tree of a merge. */
export async function indexEntriesOfLostPhotos(sides: MergeSides, tree: string): Promise<string[]> {
  const { top, yours, theirs } = sides;
  const changes = [
    ...(await treeChangesBetween(top, theirs, tree)),
    ...(await treeChangesBetween(top, yours, tree)),
  ];
  const removed = new Map(changes.filter(isRemoved).map((change) => [change.path, change]));
  if (removed.size === 0) return [];
  const shown = new Set<string>();
  const properties = changes.filter(
    (change) =>
      !isRemoved(change) &&
      !isSubmodule(change) &&
      isPropertyFilePath(pathInContent(change.path, sides.prefix)),
  );
  const blobs = await readBlobs(
    top,
    properties.map(({ idAfter }) => idAfter),
  );
  for (const [place, { path }] of properties.entries())
    for (const photo of photosShownIn(path, blobs[place]!, sides)) shown.add(photo);
  return [...shown].flatMap((path) => {
    const photo = removed.get(path);
    return photo ? `${photo.modeBefore} ${photo.idBefore}\t${path}\0` : [];
  });
}

/**
 * Keeps the photos that a merged or an uncommitted property shows: drops their removal from `changes`, and adds those
 * photos that are missing on disk.
 * @param properties maps the path of each merged property to its bytes; undefined if the merge removes the property
 */
export async function withRestoredPhotos(
  sides: MergeSides,
  changes: readonly MergeFileChange[],
  properties: ReadonlyMap<string, Buffer | undefined>,
  tree: string,
): Promise<MergeFileChange[]> {
  const { content, top, prefix, yours } = sides;
  const uncommitted = [...(await changedFiles(content)).keys()]
    .filter((path) => isPropertyFilePath(path) && !properties.has(prefix + path))
    .map((path) => [prefix + path, readWorkingFile(top, prefix + path)] as const);
  const files = new Map(changes.map((file) => [file.path, file]));
  for (const [path, bytes] of [...properties, ...uncommitted]) {
    for (const photo of bytes ? photosShownIn(path, bytes, sides) : []) {
      if (files.get(photo)?.after) continue;
      files.delete(photo);
      const before = readWorkingFile(top, photo);
      const after = before ? undefined : await findFileInRevisions(top, photo, [tree, yours]);
      if (after) files.set(photo, { path: photo, before, after, mode: '100644' });
    }
  }
  return [...files.values()];
}

/** Where to look for a photo that is missing on disk while an operation of Git, such as a merge, is unfinished. */
const SIDES = ['HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'REVERT_HEAD', 'stash'];

/**
 * Restores and stages the lost photos of a property while an operation of Git is unfinished. Returns their paths.
 * @throws RefusedRequest `not-written`; GitFailure
 */
export async function restoreLostPhotos(content: string, path: string): Promise<string[]> {
  const property = isPropertyFilePath(path) ? readIfPresent(content, path) : undefined;
  const back: string[] = [];
  for (const photo of new Set(photoPathsIn(path, String(property?.bytes ?? '')))) {
    if (existsSync(join(content, photo))) continue;
    const bytes = await findFileInRevisions(content, photo, SIDES);
    if (!bytes) continue;
    createContentFile(content, photo, bytes);
    await git(content, ['add', '--', photo]);
    back.push(photo);
  }
  return back;
}

/** Returns the file of the first commit or tree that has it, as a checkout would write it. */
export async function findFileInRevisions(folder: string, path: string, sides: readonly string[]) {
  for (const side of sides) {
    const bytes = await checkedOutFile(folder, `${side}:./${path}`).catch(() => undefined);
    if (bytes) return bytes;
  }
  return undefined;
}

/** Returns paths from the top of the repository. */
function photosShownIn(path: string, bytes: Buffer, { prefix }: MergeSides): string[] {
  return (photoPathsIn(pathInContent(path, prefix), String(bytes)) ?? []).map((photo) => prefix + photo);
}
