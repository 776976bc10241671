/** Merges two commits into a tree. Writes only objects of Git: the index and the files on disk do not change. */
import { rmSync } from 'node:fs';
import type { ReceivedConflict } from '../../editor/git-remote.ts';
import { GitFailure, git } from './git.ts';
import { parseConflictStages, readBlob } from './git-objects.ts';
import { indexEntriesOfLostPhotos } from './lost-photos.ts';
import { type Conflicts, type MergeRules, mergeFile } from './merge-file.ts';
import { type MergeSides, pathInContent } from './merge-sides.ts';
import { mergeJournalFolder } from './merge-transaction.ts';

/** Returns the id of the tree, or what the user must choose first. @throws GitFailure */
export async function mergeCommits(
  sides: MergeSides,
  rules: MergeRules,
): Promise<{ readonly tree: string } | Conflicts> {
  const { top, prefix } = sides;
  const [tree = '', ...lines] = (await mergeTree(sides)).split('\0');
  const conflicts: ReceivedConflict[] = [];
  const indexInfo: string[] = [];
  for (const [path, stages] of parseConflictStages(lines)) {
    const blob = async (stage: number) => {
      const { id } = stages.get(stage) ?? {};
      return id === undefined ? undefined : readBlob(top, id);
    };
    const versions = { base: await blob(1), yours: await blob(2), theirs: await blob(3) };
    const merged = await mergeFile('recorded', pathInContent(path, prefix), versions, rules);
    if ('conflicts' in merged) conflicts.push(...merged.conflicts);
    else if (!merged.bytes) indexInfo.push(`0 ${'0'.repeat(tree.length)}\t${path}\0`);
    else {
      const id = await git(top, ['hash-object', '-w', '--stdin'], { input: merged.bytes });
      indexInfo.push(`${(stages.get(2) ?? stages.get(3))?.mode} ${id.trim()}\t${path}\0`);
    }
  }
  if (conflicts.length > 0) return { conflicts };
  const merged = await treeWith(top, tree, indexInfo);
  return { tree: await treeWith(top, merged, await indexEntriesOfLostPhotos(sides, merged)) };
}

/** If there are conflicts, Git exits with 1 but still prints the merged tree. */
async function mergeTree({ top, yours, theirs }: MergeSides): Promise<string> {
  try {
    return await git(top, ['merge-tree', '--write-tree', '-z', '--no-messages', yours, theirs]);
  } catch (error) {
    if (error instanceof GitFailure && error.code === 1 && /^[0-9a-f]{40,64}\0/.test(error.result))
      return error.result;
    throw error;
  }
}

/** @param indexInfo lines for `git update-index --index-info` */
async function treeWith(top: string, tree: string, indexInfo: readonly string[]): Promise<string> {
  if (indexInfo.length === 0) return tree;
  const folder = await mergeJournalFolder(top);
  const environment = { GIT_INDEX_FILE: `${folder}-${process.pid}.index` };
  try {
    await git(top, ['read-tree', tree], { environment });
    await git(top, ['update-index', '-z', '--index-info'], { environment, input: indexInfo.join('') });
    return (await git(top, ['write-tree'], { environment })).trim();
  } finally {
    rmSync(environment.GIT_INDEX_FILE, { force: true });
  }
}
