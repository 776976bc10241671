/** Commits only the given files, in the versions that the page showed. A merge is always committed as a whole. */
import { readFileSync, statSync, utimesSync } from 'node:fs';
import { formatContent } from '../../editing/format-content.ts';
import type { CommitResponse } from '../../editor/changes.ts';
import type { RequestBody } from '../../editor/requests.ts';
import { writeAtomically } from '../../files/atomic-write.ts';
import { digestOf } from '../../release/digest.ts';
import { isSourcePath } from '../../source/content-path.ts';
import { escapeControls } from '../../text/printable.ts';
import { cutText } from '../../text/words.ts';
import { UPLOAD_LIMITS } from '../content/photo.ts';
import { readContentFile, replaceContentFile } from '../content-folder.ts';
import type { EditContext } from '../edit-context.ts';
import { RefusedRequest } from '../refused-request.ts';
import { branchNameProblem } from './branch-name.ts';
import { changedFiles, GitFailure, git, NO_AUTHOR_MESSAGE, NO_REPOSITORY_MESSAGE } from './git.ts';
import { gitState, type OpenMerge, openMerge } from './git-state.ts';
import { gitIndexPath } from './merge-transaction.ts';
import { missingPhoto, photosByProperty } from './photos-by-property.ts';
import { bringBackPhotos } from './whole-file-choice.ts';

/** @throws RefusedRequest `git-failed`, `changed-meanwhile` */
export async function commitFiles(
  { session }: EditContext,
  request: RequestBody<'commit'>,
): Promise<CommitResponse> {
  const { content } = session;
  try {
    await checkCommittable(content, request);
    const merge = await openMerge(content);
    if (merge) await checkPhotos(content, merge);
    await onBranch(content, request.branch, () =>
      merge ? finishMerge(content, request, merge) : commit(content, request),
    );
    const name = (await git(content, ['rev-parse', '--short', 'HEAD'])).trim();
    return { commit: name, branch: (await gitState(content))?.branch ?? null };
  } catch (error) {
    if (error instanceof GitFailure) throw new RefusedRequest('git-failed', messageForUser(error));
    throw error;
  }
}

async function checkCommittable(
  content: string,
  { files, message, branch }: RequestBody<'commit'>,
): Promise<void> {
  const [state, changed] = await Promise.all([gitState(content), changedFiles(content)]);
  if (!state || !changed) throw new RefusedRequest('git-failed', NO_REPOSITORY_MESSAGE);
  if (state.obstacle) throw new RefusedRequest('git-failed', state.obstacle);
  if (message.trim() === '')
    throw new RefusedRequest('git-failed', 'Write a message: what was changed, and why.');
  if (state.merge && branch !== undefined)
    throw new RefusedRequest('git-failed', 'Finish the merge first: record without a name.');
  if (files.length === 0 && state.merge?.kind !== 'merge')
    throw new RefusedRequest('git-failed', 'Choose what to record.');
  for (const { path, version } of files) {
    const kind = changed.get(path);
    const now = kind === undefined || kind === 'removed' ? '' : versionOf(content, path);
    if (kind !== undefined && now === version) continue;
    throw new RefusedRequest(
      'changed-meanwhile',
      `${path} changed meanwhile. The list shows it as it is now: look at it, and record again.`,
    );
  }
  const chosen = new Set(files.map(({ path }) => path));
  const missing = missingPhoto(chosen, changed, await photosByProperty(content, changed));
  if (missing !== undefined) throw new RefusedRequest('git-failed', missing);
}

/** If a merged property shows photos that one side removed, restores them and refuses to commit for now. */
async function checkPhotos(content: string, { paths }: OpenMerge): Promise<void> {
  const differs = ['diff', '--name-only', '--no-renames', '--relative', '-z', 'MERGE_HEAD', '--', '.'];
  const fromOthers = (await git(content, differs).catch(() => '')).split('\0');
  for (const path of new Set([...paths, ...fromOthers])) {
    const back = await bringBackPhotos(content, path);
    if (back.length > 0)
      throw new RefusedRequest(
        'changed-meanwhile',
        `${path} shows ${back.join(', ')}, which one side had removed. It is back now: look at the list, and record again.`,
      );
  }
}

function versionOf(content: string, path: string): string {
  return digestOf(readContentFile(content, path, UPLOAD_LIMITS.bytes).bytes);
}

async function onBranch(
  content: string,
  branch: string | undefined,
  act: () => Promise<void>,
): Promise<void> {
  if (branch === undefined) return act();
  const fault = branchNameProblem(branch);
  if (fault !== undefined) throw new RefusedRequest('git-failed', fault);
  const before = (await git(content, ['symbolic-ref', '--quiet', 'HEAD']).catch(() => '')).trim();
  await git(content, ['switch', '--quiet', '--create', branch]);
  try {
    await act();
  } catch (error) {
    // Nothing was committed, so both branches are at the same commit.
    await git(content, before === '' ? ['switch', '--quiet', '--detach'] : ['symbolic-ref', 'HEAD', before]);
    await git(content, ['branch', '--quiet', '-D', branch]).catch(() => {});
    throw error;
  }
}

/** Commits the chosen files and all that the merge staged. Restores the index if the commit fails. */
async function finishMerge(
  content: string,
  request: RequestBody<'commit'>,
  { shown, unmerged }: OpenMerge,
): Promise<void> {
  const index = await gitIndexPath(content);
  const before = readFileSync(index);
  const { atime, mtime } = statSync(index);
  const { files, message } = request;
  // `git add` refuses a file that the merge removed, since it is neither on disk nor in the index.
  const tracked = await trackedFiles(content);
  const chosen = files.filter(({ path, version }) => version !== '' || tracked.has(path));
  const add = ['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'];
  const record = async () => {
    const input = [...unmerged, ...(shown.kind === 'merge' ? chosen.map(({ path }) => path) : [])]
      .map((path) => `${path}\0`)
      .join('');
    if (input !== '') await git(content, add, { input });
    if (shown.kind === 'merge') await git(content, ['commit', '--quiet', `--message=${message}`]);
    else await commit(content, request);
  };
  try {
    await record().catch((error: unknown) => retryFormatted(content, files, error, record));
  } catch (error) {
    writeAtomically(index, before);
    // Restores the mtime. With a later one, Git would miss changes that were made while it wrote the old index.
    utimesSync(index, atime, mtime);
    throw error;
  }
}

async function commit(content: string, { files, message }: RequestBody<'commit'>): Promise<void> {
  const tracked = await trackedFiles(content);
  const added = files
    .filter(({ path, version }) => version !== '' && !tracked.has(path))
    .map(({ path }) => path);
  const listed = (paths: readonly string[]) => ({ input: paths.map((path) => `${path}\0`).join('') });
  const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  // `git commit --only` refuses untracked files, so new files become tracked first.
  if (added.length > 0) await git(content, ['add', '--intent-to-add', ...fromInput], listed(added));
  try {
    const paths = listed(files.map(({ path }) => path));
    const record = () =>
      git(content, ['commit', '--quiet', '--only', `--message=${message}`, ...fromInput], paths);
    await record().catch((error: unknown) => retryFormatted(content, files, error, record));
  } catch (error) {
    if (added.length > 0) {
      await git(content, ['update-index', '--force-remove', '-z', '--stdin'], listed(added)).catch(() => {});
    }
    throw error;
  }
}

async function trackedFiles(content: string): Promise<ReadonlySet<string>> {
  return new Set((await git(content, ['ls-files', '-z'])).split('\0'));
}

async function retryFormatted(
  content: string,
  files: RequestBody<'commit'>['files'],
  refusal: unknown,
  record: () => Promise<unknown>,
): Promise<void> {
  const chosen = files.filter(({ path, version }) => version !== '' && isSourcePath(path));
  const before = chosen.map(({ path }) => ({ path, ...readContentFile(content, path) }));
  const paths = new Set(chosen.map(({ path }) => path));
  formatContent({ content, isWanted: (path) => paths.has(path) });
  try {
    // If formatting changed nothing, the repository's commit hook refused for another reason.
    if (chosen.every(({ path, version }) => versionOf(content, path) === version)) throw refusal;
    await record();
  } catch (error) {
    for (const { path, bytes } of before) {
      const { version } = chosen.find((file) => file.path === path)!;
      const now = versionOf(content, path);
      if (now !== version && digestOf(bytes) === version) replaceContentFile(content, path, now, bytes);
    }
    throw error;
  }
}

const MEANINGS: readonly (readonly [said: RegExp, meaning: string])[] = [
  [/tell me who you are|empty ident|auto-detect email/i, NO_AUTHOR_MESSAGE],
  [/index\.lock/i, 'Another program is recording changes just now. Wait a moment, then try again.'],
  [
    /dubious ownership/i,
    'The folder of the catalogue belongs to another user of this computer, so nothing can be recorded. Ask the colleague who set it up.',
  ],
  [
    /gpg failed|signing failed|sign the data/i,
    'Records of this catalogue are signed, and that failed. Ask a colleague to record these changes (git commit).',
  ],
  [/already exists/i, 'This name is taken already. Choose another one.'],
  [
    /refs\/heads\/\S+' exists; cannot create/i,
    'Another name is the same before or behind a slash. Choose another one.',
  ],
  [/nothing to commit|no changes added/i, 'Nothing is left to record.'],
];

const MAX_SHOWN = 2000;

function messageForUser({ output, code }: GitFailure): string {
  if (code === 'ENOENT')
    return 'The program git, which records changes, is not on this computer. Ask the colleague who set up the catalogue.';
  const meaning = MEANINGS.find(([said]) => said.test(output))?.[1];
  if (meaning !== undefined) return meaning;
  const said = cutText(output, MAX_SHOWN).split('\n').map(escapeControls).join('\n');
  return `The checks of this catalogue refuse the record, and say:\n${said}`;
}
