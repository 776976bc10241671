/** Branch, author, and what Git left unfinished, such as a merge with a conflict. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conflictedVersions } from '../../editing/conflicted-text.ts';
import type { GitState, UnfinishedMerge } from '../../editor/changes.ts';
import { isSourcePath } from '../../source/content-path.ts';
import { CONFLICT_MARK } from '../../source/yaml-errors.ts';
import { readContentFile } from '../content-folder.ts';
import { readFieldValues } from '../field-values.ts';
import { RefusedRequest } from '../refused-request.ts';
import { GitFailure, git, NO_AUTHOR_MESSAGE, pathInRepository } from './git.ts';
import { unmergedFiles, wholeFileChoice } from './whole-file-choice.ts';

type Kind = UnfinishedMerge['kind'];

/** Files in `.git` during an operation. The first that exists counts: a rebase also has CHERRY_PICK_HEAD. */
const FILES: readonly (readonly [file: string, kind: Kind])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

const LEADS: Readonly<Record<Kind, string>> = {
  merge: "A merge of your colleagues' changes with yours is not finished.",
  unmerged: 'Two versions of the same details came together here.',
  rebase: 'Records are being put on top of newer ones (git calls it a rebase), which is not finished.',
  'cherry-pick':
    'A record is being copied from elsewhere (git calls it a cherry-pick), which is not finished.',
  revert: 'A record is being undone (git calls it a revert), which is not finished.',
};

/** Paths are relative to the content folder. */
export type OpenMerge = {
  readonly shown: UnfinishedMerge;
  readonly unmerged: readonly string[];
  /** Files that the merge changed. Reverting one of them to the last commit would lose the merged changes. */
  readonly paths: ReadonlySet<string>;
  /** First line of the commit message that Git proposes; empty if there is none. */
  readonly message: string;
};

/** Undefined if no operation is in progress and no file is unmerged. @throws GitFailure without a repository */
export async function openMerge(content: string): Promise<OpenMerge | undefined> {
  const folder = (await git(content, ['rev-parse', '--absolute-git-dir'])).trim();
  const stages = await unmergedFiles(content);
  const found = FILES.find(([file]) => existsSync(join(folder, file)))?.[1];
  if (!found && stages.size === 0) return undefined;
  const kind = found ?? 'unmerged';
  const prefix = await pathInRepository(content);
  const all = [...stages.keys()];
  const unmerged = all.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const changed = ['diff', '--cached', '--name-only', '--no-renames', '--relative', '-z', 'HEAD', '--', '.'];
  // Without an unfinished operation, staged changes are the user's own.
  const staged = found ? pathsIn(await git(content, changed)) : [];
  const paths = new Set([...unmerged, ...staged]);
  const open = [...paths]
    .filter(isSourcePath)
    .sort()
    .flatMap((path) => markedFile(content, path));
  const choices = await Promise.all(
    unmerged.map((path) => wholeFileChoice(content, path, stages.get(prefix + path)!)),
  );
  const whole = choices.filter((choice) => choice !== undefined);
  const others = all.filter((path) => {
    const own = path.slice(prefix.length);
    if (!path.startsWith(prefix)) return true;
    if (whole.some((choice) => choice.path === own)) return false;
    const isOfBoth = [2, 3].every((stage) => stages.get(path)!.has(stage));
    return isOfBoth ? !isSourcePath(own) : existsSync(join(content, own));
  });
  const isReady = ['merge', 'unmerged'].includes(kind) && [...open, ...whole, ...others].length === 0;
  const lead = `${LEADS[kind]}${open.length > 0 ? ' First choose in:' : ''}`;
  const added = all.filter((path) => !whole.some((choice) => prefix + choice.path === path));
  const rest = isReady ? 'Record these changes: that finishes it.' : restOf(kind, whole, added, others);
  const message = kind === 'merge' ? firstLine(join(folder, 'MERGE_MSG')) : '';
  return {
    shown: { kind, lead, open, whole, rest, isReady },
    unmerged,
    paths,
    message,
  };
}

function restOf(
  kind: Kind,
  whole: UnfinishedMerge['whole'],
  open: readonly string[],
  others: readonly string[],
): string {
  const titles = whole.map(({ title }) => title).join(', ');
  const choose = titles && `Choose which version to keep of: ${titles}.`;
  if (kind === 'merge' || kind === 'unmerged')
    return [
      choose,
      others.length > 0 &&
        `This page cannot show both versions of ${others.join(', ')}. Ask a colleague who knows git: in the terminal, "git status" says what to do.`,
    ]
      .filter(Boolean)
      .join(' ');
  const add =
    open.length > 0 ? `git add ${open.map((path) => (/\s/.test(path) ? `'${path}'` : path)).join(' ')}` : '';
  const commands = [add, `git ${kind} --continue`].filter(Boolean).join(', then ');
  return `${choose} It is finished in the terminal, and not here: ${commands}.`.trimStart();
}

function pathsIn(output: string): string[] {
  return output.split('\0').filter(Boolean);
}

function firstLine(file: string): string {
  return existsSync(file) ? (readFileSync(file, 'utf8').split('\n')[0]?.trim() ?? '') : '';
}

function markedFile(content: string, path: string): UnfinishedMerge['open'] {
  try {
    const text = readContentFile(content, path).bytes.toString('utf8');
    if (!CONFLICT_MARK.test(text)) return [];
    const { title } = readFieldValues(conflictedVersions(text)?.yours ?? '');
    return [{ path, title: (typeof title === 'string' && title) || path }];
  } catch (error) {
    if (error instanceof RefusedRequest) return [];
    throw error;
  }
}

/** Returns why a file must not be reverted to the last commit; undefined if nothing would be lost. */
export function lossByReverting(
  merge: OpenMerge | undefined,
  path: string,
  bytes: Buffer | undefined,
): string | undefined {
  const isMarked = isSourcePath(path) && bytes !== undefined && CONFLICT_MARK.test(bytes.toString('utf8'));
  if (!isMarked && !merge?.paths.has(path)) return undefined;
  const whose = merge?.shown.kind === 'unmerged' ? 'The other changes' : "Your colleagues' changes";
  return `${whose} to this property would be lost: ${isMarked ? 'choose by field' : 'change its fields'} instead.`;
}

/** Null if the content folder is not in a repository. */
export async function gitState(content: string): Promise<GitState | null> {
  try {
    const merge = await openMerge(content);
    const branch = await git(content, ['symbolic-ref', '--quiet', '--short', 'HEAD']).catch(() => '');
    const ident = await git(content, ['var', 'GIT_AUTHOR_IDENT']).catch(() => '');
    const [author = ''] = /^.*>/.exec(ident) ?? [];
    return {
      branch: branch.trim() || null,
      author: author || null,
      merge: merge?.shown ?? null,
      obstacle: merge && !merge.shown.isReady ? wordsFor(merge.shown) : author ? null : NO_AUTHOR_MESSAGE,
    };
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}

export function wordsFor({ lead, open, rest }: UnfinishedMerge): string {
  const titles = open.map(({ title }) => title).join(', ');
  return [lead, titles && `${titles}.`, rest].filter(Boolean).join(' ');
}
