/** Commits only the given files, in the versions that the page showed. A merge is always committed as a whole. */
import { rmSync } from 'node:fs';
import { formatContent } from '../../editing/format-content.ts';
import type { RequestBody } from '../../editor/request-schemas.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import type { RequestHandler } from '../api/edit-context.ts';
import { RefusedRequest } from '../api/refused-request.ts';
import {
  MAX_PHOTO_BYTES,
  readContentFile,
  readIfPresent,
  replaceContentFile,
} from '../content/content-files.ts';
import { branchNameProblem } from './branch-name.ts';
import { currentBranch } from './branches.ts';
import { changedFiles } from './changed-files.ts';
import { GitFailure, git, gitList, gitOnPaths, gitOrEmpty, pathInRepository, repositoryTop } from './git.ts';
import { gitIndexPath, snapshotIndex } from './git-index.ts';
import { gitRefusal, isRefusedByHook, toGitRefusal } from './git-refusals.ts';
import { restoreLostPhotos } from './lost-photos.ts';
import { changedPhotosByProperty, chosenPhotosProblem } from './photos-by-property.ts';
import { readGitState, type UnfinishedOperation } from './unfinished-merge.ts';

type ChosenFile = RequestBody<'commit'>['files'][number];
type Commit = RequestBody<'commit'> & { readonly merge: UnfinishedOperation | undefined };

/** @throws RefusedRequest `git-failed`, `changed-meanwhile`, `not-found`, `too-large`, `not-written` */
export const commitFiles: RequestHandler<'commit'> = async ({ session }, request) => {
  const { content } = session;
  try {
    const merge = await checkCommittable(content, request);
    if (merge) await checkPhotos(content, merge);
    await onBranch(content, request.branch, () => commit(content, { ...request, merge }));
    const name = (await git(content, ['rev-parse', '--short', 'HEAD'])).trim();
    return { commit: name, branch: await currentBranch(content) };
  } catch (error) {
    throw toGitRefusal(error, 'commit');
  }
};

async function checkCommittable(
  content: string,
  { files, message, branch }: RequestBody<'commit'>,
): Promise<UnfinishedOperation | undefined> {
  const { git, merge } = await readGitState(content);
  const changed = await changedFiles(content);
  if (git.obstacle) throw gitRefusal(git.obstacle);
  if (message.trim() === '') throw gitRefusal('Write a message: what was changed, and why.');
  if (merge && branch !== undefined) throw gitRefusal('Finish the merge first: record without a name.');
  if (files.length === 0 && merge?.shown.kind !== 'merge') throw gitRefusal('Choose what to record.');
  for (const { path, version } of files) {
    const kind = changed.get(path);
    const now = kind === undefined || kind === 'removed' ? '' : versionOf(content, path);
    if (kind === undefined || now !== version) throw changedMeanwhile(path);
  }
  const chosen = new Set(files.map(({ path }) => path));
  const missing = chosenPhotosProblem(chosen, changed, await changedPhotosByProperty(content, changed));
  if (missing !== undefined) throw gitRefusal(missing);
  return merge;
}

/** If a merged property shows photos that one side removed, restores them and refuses to commit for now. */
async function checkPhotos(content: string, { paths }: UnfinishedOperation): Promise<void> {
  const differs = ['diff', '--name-only', '--no-renames', '--relative', '-z', 'MERGE_HEAD', '--', '.'];
  // Fails without MERGE_HEAD, as after `git stash pop`.
  const fromOthers = await gitList(content, differs).catch(() => []);
  for (const path of new Set([...paths, ...fromOthers])) {
    const back = await restoreLostPhotos(content, path);
    if (back.length > 0)
      throw new RefusedRequest(
        'changed-meanwhile',
        `${path} shows ${back.join(', ')}, which one side had removed. It is back now: look at the list, and record again.`,
      );
  }
}

function versionOf(content: string, path: string): string {
  return readContentFile(content, path, MAX_PHOTO_BYTES).version;
}

function changedMeanwhile(path: string): RefusedRequest {
  return new RefusedRequest(
    'changed-meanwhile',
    `${path} changed meanwhile. The list shows it as it is now: look at it, and record again.`,
  );
}

async function onBranch(content: string, branch: string | undefined, act: () => Promise<void>) {
  if (branch === undefined) return act();
  const fault = branchNameProblem(branch);
  if (fault !== undefined) throw gitRefusal(fault);
  const before = await gitOrEmpty(content, 'symbolic-ref', '--quiet', 'HEAD');
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

/** If a hook refuses, formats the files and tries again. If that fails too, the files are as before. */
async function commit(content: string, request: Commit): Promise<void> {
  try {
    await commitOnce(content, request);
  } catch (error) {
    if (!(error instanceof GitFailure && isRefusedByHook(error))) throw error;
    const { files, undo } = formatChosen(content, request.files);
    if (!undo) throw error;
    try {
      await commitOnce(content, { ...request, files });
    } catch (second) {
      undo();
      throw second;
    }
  }
}

async function commitOnce(content: string, { files, message, merge }: Commit): Promise<void> {
  const index = await gitIndexPath(content);
  const restoreIndex = snapshotIndex(index);
  await stage(content, files, merge?.unmerged);
  const ofChosen = `${index}-${process.pid}`;
  try {
    // What is staged must be what the page showed. Later saves do not matter: Git commits what is staged.
    for (const { path, version } of files)
      if ((readIfPresent(content, path)?.version ?? '') !== version) throw changedMeanwhile(path);
    const others = merge?.shown.kind === 'merge' ? [] : await stagedBeside(content, files);
    const environment: Record<string, string> = {};
    if (others.length > 0) {
      snapshotIndex(index)(ofChosen);
      environment.GIT_INDEX_FILE = ofChosen;
      await gitOnPaths(await repositoryTop(content), ['reset', '--quiet'], others, environment);
    }
    await git(content, ['commit', '--quiet', `--message=${message}`], { environment });
  } catch (error) {
    restoreIndex();
    throw error;
  } finally {
    rmSync(ofChosen, { force: true });
  }
}

async function stage(content: string, files: readonly ChosenFile[], unmerged: readonly string[] = []) {
  const tracked = new Set(await gitList(content, ['ls-files', '-z']));
  // `git add` refuses a removed file that the index does not have either.
  const chosen = files.filter(({ path, version }) => version !== '' || tracked.has(path));
  const paths = [...unmerged, ...chosen.map(({ path }) => path)];
  if (paths.length > 0) await gitOnPaths(content, ['add', '--all'], paths);
}

async function stagedBeside(content: string, files: readonly ChosenFile[]): Promise<string[]> {
  const prefix = await pathInRepository(content);
  const chosen = new Set(files.map(({ path }) => prefix + path));
  const diff = ['diff', '--cached', '--name-only', '--no-renames', '--no-relative', '-z'];
  const staged = await gitList(content, diff);
  return staged.filter((path) => !chosen.has(path));
}

/** `undo` is undefined if a file has changed since it was shown, or if all were formatted already. */
function formatChosen(
  content: string,
  files: readonly ChosenFile[],
): { readonly files: readonly ChosenFile[]; readonly undo?: () => void } {
  const sources = files.filter(({ path, version }) => version !== '' && isPropertyFilePath(path));
  const before = new Map(sources.map(({ path }) => [path, readContentFile(content, path, MAX_PHOTO_BYTES)]));
  if (sources.some(({ path, version }) => before.get(path)!.version !== version)) return { files };
  formatContent({ content, isWanted: (path) => before.has(path) });
  const formatted = files.map((file) =>
    before.has(file.path) ? { ...file, version: versionOf(content, file.path) } : file,
  );
  const changed = formatted.filter(({ version }, place) => version !== files[place]!.version);
  if (changed.length === 0) return { files };
  const undo = () => {
    for (const { path, version } of changed) {
      try {
        replaceContentFile(content, path, version, before.get(path)!.bytes);
      } catch {
        // Ignores a file that has changed since: the error to report is the one that says why the commit was refused.
      }
    }
  };
  return { files: formatted, undo };
}
