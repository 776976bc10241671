import type { FieldTable } from '../../contract/fields.ts';
import { declaredTerms } from '../../contract/terms.ts';
import type { MergeResponse } from '../../editor/git-remote.ts';
import type { RequestBody } from '../../editor/request-schemas.ts';
import { digestOf } from '../../release/digest.ts';
import type { RequestHandler } from '../api/edit-context.ts';
import { GitFailure, git, gitSucceeds, pathInRepository, repositoryTop } from './git.ts';
import { gitRefusal, toGitRefusal } from './git-refusals.ts';
import { makeMergeCommit, runHook } from './merge-commit.ts';
import type { MergeSides } from './merge-sides.ts';
import { finishOrUndoMerge, readWorkingFile, runMergeTransaction } from './merge-transaction.ts';
import { mergeCommits } from './merge-tree.ts';
import { planWorkingFileChanges } from './plan-working-file-changes.ts';
import { pushTargetOf } from './remote.ts';
import { treeChangesBetween } from './tree-changes.ts';
import { readGitState, unfinishedMergeText } from './unfinished-merge.ts';

/** Undoes a merge that a killed process left unfinished, or finishes it if the branch has moved already. */
export async function recoverMerge(content: string): Promise<void> {
  try {
    await finishOrUndoMerge(await repositoryTop(content));
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
  }
}

/** @throws RefusedRequest `git-failed`, `changed-meanwhile`, after everything is undone */
export const mergeUpstream: RequestHandler<'merge'> = async ({ session }, request) => {
  try {
    const { fields } = declaredTerms(session.configuration());
    const response = await merge(session.content, request, fields);
    session.rescan();
    return response;
  } catch (error) {
    throw toGitRefusal(error, 'merge');
  }
};

const NOTHING_LEFT: MergeResponse = { mark: '', conflicts: [] };

async function merge(
  content: string,
  request: RequestBody<'merge'>,
  fields: FieldTable,
): Promise<MergeResponse> {
  await recoverMerge(content);
  const { git: state } = await readGitState(content);
  if (state.merge) throw gitRefusal(unfinishedMergeText(state.merge));
  if (state.obstacle) throw gitRefusal(state.obstacle);
  const { branch, upstream, remote, remoteBranch } = await pushTargetOf(content);
  if (branch === null || upstream === undefined) throw gitRefusal('Colleagues have nothing newer here.');
  const [yours = '', theirs = ''] = (await git(content, ['rev-parse', 'HEAD', upstream])).split('\n');
  if (await gitSucceeds(content, 'merge-base', '--is-ancestor', theirs, yours)) return NOTHING_LEFT;
  const [top, prefix] = [await repositoryTop(content), await pathInRepository(content)];
  const sides: MergeSides = { content, top, prefix, yours, theirs };
  const mark = await markOf(sides);
  // Ignores choices that the user made for other versions.
  const rules = { choices: request.mark === mark ? request.choices : {}, fields };
  const isFastForward = await gitSucceeds(content, 'merge-base', '--is-ancestor', yours, theirs);
  const merged = isFastForward ? { tree: `${theirs}^{tree}` } : await mergeCommits(sides, rules);
  if ('conflicts' in merged) return { mark, ...merged };
  const { tree } = merged;
  const changes = await treeChangesBetween(top, yours, tree);
  const working = await planWorkingFileChanges(sides, rules, changes, tree);
  if ('conflicts' in working) return { mark, ...working };
  const transaction = {
    top,
    branch: `refs/heads/${branch}`,
    from: yours,
    files: working.files,
    indexInfo: changes.map(({ mode, idAfter, path }) => `${mode} ${idAfter}\t${path}\0`).join(''),
  };
  const subject = `Merge the changes of ${remote}/${remoteBranch}`;
  await runMergeTransaction(transaction, async (index) =>
    isFastForward ? theirs : makeMergeCommit(sides, tree, subject, index),
  );
  await runHook(top, 'post-merge', ['0']).catch(() => {});
  return NOTHING_LEFT;
}

/** Returns another mark once one of the commits, or a file on disk that the merge may write, has changed. */
async function markOf({ top, yours, theirs }: MergeSides): Promise<string> {
  const paths = (await treeChangesBetween(top, yours, theirs)).map(({ path }) => path).sort();
  const digests = paths.map((path) => digestOf(readWorkingFile(top, path) ?? ''));
  return digestOf(JSON.stringify([yours, theirs, digests]));
}
