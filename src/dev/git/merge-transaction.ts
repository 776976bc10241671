/**
 * Writes all files of a merge, or none. A journal in `.git` keeps the old version of every file: if this process is
 * killed, the next one undoes the merge, or finishes it if the branch has moved already.
 */
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { writeAtomically } from '../../files/atomic-write.ts';
import { readBoundedText } from '../../files/files-and-folders.ts';
import { HARD_LINK_ERROR_CODES, renameFile } from '../../files/rename-and-link.ts';
import {
  isOnThisMachine,
  isRunning,
  type ProcessIdentity,
  parseProcessIdentity,
  thisProcess,
} from '../../process/process-identity.ts';
import { digestOf } from '../../release/digest.ts';
import { RefusedRequest } from '../api/refused-request.ts';
import { GitFailure, git, gitSucceeds } from './git.ts';
import { gitIndexPath, snapshotIndex } from './git-index.ts';
import { gitRefusal } from './git-refusals.ts';

export type MergeFileChange = {
  /** From the top of the repository. */
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  /** As in Git: `100644`, `100755`, or {@link SYMBOLIC_LINK}. */
  readonly mode: string;
};

type MergeTransaction = {
  readonly top: string;
  readonly branch: string;
  readonly from: string;
  readonly files: readonly MergeFileChange[];
  readonly indexInfo: string;
};

const SYMBOLIC_LINK = '120000';

/** True for a relative path that leads neither out of the repository nor into `.git`. */
const isGitPath = (path: string) =>
  !isAbsolute(path) &&
  path.split(/[\\/]/).every((part) => !/^(?:\.{0,2}|\.git)$/i.test(part) && !part.includes('\0'));

const digest = z.string().nullable();
const path = z.string().refine(isGitPath);
const journalFile = z.strictObject({ path, before: digest, after: digest, mode: z.string() });
/**
 * Validated, since the repository may be a stranger's. The file `0` in the journal's folder has the old bytes of
 * `files[0]`.
 */
const journalSchema = z.strictObject({
  branch: z.string().startsWith('refs/heads/'),
  from: z.string(),
  /** The commit to which the branch moves; undefined until that commit exists. */
  to: z.hex().optional(),
  files: z.array(journalFile),
});

type Journal = z.output<typeof journalSchema>;

/** In bytes. A journal names every changed property and photo. */
const MAX_JOURNAL = 100_000_000;

function readJournal(file: string): Journal | undefined {
  try {
    return journalSchema.parse(JSON.parse(readBoundedText(file, MAX_JOURNAL)));
  } catch {
    // A damaged journal is ignored, since its merge cannot be undone.
    return undefined;
  }
}

/**
 * @param commit function that gets the path of the new index and returns the id of the commit; throws to cancel the
 * merge
 * @throws RefusedRequest `changed-meanwhile`, `git-failed`, GitFailure, or the error of `commit`, after everything is
 * undone
 */
export async function runMergeTransaction(
  transaction: MergeTransaction,
  commit: (index: string) => Promise<string>,
): Promise<void> {
  const { top, branch, from, files } = transaction;
  const [folder, index] = [await mergeJournalFolder(top), await gitIndexPath(top)];
  try {
    const journal = await stageMerge(transaction, folder, index);
    lockIndex(join(folder, 'index'), `${index}.lock`);
    for (const [place, file] of files.entries()) placeFile(top, file, join(folder, `${place}.next`));
    const to = await commit(`${index}.lock`);
    writeAtomically(journalIn(folder), JSON.stringify({ ...journal, to }), { isDurable: true });
    await git(top, ['update-ref', '-m', 'merge: changes of colleagues', branch, to, from]);
  } finally {
    await finishOrUndoMerge(top);
  }
}

/**
 * Writes the journal last: a folder without a journal is incomplete.
 * @throws RefusedRequest `git-failed` while another process merges
 */
async function stageMerge(transaction: MergeTransaction, folder: string, index: string): Promise<Journal> {
  const { top, branch, from, files, indexInfo } = transaction;
  checkOwner(folder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeAtomically(ownerIn(folder), JSON.stringify(thisProcess()), { isNew: true });
  const next = join(folder, 'index');
  snapshotIndex(index)(next);
  const environment = { GIT_INDEX_FILE: next };
  await git(top, ['update-index', '-z', '--index-info'], { environment, input: indexInfo });
  for (const [place, { before, after, mode }] of files.entries()) {
    if (before) writeAtomically(join(folder, String(place)), before, { isDurable: true });
    if (after && mode !== SYMBOLIC_LINK)
      writeAtomically(join(folder, `${place}.next`), after, { mode: modeOf(mode), isDurable: true });
  }
  const journal: Journal = {
    branch,
    from,
    files: files.map(({ path, before, after, mode }) => ({
      path,
      before: before ? digestOf(before) : null,
      after: after ? digestOf(after) : null,
      mode,
    })),
  };
  writeAtomically(journalIn(folder), JSON.stringify(journal), { isDurable: true });
  return journal;
}

/**
 * Finishes a merge if the branch has moved; else undoes it. Without a journal, there is nothing to do.
 * @throws RefusedRequest `git-failed` while another process merges
 */
export async function finishOrUndoMerge(top: string): Promise<void> {
  const folder = await mergeJournalFolder(top);
  checkOwner(folder);
  const journal = readJournal(journalIn(folder));
  if (!journal) return rmSync(ownerIn(folder), { force: true });
  const { branch, to } = journal;
  const index = await gitIndexPath(top);
  const isMoved = to !== undefined && (await gitSucceeds(top, 'merge-base', '--is-ancestor', to, branch));
  const lockFile = `${index}.lock`;
  const isOurs = existsSync(lockFile) && isSameFile(lockFile, join(folder, 'index'));
  if (!isMoved) restoreFiles(top, folder, journal);
  if (isOurs && isMoved) renameFile(lockFile, index);
  else if (isOurs) rmSync(lockFile);
  rmSync(journalIn(folder));
  rmSync(folder, { recursive: true, force: true });
}

/** Skips a file that another program has changed after the merge wrote it. */
function restoreFiles(top: string, folder: string, { files }: Journal): void {
  for (const [place, { path, before, after, mode }] of [...files.entries()].reverse()) {
    if (isBehindLink(top, path) || digestAt(top, path) !== after || before === after) continue;
    if (before === null) removeWithFolders(top, path);
    else writeWorkingFile(top, path, mode, readFileSync(join(folder, String(place))));
  }
}

export async function mergeJournalFolder(content: string): Promise<string> {
  return join((await git(content, ['rev-parse', '--absolute-git-dir'])).trim(), 'property-catalogue');
}

/**
 * The owner, which is the process that merges, has a file of its own: older versions of this program would ignore a
 * journal with an additional field as damaged.
 */
function ownerIn(folder: string): string {
  return join(folder, 'owner.json');
}

/** In bytes. */
const MAX_OWNER = 10_000;

function checkOwner(folder: string): void {
  let owner: ProcessIdentity | undefined;
  try {
    owner = parseProcessIdentity(JSON.parse(readBoundedText(ownerIn(folder), MAX_OWNER)));
  } catch {
    return;
  }
  if (owner && owner.pid !== process.pid && isOnThisMachine(owner) && isRunning(owner))
    throw gitRefusal(
      'Another "catalogue dev" is getting changes just now. Wait a moment, then try again. Nothing was changed.',
    );
}

function journalIn(folder: string): string {
  return join(folder, 'journal.json');
}

function lockIndex(next: string, lockFile: string): void {
  try {
    linkSync(next, lockFile);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new GitFailure('index.lock exists: another program records changes.', code);
    if (!HARD_LINK_ERROR_CODES.has(code)) throw error;
    writeAtomically(lockFile, readFileSync(next), { isNew: true });
  }
}

/** @param next a file with the new bytes, which is moved into place if possible */
function placeFile(top: string, { path, before, after, mode }: MergeFileChange, next: string): void {
  if (isBehindLink(top, path))
    throw gitRefusal(`A folder of ${path} is a link here, which may lead elsewhere. Nothing was done.`);
  if (digestAt(top, path) !== (before ? digestOf(before) : null))
    throw new RefusedRequest('changed-meanwhile', `${path} changed just now. Nothing was done: try again.`);
  if (after) writeWorkingFile(top, path, mode, after, next);
  else removeWithFolders(top, path);
}

function writeWorkingFile(top: string, path: string, mode: string, bytes: Buffer, next?: string): void {
  const file = join(top, path);
  mkdirSync(dirname(file), { recursive: true });
  if (mode === SYMBOLIC_LINK) {
    rmSync(file, { force: true });
    symlinkSync(bytes.toString('utf8'), file);
    return;
  }
  try {
    if (next !== undefined) {
      renameSync(next, file);
      return;
    }
  } catch {
    // The file cannot be moved if `.git` is on another file system.
  }
  writeAtomically(file, bytes, { mode: modeOf(mode), isDurable: true });
}

/** Git never follows a link among the folders of a path, so a write through such a link would change another file. */
function isBehindLink(top: string, path: string): boolean {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (lstatSync(join(top, folder), { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  return false;
}

function removeWithFolders(top: string, path: string): void {
  rmSync(join(top, path), { force: true });
  try {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) rmdirSync(join(top, folder));
  } catch {}
}

export function readWorkingFile(top: string, path: string): Buffer | undefined {
  const file = join(top, path);
  try {
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return Buffer.from(readlinkSync(file));
    return stats.isFile() ? readFileSync(file) : undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function digestAt(top: string, path: string): string | null {
  const bytes = readWorkingFile(top, path);
  return bytes ? digestOf(bytes) : null;
}

function modeOf(mode: string): number {
  return (mode === '100755' ? 0o777 : 0o666) & ~process.umask();
}

function isSameFile(one: string, other: string): boolean {
  if (!existsSync(other)) return false;
  const [a, b] = [lstatSync(one), lstatSync(other)];
  return a.ino === b.ino || readFileSync(one).equals(readFileSync(other));
}
