/** Branch, author, and what Git left unfinished, such as a merge with a conflict. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conflictedVersions } from '../../editing/conflicted-text.ts';
import type { GitState, UnfinishedMerge } from '../../editor/changes.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import { CONFLICT_MARK } from '../../source/yaml-errors.ts';
import { readIfPresent } from '../content/content-files.ts';
import { readFieldValues, titleIn } from '../content/read-field-values.ts';
import { currentBranch } from './branches.ts';
import { GitFailure, git, gitList, gitOrEmpty, pathInRepository } from './git.ts';
import { NO_AUTHOR_MESSAGE, repositoryRefusal } from './git-refusals.ts';
import { unmergedFiles, wholeFileChoices } from './whole-file-choice.ts';

type Kind = UnfinishedMerge['kind'];

/** Files in `.git` during an operation. The first that exists counts: a rebase also has CHERRY_PICK_HEAD. */
const FILES: readonly (readonly [file: string, kind: Kind])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

/**
 * Paths are relative to the content folder, except in `unshownFromTop` and `toAddFromTop`: people use those paths in
 * the terminal, so they are relative to the top of the repository.
 */
type Operation = Pick<UnfinishedMerge, 'kind' | 'open' | 'whole'> & {
  readonly unmerged: readonly string[];
  /** Files that the operation changed. Reverting one of them to the last commit would lose the merged changes. */
  readonly paths: ReadonlySet<string>;
  /** For a merge, the first line of the commit message that Git proposes; otherwise empty. */
  readonly message: string;
  /** Unmerged files for which the page cannot show both versions. */
  readonly unshownFromTop: readonly string[];
  /** Unmerged files that a person must `git add`. */
  readonly toAddFromTop: readonly string[];
};

export type UnfinishedOperation = Pick<Operation, 'unmerged' | 'paths' | 'message'> & {
  readonly shown: UnfinishedMerge;
};

/** Undefined if no operation is in progress and no file is unmerged. @throws GitFailure without a repository */
export async function readUnfinishedOperation(content: string): Promise<UnfinishedOperation | undefined> {
  const operation = await readOperation(content);
  return operation && { ...operation, shown: describeOperation(operation) };
}

async function readOperation(content: string): Promise<Operation | undefined> {
  const folder = (await git(content, ['rev-parse', '--absolute-git-dir'])).trim();
  const stages = await unmergedFiles(content);
  const started = FILES.find(([file]) => existsSync(join(folder, file)))?.[1];
  if (!started && stages.size === 0) return undefined;
  const prefix = await pathInRepository(content);
  const all = [...stages.keys()];
  const unmerged = all.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const changed = ['diff', '--cached', '--name-only', '--no-renames', '--relative', '-z', 'HEAD', '--', '.'];
  // Without an unfinished operation, staged changes are the user's own.
  const paths = new Set([...unmerged, ...(started ? await gitList(content, changed) : [])]);
  const own = new Map(unmerged.map((path) => [path, stages.get(prefix + path)!]));
  const whole = await wholeFileChoices(content, own);
  const chosen = new Set(whole.map(({ path }) => prefix + path));
  const toAddFromTop = all.filter((path) => !chosen.has(path));
  return {
    kind: started ?? 'unmerged',
    open: [...paths]
      .filter(isPropertyFilePath)
      .sort()
      .flatMap((path) => markedFile(content, path)),
    whole,
    unmerged,
    paths,
    message: started === 'merge' ? firstLine(join(folder, 'MERGE_MSG')) : '',
    unshownFromTop: toAddFromTop.filter((path) => {
      const own = path.slice(prefix.length);
      if (!path.startsWith(prefix)) return true;
      const isOfBoth = [2, 3].every((stage) => stages.get(path)!.has(stage));
      return isOfBoth ? !isPropertyFilePath(own) : existsSync(join(content, own));
    }),
    toAddFromTop,
  };
}

function firstLine(file: string): string {
  return existsSync(file) ? (readFileSync(file, 'utf8').split('\n')[0]?.trim() ?? '') : '';
}

function markedFile(content: string, path: string): UnfinishedMerge['open'] {
  const text = String(readIfPresent(content, path)?.bytes ?? '');
  if (!CONFLICT_MARK.test(text)) return [];
  const title = titleIn(readFieldValues(conflictedVersions(text)?.yours ?? ''));
  return [{ path, title: title || path }];
}

const LEADS: Readonly<Record<Kind, string>> = {
  merge: "A merge of your colleagues' changes with yours is not finished.",
  unmerged: 'Two versions of the same details came together here.',
  rebase: 'Records are being put on top of newer ones (git calls it a rebase), which is not finished.',
  'cherry-pick':
    'A record is being copied from elsewhere (git calls it a cherry-pick), which is not finished.',
  revert: 'A record is being undone (git calls it a revert), which is not finished.',
};

function describeOperation(operation: Operation): UnfinishedMerge {
  const { kind, open, whole, unshownFromTop } = operation;
  const isReady = isFinishedHere(kind) && [...open, ...whole, ...unshownFromTop].length === 0;
  const lead = `${LEADS[kind]}${open.length > 0 ? ' First choose in:' : ''}`;
  const rest = isReady ? 'Record these changes: that finishes it.' : whatIsLeft(operation);
  return { kind, lead, open, whole, rest, isReady };
}

const isFinishedHere = (kind: Kind) => kind === 'merge' || kind === 'unmerged';

function whatIsLeft({ kind, whole, unshownFromTop, toAddFromTop }: Operation): string {
  const titles = whole.map(({ title }) => title).join(', ');
  const choose = titles && `Choose which version to keep of: ${titles}.`;
  const add = `git add ${toAddFromTop.map((path) => (/\s/.test(path) ? `'${path}'` : path)).join(' ')}`;
  const commands = [...(toAddFromTop.length > 0 ? [add] : []), `git ${kind} --continue`].join(', then ');
  const inTerminal = `It is finished in the terminal, and not here: ${commands}.`;
  const ask =
    unshownFromTop.length > 0 &&
    `This page cannot show both versions of ${unshownFromTop.join(', ')}. Ask a colleague who knows git: in the terminal, "git status" says what to do.`;
  return [choose, isFinishedHere(kind) ? ask : inTerminal].filter(Boolean).join(' ');
}

/** What is left to do, in one text: for messages, which cannot link to the properties. */
export function unfinishedMergeText({ lead, open, rest }: UnfinishedMerge): string {
  const titles = open.map(({ title }) => title).join(', ');
  return [lead, titles && `${titles}.`, rest].filter(Boolean).join(' ');
}

/** Returns why a file must not be reverted to the last commit; undefined if nothing would be lost. */
export function revertProblem(
  merge: UnfinishedOperation | undefined,
  path: string,
  bytes: Buffer | undefined,
): string | undefined {
  const isMarked =
    isPropertyFilePath(path) && bytes !== undefined && CONFLICT_MARK.test(bytes.toString('utf8'));
  if (!isMarked && !merge?.paths.has(path)) return undefined;
  const whose = merge?.shown.kind === 'unmerged' ? 'The other changes' : "Your colleagues' changes";
  return `${whose} to this property would be lost: ${isMarked ? 'choose by field' : 'change its fields'} instead.`;
}

/** @throws RefusedRequest `git-failed` without a repository, or if Git cannot read it */
export async function readGitState(
  content: string,
): Promise<{ readonly git: GitState; readonly merge: UnfinishedOperation | undefined }> {
  try {
    const merge = await readUnfinishedOperation(content);
    const [author = null] = /^.*>/.exec(await gitOrEmpty(content, 'var', 'GIT_AUTHOR_IDENT')) ?? [];
    const isBlocked = merge && !merge.shown.isReady;
    const obstacle = isBlocked
      ? unfinishedMergeText(merge.shown)
      : author === null
        ? NO_AUTHOR_MESSAGE
        : null;
    const branch = await currentBranch(content);
    return { git: { branch, author, merge: merge?.shown ?? null, obstacle }, merge };
  } catch (error) {
    throw error instanceof GitFailure ? repositoryRefusal(error) : error;
  }
}
