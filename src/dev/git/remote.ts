import { basename, dirname } from 'node:path';
import { isLoopbackUrl } from '../../contract/public-url.ts';
import type { RemoteResponse } from '../../editor/git-remote.ts';
import { documentationUrl } from '../../package/documentation.ts';
import type { EditContext } from '../api/edit-context.ts';
import { currentBranch, findBranch, linesOf, mainBranch, unmergedBranchesOf } from './branches.ts';
import { GitFailure, git, gitOrEmpty, gitSucceeds, nulSeparated } from './git.ts';
import { explainGitFailure, gitRefusal, repositoryRefusal, toGitRefusal } from './git-refusals.ts';
import { describeIncomingChanges } from './incoming-changes.ts';
import { createPublishedCommitLookup, isLastCommitPublished } from './published-commit.ts';
import { pullRequestUrl } from './pull-request-url.ts';
import { readUnfinishedOperation } from './unfinished-merge.ts';

/** In milliseconds. */
export const NETWORK_TIMEOUT = 60_000;

type PushTarget = {
  readonly branch: string | null;
  readonly remote: string | null;
  readonly remoteBranch: string;
  /** Remote-tracking reference; undefined if the remote lacks the branch or was never fetched. */
  readonly upstream: string | undefined;
  readonly main: string;
};

/** @throws RefusedRequest `git-failed` */
async function checkRepository(content: string): Promise<void> {
  try {
    await git(content, ['rev-parse', '--git-dir']);
  } catch (error) {
    throw error instanceof GitFailure ? repositoryRefusal(error) : error;
  }
}

/** @throws RefusedRequest `git-failed` without a repository */
export async function pushTargetOf(content: string): Promise<PushTarget> {
  await checkRepository(content);
  const read = (...args: string[]) => gitOrEmpty(content, ...args);
  const branch = await currentBranch(content);
  const remotes = linesOf(await read('remote'));
  const own = branch === null ? '' : await read('config', `branch.${branch}.remote`);
  const remote = [own, 'origin', remotes[0] ?? ''].find((name) => remotes.includes(name)) ?? null;
  const merge = own === remote && branch !== null ? await read('config', `branch.${branch}.merge`) : '';
  const remoteBranch = merge.replace(/^refs\/heads\//, '') || (branch ?? '');
  const reference = `refs/remotes/${remote}/${remoteBranch}`;
  const upstream = (await read('rev-parse', '--verify', '--quiet', reference)) ? reference : undefined;
  return { branch, remote, remoteBranch, upstream, main: await mainBranch(content, remote, branch) };
}

/** @throws RefusedRequest `git-failed` without a repository */
export async function remoteResponse({ session, remote }: EditContext): Promise<RemoteResponse> {
  const { content } = session;
  const pushTarget = await pushTargetOf(content);
  const { branch, main, upstream } = pushTarget;
  const count = (range: string) => git(content, ['rev-list', '--count', range]).then(Number, () => 0);
  const beginning = (await findBranch(content, pushTarget.remote, main)) ?? 'HEAD';
  const [hasRecords, unrecorded, unsent, newer, unmergedBranches, mergeRequestUrl, merge] = await Promise.all(
    [
      hasCommit(content),
      filesBesideContent(content),
      pushTarget.remote === null ? 0 : count(`${upstream ?? beginning}..HEAD`),
      upstream ? count(`HEAD..${upstream}`) : 0,
      unmergedBranchesOf(content, main, branch),
      pullRequestAddress(content, pushTarget),
      readUnfinishedOperation(content),
    ],
  );
  const { base_url: baseUrl } = session.configuration();
  return {
    branch,
    main,
    unmergedBranches,
    remote: pushTarget.remote,
    // Until its first push, the main branch is compared with itself, which counts 0 commits. Reports 1 instead.
    unsent:
      pushTarget.remote !== null && branch !== null && !upstream && hasRecords
        ? Math.max(unsent, branch === main ? 1 : 0)
        : unsent,
    hasRecords,
    unrecorded,
    newer,
    newerSummaries:
      newer > 0 && upstream ? await describeIncomingChanges(session, upstream).catch(noNews) : [],
    problem: remote.problem,
    mergeRequestUrl,
    merge: merge?.shown ?? null,
    isLive: await isLastCommitPublished(content, baseUrl, remote.lookup),
    hostingGuide: isLoopbackUrl(baseUrl) ? documentationUrl('hosting/README') : null,
  };
}

function hasCommit(content: string): Promise<boolean> {
  return gitSucceeds(content, 'rev-parse', '--verify', '--quiet', 'HEAD');
}

async function filesBesideContent(content: string): Promise<string[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '--directory', '--no-empty-directory', '-z'];
  const own = `${basename(content)}/`;
  // Fails if the content folder is the root of the repository: then the repository has no files beside the content.
  const names = nulSeparated(await gitOrEmpty(dirname(content), ...args));
  return names.filter((name) => !name.startsWith(own));
}

function noNews(error: unknown): string[] {
  if (error instanceof GitFailure) return [];
  throw error;
}

async function pullRequestAddress(content: string, target: PushTarget): Promise<string | null> {
  const { remoteBranch, main, remote, upstream } = target;
  if (remoteBranch === main || remote === null || upstream === undefined) return null;
  const url = await gitOrEmpty(content, 'remote', 'get-url', '--push', remote);
  return pullRequestUrl(url, remoteBranch, main);
}

/** If the fetch fails, `remote.problem` says why. @throws RefusedRequest `git-failed` without a repository */
export async function fetchUpstream(context: EditContext): Promise<RemoteResponse> {
  const { session, remote } = context;
  const target = await pushTargetOf(session.content);
  // A user who fetches wants the current state, so cached answers are dropped.
  remote.lookup = createPublishedCommitLookup();
  if (target.remote !== null) {
    try {
      const args = ['fetch', '--quiet', '--no-auto-gc', target.remote];
      await git(session.content, args, await networkOptions(context));
      remote.problem = null;
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      remote.problem = explainGitFailure(error, 'fetch');
    }
  }
  return remoteResponse(context);
}

/** @throws RefusedRequest `git-failed` */
export async function pushBranch(context: EditContext): Promise<RemoteResponse> {
  const { content } = context.session;
  const { branch, remote, remoteBranch, upstream } = await pushTargetOf(content);
  if (remote === null)
    throw gitRefusal(
      'Nothing says where to send records. Ask the colleague who set up the catalogue to add the place (git remote add).',
    );
  if (branch === null)
    throw gitRefusal('An earlier state of the catalogue is open. Go back to the newest one first.');
  if (!(await hasCommit(content))) throw gitRefusal('Nothing is recorded yet, so there is nothing to send.');
  const branches = `refs/heads/${branch}:refs/heads/${remoteBranch}`;
  const args = ['push', '--quiet', ...(upstream ? [] : ['--set-upstream']), remote, branches];
  try {
    await git(content, args, await networkOptions(context));
  } catch (error) {
    throw toGitRefusal(error, 'push');
  }
  context.remote.problem = null;
  return remoteResponse(context);
}

/** Makes SSH fail at once instead of asking for a password. */
async function networkOptions({ session: { content }, remote: { timeout } }: EditContext) {
  const { GIT_SSH, GIT_SSH_COMMAND } = process.env;
  const configured = await gitOrEmpty(content, 'config', 'core.sshCommand');
  const command = GIT_SSH_COMMAND || configured || (GIT_SSH ? '' : 'ssh');
  const isOpenSsh = /(?:^|[\\/"'\s])ssh(?:\.exe)?(?=$|["'\s])/.test(command);
  const quiet = `${command} -o BatchMode=yes -o ConnectTimeout=15`;
  return { timeout, environment: isOpenSsh ? { GIT_SSH_COMMAND: quiet } : {} };
}
