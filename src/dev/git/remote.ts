import { basename, dirname, join } from 'node:path';
import type { RemoteResponse } from '../../editor/git-remote.ts';
import type { RequestBody } from '../../editor/requests.ts';
import { documentationUrl } from '../../package/documentation.ts';
import { escapeControls } from '../../text/printable.ts';
import { cutText } from '../../text/words.ts';
import type { EditContext } from '../edit-context.ts';
import { RefusedRequest } from '../refused-request.ts';
import { GitFailure, git, gitSucceeds, NO_REPOSITORY_MESSAGE } from './git.ts';
import { openMerge, wordsFor as wordsForMerge } from './git-state.ts';
import { describeIncomingChanges } from './incoming-changes.ts';
import { isOnOtherComputer, isPublished } from './publication.ts';
import { pullRequestUrl } from './pull-request-url.ts';

/** In milliseconds. */
export const NETWORK_TIMEOUT = 60_000;

export type PushTarget = {
  readonly branch: string | null;
  readonly remote: string | null;
  readonly remoteBranch: string;
  /** Remote-tracking reference; undefined if the remote lacks the branch or was never fetched. */
  readonly upstream: string | undefined;
  readonly main: string;
};

/** @throws RefusedRequest `git-failed` without a repository */
export async function pushTargetOf(content: string): Promise<PushTarget> {
  const read = (...args: string[]) =>
    git(content, args)
      .then((text) => text.trim())
      .catch(() => '');
  if ((await read('rev-parse', '--git-dir')) === '')
    throw new RefusedRequest('git-failed', NO_REPOSITORY_MESSAGE);
  const branch = (await read('symbolic-ref', '--quiet', '--short', 'HEAD')) || null;
  const remotes = (await read('remote')).split('\n').filter(Boolean);
  const own = branch === null ? '' : await read('config', `branch.${branch}.remote`);
  const remote = [own, 'origin', remotes[0] ?? ''].find((name) => remotes.includes(name)) ?? null;
  const merge = own === remote && branch !== null ? await read('config', `branch.${branch}.merge`) : '';
  const remoteBranch = merge.replace(/^refs\/heads\//, '') || (branch ?? '');
  const reference = `refs/remotes/${remote}/${remoteBranch}`;
  const upstream = (await read('rev-parse', '--verify', '--quiet', reference)) ? reference : undefined;
  return { branch, remote, remoteBranch, upstream, main: await mainBranch(content, remote, branch) };
}

async function mainBranch(content: string, remote: string | null, branch: string | null): Promise<string> {
  const head = await git(content, [
    'symbolic-ref',
    '--quiet',
    '--short',
    `refs/remotes/${remote}/HEAD`,
  ]).catch(() => '');
  const known = head.trim().slice(`${remote}/`.length);
  if (known !== '') return known;
  const found = await git(content, ['for-each-ref', '--format=%(refname)']).catch(() => '');
  const names = found.split('\n');
  const isThere = (name: string) =>
    names.includes(`refs/remotes/${remote}/${name}`) || names.includes(`refs/heads/${name}`);
  return ['main', 'master', 'trunk'].find(isThere) ?? branch ?? 'main';
}

/** @throws RefusedRequest `git-failed` without a repository */
export async function remoteResponse({ session, remote }: EditContext): Promise<RemoteResponse> {
  const { content } = session;
  const pushTarget = await pushTargetOf(content);
  const { branch, main, upstream } = pushTarget;
  const count = (range: string) => git(content, ['rev-list', '--count', range]).then(Number, () => 0);
  const beginning = (await hasBranch(content, pushTarget, main)) ?? 'HEAD';
  const [hasRecords, unrecorded, unsent, newer, unmergedBranches, mergeRequestUrl, merge] = await Promise.all(
    [
      hasCommit(content),
      filesBesideContent(content),
      pushTarget.remote === null ? 0 : count(`${upstream ?? beginning}..HEAD`),
      upstream ? count(`HEAD..${upstream}`) : 0,
      branchesApart(content, main, branch),
      requestAddress(content, pushTarget),
      openMerge(content),
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
        ? Math.max(unsent, branch === main ? 1 : unsent)
        : unsent,
    hasRecords,
    unrecorded,
    newer,
    newerSummaries:
      newer > 0 && upstream ? await describeIncomingChanges(session, upstream).catch(noNews) : [],
    problem: remote.problem,
    mergeRequestUrl,
    merge: merge?.shown ?? null,
    isLive: await isPublished(content, baseUrl),
    hostingGuide: isOnOtherComputer(baseUrl) ? null : documentationUrl('hosting/README'),
  };
}

function hasCommit(content: string): Promise<boolean> {
  return gitSucceeds(content, 'rev-parse', '--verify', '--quiet', 'HEAD');
}

async function filesBesideContent(content: string): Promise<string[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '--directory', '--no-empty-directory', '-z'];
  const own = basename(content);
  // Fails if the content folder is the root of the repository: then the repository has no files beside the content.
  const output = await git(dirname(content), args).catch(() => '');
  return output
    .split('\0')
    .filter((name) => name !== '' && name !== `${own}/` && !name.startsWith(`${own}/`));
}

function noNews(error: unknown): string[] {
  if (error instanceof GitFailure) return [];
  throw error;
}

async function requestAddress(content: string, way: PushTarget): Promise<string | null> {
  const { remoteBranch, main, remote, upstream } = way;
  if (remoteBranch === main || remote === null || upstream === undefined) return null;
  const url = await git(content, ['remote', 'get-url', '--push', remote]).catch(() => '');
  return pullRequestUrl(url.trim(), remoteBranch, main);
}

async function hasBranch(content: string, { remote }: PushTarget, main: string): Promise<string | undefined> {
  for (const reference of [`refs/remotes/${remote}/${main}`, `refs/heads/${main}`]) {
    const found = await git(content, ['rev-parse', '--verify', '--quiet', reference]).catch(() => '');
    if (found !== '') return reference;
  }
  return undefined;
}

async function branchesApart(content: string, main: string, branch: string | null): Promise<string[]> {
  const args = ['for-each-ref', `--no-merged=refs/heads/${main}`, '--format=%(refname)', 'refs/heads'];
  const names = await git(content, args).catch(() => '');
  return names
    .split('\n')
    .map((name) => name.slice('refs/heads/'.length))
    .filter((name) => name !== '' && name !== branch && name !== main);
}

/** If the fetch fails, `remote.problem` says why. @throws RefusedRequest `git-failed` without a repository */
export async function fetchUpstream(context: EditContext): Promise<RemoteResponse> {
  const { session, remote } = context;
  const way = await pushTargetOf(session.content);
  if (way.remote !== null) {
    try {
      await git(session.content, ['fetch', '--quiet', '--no-auto-gc', way.remote], await onNetwork(context));
      remote.problem = null;
    } catch (error) {
      remote.problem = wordsFor(error, 'Newer changes of colleagues cannot be looked for');
    }
  }
  return remoteResponse(context);
}

/** @throws RefusedRequest `git-failed` */
export async function pushBranch(context: EditContext): Promise<RemoteResponse> {
  const { content } = context.session;
  const { branch, remote, remoteBranch, upstream } = await pushTargetOf(content);
  if (remote === null)
    throw new RefusedRequest(
      'git-failed',
      'Nothing says where to send records. Ask the colleague who set up the catalogue to add the place (git remote add).',
    );
  if (branch === null)
    throw new RefusedRequest(
      'git-failed',
      'An earlier state of the catalogue is open. Go back to the newest one first.',
    );
  if (!(await hasCommit(content)))
    throw new RefusedRequest('git-failed', 'Nothing is recorded yet, so there is nothing to send.');
  const args = ['push', '--quiet', ...(upstream ? [] : ['--set-upstream'])];
  try {
    await git(
      content,
      [...args, remote, `refs/heads/${branch}:refs/heads/${remoteBranch}`],
      await onNetwork(context),
    );
  } catch (error) {
    throw new RefusedRequest('git-failed', wordsFor(error, 'The records are not sent'));
  }
  context.remote.problem = null;
  return remoteResponse(context);
}

/** Keeps uncommitted changes. @throws RefusedRequest `git-failed` */
export async function switchBranch(
  context: EditContext,
  { branch }: RequestBody<'open-branch'>,
): Promise<RemoteResponse> {
  const { content } = context.session;
  const merge = await openMerge(content);
  if (merge) throw new RefusedRequest('git-failed', wordsForMerge(merge.shown));
  const isThere = await git(content, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]).catch(
    () => '',
  );
  const { main } = await pushTargetOf(content);
  if (isThere === '' && branch !== main)
    throw new RefusedRequest('git-failed', `There is no ${branch.slice(0, 200)}.`);
  try {
    await git(content, ['switch', '--quiet', branch]);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const isHeld = /would be overwritten|overwritten by checkout/i.test(error.output);
    throw new RefusedRequest(
      'git-failed',
      isHeld
        ? `What is saved and not recorded differs in ${branch}. Record it or take it back first.`
        : `${branch} cannot be opened just now. Ask a colleague who knows git: in the terminal, "git switch ${branch}" says why.`,
    );
  }
  context.session.notify('');
  return remoteResponse(context);
}

/** Makes SSH fail at once instead of asking for a password. */
async function onNetwork({ session: { content }, remote: { patience } }: EditContext) {
  const { GIT_SSH, GIT_SSH_COMMAND } = process.env;
  const configured = await git(content, ['config', 'core.sshCommand']).catch(() => '');
  const command = GIT_SSH_COMMAND || configured.trim() || (GIT_SSH ? '' : 'ssh');
  const isOpenSsh = /(?:^|[\\/"'\s])ssh(?:\.exe)?(?=$|["'\s])/.test(command);
  const quiet = `${command} -o BatchMode=yes -o ConnectTimeout=15`;
  return { patience, environment: isOpenSsh ? { GIT_SSH_COMMAND: quiet } : {} };
}

/** Explains what Git prints. `$` is replaced by what failed. */
const REFUSALS: readonly (readonly [said: RegExp, words: string])[] = [
  [
    /non-fast-forward|fetch first|tip of your current branch is behind|cannot lock ref|stale info/i,
    '$: your colleagues have sent newer changes. Get them first, then send again.',
  ],
  [
    /GH006|protected branch|not allowed to push code to protected/i,
    '$: this branch takes no changes directly. Record under a name with "Keep apart", and send that.',
  ],
  [
    /could not read (?:Username|Password)|Authentication failed|Permission denied|terminal prompts disabled|HTTP Basic|error: 40[13]\b|access denied|not authorized/i,
    '$: the place where the catalogue is kept does not know you, or does not let you. Sign in with git on this computer once, or ask the colleague who set it up.',
  ],
  [
    /Host key verification failed|authenticity of host/i,
    '$: this computer does not know the place yet. Ask the colleague who set it up to connect once with git in the terminal.',
  ],
  [
    /Repository not found|does not appear to be a git repository|repository '.*' not found|No such file or directory/i,
    '$: the place where the catalogue is kept is not there any more, or you may not see it. Ask the colleague who set it up.',
  ],
  [
    /Could not resolve|unable to access|Connection|timed? ?out|Network|Could not read from remote|hung up|No route|unreachable/i,
    '$: the place where the catalogue is kept does not answer. Nothing is lost: try again when you are online.',
  ],
];

function wordsFor(error: unknown, what: string): string {
  if (!(error instanceof GitFailure)) throw error;
  const { output, code } = error;
  if (code === 'ETIMEDOUT')
    return `${what}: the place where the catalogue is kept does not answer. Nothing is lost: try again when you are online.`;
  const isDeclined = /hook declined|remote rejected/i.test(output);
  const words = isDeclined ? undefined : REFUSALS.find(([said]) => said.test(output))?.[1];
  const isProtected = REFUSALS[1]!;
  if (isProtected[0].test(output)) return isProtected[1].replace('$', what);
  if (words !== undefined) return words.replace('$', what);
  const said = saidBy(output);
  return isDeclined
    ? `${what}: the place where the catalogue is kept refuses them, and says: ${said}`
    : `${what}: the checks of this catalogue refuse, and say: ${said}`;
}

/** Maximum number of characters of Git's output that are shown. */
const MAX_SHOWN = 1000;

function saidBy(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const remote = lines.flatMap((line) => /^remote: ?(.*)$/.exec(line)?.[1]?.trim() || []);
  const own = lines.filter(
    (line) => line !== '' && !/^(?:To |! |error: failed to push|hint:|remote:)/.test(line),
  );
  return escapeControls(cutText((remote.length > 0 ? remote : own).join(' '), MAX_SHOWN));
}

export async function mergeJournalFolder(content: string): Promise<string> {
  return join((await git(content, ['rev-parse', '--absolute-git-dir'])).trim(), 'property-catalogue');
}
