import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { photoPathsIn } from '../../editing/photo-path.ts';
import type { ReceivedConflict, ReceiveResponse } from '../../editor/git-remote.ts';
import type { RequestBody } from '../../editor/requests.ts';
import { digestOf } from '../../release/digest.ts';
import { isSourcePath } from '../../source/content-path.ts';
import { escapeControls } from '../../text/printable.ts';
import { cutText } from '../../text/words.ts';
import type { EditContext } from '../edit-context.ts';
import { RefusedRequest } from '../refused-request.ts';
import {
  changedFiles,
  GitFailure,
  git,
  gitBytes,
  gitSucceeds,
  NO_REPOSITORY_MESSAGE,
  pathInRepository,
  repositoryTop,
} from './git.ts';
import { gitState, wordsFor as wordsForMerge } from './git-state.ts';
import { type ConflictChoices, isSameContent, mergeFile } from './merge-file.ts';
import {
  gitIndexPath,
  type MergeFileChange,
  readWorkingFile,
  runMergeTransaction,
  settleMerge,
} from './merge-transaction.ts';
import { mergeJournalFolder, pushTargetOf } from './remote.ts';

/** Undoes a merge that a killed process left unfinished, or finishes it if the branch has moved already. */
export async function recoverMerge(content: string): Promise<void> {
  try {
    await settleMerge(await repositoryTop(content), await mergeJournalFolder(content));
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
  }
}

/** @throws RefusedRequest `git-failed`, `changed-meanwhile`, after everything is undone */
export async function mergeUpstream(
  context: EditContext,
  request: RequestBody<'receive'>,
): Promise<ReceiveResponse> {
  const { session } = context;
  try {
    const answer = await merge(session.content, request);
    session.notify('');
    return answer;
  } catch (error) {
    if (error instanceof GitFailure) throw new RefusedRequest('git-failed', wordsFor(error));
    throw error;
  }
}

function wordsFor({ output }: GitFailure): string {
  if (/index\.lock/.test(output))
    return 'Another program is recording changes just now, or ended while it did. Wait a moment, then try again. Nothing was changed.';
  if (/unknown option|usage: git merge-tree|--write-tree/i.test(output))
    return 'The program git on this computer is too old for this: it has to be 2.38 or newer. Nothing was changed.';
  if (/gpg failed|signing failed|sign the data/i.test(output))
    return 'Records of this catalogue are signed, and that failed. Nothing was changed. Ask a colleague to get the changes with git.';
  if (/cannot lock ref/i.test(output))
    return 'Something was recorded just now. Nothing was changed: try again.';
  return `The changes cannot be got, and nothing was changed. Git says: ${escapeControls(cutText(output.replaceAll('\n', ' '), 1000))}`;
}

type Merge = {
  readonly content: string;
  readonly top: string;
  readonly prefix: string;
  readonly yours: string;
  readonly theirs: string;
  readonly choices: ConflictChoices;
};

async function merge(content: string, request: RequestBody<'receive'>): Promise<ReceiveResponse> {
  await recoverMerge(content);
  const state = await gitState(content);
  if (!state) throw new RefusedRequest('git-failed', NO_REPOSITORY_MESSAGE);
  if (state.merge) throw new RefusedRequest('git-failed', wordsForMerge(state.merge));
  if (state.obstacle) throw new RefusedRequest('git-failed', state.obstacle);
  const { branch, upstream, remote, remoteBranch } = await pushTargetOf(content);
  if (branch === null || upstream === undefined)
    throw new RefusedRequest('git-failed', 'Colleagues have nothing newer here.');
  const [yours = '', theirs = ''] = (await git(content, ['rev-parse', 'HEAD', upstream])).split('\n');
  if (await gitSucceeds(content, 'merge-base', '--is-ancestor', theirs, yours))
    return { mark: '', conflicts: [] };
  const top = await repositoryTop(content);
  const prefix = await pathInRepository(content);
  const mark = await markOf(top, yours, theirs);
  // Ignores choices that the user made for other versions.
  const choices = request.mark === mark ? request.choices : {};
  const given: Merge = { content, top, prefix, yours, theirs, choices };
  const isFast = await gitSucceeds(content, 'merge-base', '--is-ancestor', yours, theirs);
  const tree = isFast ? { id: `${theirs}^{tree}` } : await mergedTree(given);
  if ('conflicts' in tree) return { mark, conflicts: tree.conflicts };
  const changed = await changedBetween(top, yours, tree.id);
  const { files, conflicts } = await filesToEnter(given, changed, tree.id);
  if (conflicts.length > 0) return { mark, conflicts };
  const entry = {
    top,
    folder: await mergeJournalFolder(content),
    index: await gitIndexPath(content),
    branch: `refs/heads/${branch}`,
    from: yours,
    files,
    indexInfo: changed.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join(''),
  };
  const subject = `Merge the changes of ${remote}/${remoteBranch}`;
  await runMergeTransaction(entry, async (index) =>
    isFast ? theirs : mergeCommit(given, tree.id, subject, index),
  );
  await hook(top, 'post-merge', ['0']).catch(() => {});
  return { mark: '', conflicts: [] };
}

async function markOf(top: string, yours: string, theirs: string): Promise<string> {
  const paths = (await changedBetween(top, yours, theirs)).map(({ path }) => path).sort();
  const digests = paths.map((path) => digestOf(readWorkingFile(top, path) ?? ''));
  return digestOf(JSON.stringify([yours, theirs, digests]));
}

async function mergedTree(
  given: Merge,
): Promise<{ readonly id: string } | { readonly conflicts: readonly ReceivedConflict[] }> {
  const { top, prefix, yours, theirs, choices } = given;
  const output = await mergeTree(top, yours, theirs);
  const [tree = '', ...lines] = output.split('\0');
  const stages = new Map<string, Map<string, { mode: string; id: string }>>();
  for (const line of lines) {
    const [, mode = '', id = '', stage = '', path = ''] =
      /^(\d+) ([0-9a-f]+) ([123])\t(.*)$/s.exec(line) ?? [];
    // After an empty entry, Git prints messages for people.
    if (path === '') break;
    stages.set(path, (stages.get(path) ?? new Map()).set(stage, { mode, id }));
  }
  const conflicts: ReceivedConflict[] = [];
  const info: string[] = [];
  for (const [path, own] of stages) {
    const blob = async (stage: string) => {
      const { id } = own.get(stage) ?? {};
      return id === undefined ? undefined : gitBytes(top, ['cat-file', 'blob', id]);
    };
    const versions = { base: await blob('1'), yours: await blob('2'), theirs: await blob('3') };
    const merged = await mergeFile('recorded', withoutPrefix(path, prefix), versions, choices);
    if ('conflicts' in merged) conflicts.push(...merged.conflicts);
    else if (!merged.bytes) info.push(`0 ${'0'.repeat(tree.length)}\t${path}\0`);
    else {
      const id = await git(top, ['hash-object', '-w', '--stdin'], { input: merged.bytes });
      info.push(`${(own.get('2') ?? own.get('3'))?.mode} ${id.trim()}\t${path}\0`);
    }
  }
  if (conflicts.length > 0) return { conflicts };
  const settled = await treeWith(top, tree, info);
  return { id: await treeWith(top, settled, await removedPhotosStillShown(given, settled)) };
}

/** @param info lines for `git update-index --index-info` */
async function treeWith(top: string, tree: string, info: readonly string[]): Promise<string> {
  if (info.length === 0) return tree;
  const folder = await mergeJournalFolder(top);
  const environment = { GIT_INDEX_FILE: `${folder}-${process.pid}.index` };
  try {
    await git(top, ['read-tree', tree], { environment });
    await git(top, ['update-index', '-z', '--index-info'], { environment, input: info.join('') });
    return (await git(top, ['write-tree'], { environment })).trim();
  } finally {
    rmSync(environment.GIT_INDEX_FILE, { force: true });
  }
}

/** Returns lines for `treeWith` that restore removed photos which a property of the other side shows. */
async function removedPhotosStillShown(
  { top, prefix, yours, theirs }: Merge,
  tree: string,
): Promise<string[]> {
  const changed = [...(await changedBetween(top, theirs, tree)), ...(await changedBetween(top, yours, tree))];
  const removed = new Map(changed.flatMap((entry) => (entry.mode === '0' ? [[entry.path, entry]] : [])));
  if (removed.size === 0) return [];
  const named = new Set<string>();
  for (const { path, mode, id } of changed) {
    if (mode === '0' || mode === '160000' || !isSourcePath(withoutPrefix(path, prefix))) continue;
    const bytes = await gitBytes(top, ['cat-file', 'blob', id]);
    for (const photo of photosNamedIn(path, bytes, prefix)) named.add(photo);
  }
  return [...named].flatMap((path) => {
    const entry = removed.get(path);
    return entry ? `${entry.modeBefore} ${entry.from}\t${path}\0` : [];
  });
}

/** Returns paths from the top of the repository. */
function photosNamedIn(path: string, bytes: Buffer, prefix: string): string[] {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return (photoPathsIn(withoutPrefix(path, prefix), text) ?? []).map((photo) => prefix + photo);
}

/** If there are conflicts, Git exits with 1 but still prints the merged tree. */
function mergeTree(top: string, yours: string, theirs: string): Promise<string> {
  return git(top, ['merge-tree', '--write-tree', '-z', '--no-messages', yours, theirs]).catch(
    (error: unknown) => {
      if (error instanceof GitFailure && error.code === 1 && /^[0-9a-f]{40,64}\0/.test(error.result))
        return error.result;
      throw error;
    },
  );
}

type ChangedEntry = {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
  readonly from: string;
  readonly modeBefore: string;
};

/** For a removed file, `id` is all zeros and `mode` is `0`. */
async function changedBetween(top: string, yours: string, tree: string): Promise<ChangedEntry[]> {
  const fields = (await git(top, ['diff-tree', '-r', '-z', '--no-renames', yours, tree])).split('\0');
  const changed: ChangedEntry[] = [];
  for (let place = 0; place + 1 < fields.length; place += 2) {
    const [before = '', mode = '', from = '', id = ''] = fields[place]!.split(' ');
    const path = fields[place + 1]!;
    changed.push({ path, mode: mode === '000000' ? '0' : mode, id, from, modeBefore: before.slice(1) });
  }
  // Removals come first: a folder may replace a removed file, or a file may replace a removed folder.
  return changed.sort((one, other) => Number(one.mode !== '0') - Number(other.mode !== '0'));
}

async function filesToEnter(given: Merge, changed: readonly ChangedEntry[], tree: string) {
  const { top, prefix, yours, choices } = given;
  const entered: MergeFileChange[] = [];
  const conflicts: ReceivedConflict[] = [];
  const properties = new Map<string, Buffer | undefined>();
  for (const { path, mode, id, from } of changed) {
    // Submodules stay as they are.
    if (mode === '160000') continue;
    const filtered = (object: string) => gitBytes(top, ['cat-file', '--filters', `--path=${path}`, object]);
    const theirs = mode === '0' ? undefined : await filtered(id);
    const before = readWorkingFile(top, path);
    const recorded = await filtered(`${yours}:${path}`).catch(() => undefined);
    // If Git sees no change although bytes differ (such as line endings), the bytes on disk are the base.
    const isRecorded = before && !isSameContent(before, recorded) && (await idOf(top, path, before)) === from;
    const base = isRecorded ? before : recorded;
    const versions = { base, yours: before, theirs };
    const merged = await mergeFile('saved', withoutPrefix(path, prefix), versions, choices);
    if ('conflicts' in merged) {
      conflicts.push(...merged.conflicts);
      continue;
    }
    if (isSourcePath(withoutPrefix(path, prefix))) properties.set(path, merged.bytes);
    if (!isSameContent(before, merged.bytes)) {
      const own = mode === '0' ? '100644' : mode;
      entered.push({ path, before, after: merged.bytes, mode: own });
    }
  }
  if (conflicts.length > 0) return { files: entered, conflicts };
  return { files: await withNamedPhotos(given, entered, properties, tree), conflicts };
}

/**
 * Adds photos that a merged or an uncommitted property shows but that are missing.
 * @param properties bytes of merged properties by path; undefined for a removed one
 */
async function withNamedPhotos(
  { content, top, prefix, yours }: Merge,
  entered: readonly MergeFileChange[],
  properties: ReadonlyMap<string, Buffer | undefined>,
  tree: string,
): Promise<MergeFileChange[]> {
  const saved = [...((await changedFiles(content)) ?? new Map()).keys()]
    .filter((path) => isSourcePath(path) && !properties.has(prefix + path))
    .map((path) => [prefix + path, readWorkingFile(top, prefix + path)] as const);
  const files = new Map(entered.map((file) => [file.path, file]));
  for (const [path, bytes] of [...properties, ...saved]) {
    for (const photo of bytes ? photosNamedIn(path, bytes, prefix) : []) {
      const file = files.get(photo);
      if (file?.after) continue;
      const before = readWorkingFile(top, photo);
      files.delete(photo);
      if (before) continue;
      for (const side of [tree, yours]) {
        const own = ['cat-file', '--filters', `${side}:${photo}`];
        const after = await gitBytes(top, own).catch(() => undefined);
        if (!after) continue;
        files.set(photo, { path: photo, before, after, mode: '100644' });
        break;
      }
    }
  }
  return [...files.values()];
}

async function idOf(top: string, path: string, bytes: Buffer): Promise<string> {
  return (await git(top, ['hash-object', '--stdin', `--path=${path}`], { input: bytes })).trim();
}

function withoutPrefix(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : `../${path}`;
}

/** Runs the hooks of `git merge`, and signs the commit if `git merge` would. */
async function mergeCommit(given: Merge, tree: string, subject: string, index: string): Promise<string> {
  const { top, yours, theirs } = given;
  const environment = { GIT_INDEX_FILE: index };
  await hook(top, 'pre-merge-commit', [], environment);
  const file = join(await mergeJournalFolder(top), 'message');
  writeFileSync(file, `${subject}\n`);
  await hook(top, 'prepare-commit-msg', [file, 'merge'], environment);
  await hook(top, 'commit-msg', [file], environment);
  const isSigned =
    (await git(top, ['config', '--type=bool', 'commit.gpgSign']).catch(() => '')).trim() === 'true';
  const message = existsSync(file) ? readFileSync(file, 'utf8') : `${subject}\n`;
  const args = ['commit-tree', ...(isSigned ? ['-S'] : []), '-p', yours, '-p', theirs, '-F', '-', tree];
  return (await git(top, args, { input: message })).trim();
}

async function hook(
  top: string,
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    await git(top, ['hook', 'run', '--ignore-missing', name, '--', ...args], { environment });
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const said = escapeControls(cutText(error.output.replaceAll('\n', ' '), 1000));
    throw new RefusedRequest(
      'git-failed',
      `The checks of this catalogue refuse the merge. Nothing was changed. They say: ${said}`,
    );
  }
}
