/** Plans how the files on disk are updated to a merged tree. Uncommitted changes stay. */
import type { ReceivedConflict } from '../../editor/git-remote.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import { blobId, checkedOutFile } from './git-objects.ts';
import { withRestoredPhotos } from './lost-photos.ts';
import { type Conflicts, isSameContent, type MergeRules, mergeFile } from './merge-file.ts';
import { type MergeSides, pathInContent } from './merge-sides.ts';
import { type MergeFileChange, readWorkingFile } from './merge-transaction.ts';
import { isRemoved, isSubmodule, type TreeChange } from './tree-changes.ts';

/** Returns the files to write, or what the user must choose first. @throws GitFailure */
export async function planWorkingFileChanges(
  sides: MergeSides,
  rules: MergeRules,
  changes: readonly TreeChange[],
  tree: string,
): Promise<{ readonly files: readonly MergeFileChange[] } | Conflicts> {
  const { top, prefix } = sides;
  const files: MergeFileChange[] = [];
  const conflicts: ReceivedConflict[] = [];
  const properties = new Map<string, Buffer | undefined>();
  for (const change of changes) {
    if (isSubmodule(change)) continue;
    const { path, mode } = change;
    const theirs = isRemoved(change) ? undefined : await checkedOutFile(top, change.idAfter, path);
    const before = readWorkingFile(top, path);
    const base = await commonVersion(sides, change, before);
    const own = pathInContent(path, prefix);
    const merged = await mergeFile('saved', own, { base, yours: before, theirs }, rules);
    if ('conflicts' in merged) {
      conflicts.push(...merged.conflicts);
      continue;
    }
    if (isPropertyFilePath(own)) properties.set(path, merged.bytes);
    if (!isSameContent(before, merged.bytes))
      files.push({ path, before, after: merged.bytes, mode: isRemoved(change) ? '100644' : mode });
  }
  if (conflicts.length > 0) return { conflicts };
  return { files: await withRestoredPhotos(sides, files, properties, tree) };
}

/**
 * Returns the file of the last commit. If the file on disk differs from it only in what Git converts, such as line
 * endings, returns the bytes on disk.
 */
async function commonVersion(
  { top, yours }: MergeSides,
  { path, idBefore }: TreeChange,
  onDisk: Buffer | undefined,
): Promise<Buffer | undefined> {
  const recorded = await checkedOutFile(top, `${yours}:${path}`, path).catch(() => undefined);
  if (!onDisk || isSameContent(onDisk, recorded)) return recorded;
  return (await blobId(top, path, onDisk)) === idBefore ? onDisk : recorded;
}
