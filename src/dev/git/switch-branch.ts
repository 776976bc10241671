import type { RequestHandler } from '../api/edit-context.ts';
import { git, gitSucceeds } from './git.ts';
import { gitRefusal, toGitRefusal } from './git-refusals.ts';
import { pushTargetOf, remoteResponse } from './remote.ts';
import { readGitState, unfinishedMergeText } from './unfinished-merge.ts';

/** Keeps uncommitted changes. @throws RefusedRequest `git-failed` */
export const switchBranch: RequestHandler<'switch-branch'> = async (context, { branch }) => {
  const { content } = context.session;
  const { merge } = await readGitState(content);
  if (merge) throw gitRefusal(unfinishedMergeText(merge.shown));
  const isLocal = await gitSucceeds(content, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`);
  if (!isLocal && branch !== (await pushTargetOf(content)).main)
    throw gitRefusal(`There is no ${branch.slice(0, 200)}.`);
  try {
    await git(content, ['switch', '--quiet', branch]);
  } catch (error) {
    throw toGitRefusal(error, 'switch', branch);
  }
  context.session.rescan();
  return remoteResponse(context);
};
