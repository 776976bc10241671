import type { ChangedFile } from '../../editor/changes.ts';
import { isHidden } from '../../source/content-path.ts';
import { GitFailure, git, gitList, nulSeparated, pathInRepository } from './git.ts';
import { repositoryRefusal } from './git-refusals.ts';

/**
 * Keys are paths relative to the content folder, without hidden files.
 * @throws RefusedRequest `git-failed` without a repository, or if Git cannot read it
 */
export async function changedFiles(content: string): Promise<ReadonlyMap<string, ChangedFile['kind']>> {
  let output: string;
  let prefix: string;
  try {
    prefix = await pathInRepository(content);
    const args = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all'];
    output = await git(content, [...args, '--', '.']);
  } catch (error) {
    throw error instanceof GitFailure ? repositoryRefusal(error) : error;
  }
  const states = [...statesIn(output).values()].filter(({ path }) => path.startsWith(prefix));
  const changed = new Map<string, ChangedFile['kind']>();
  for (const { path, wasThere, isThere } of states) {
    const own = path.slice(prefix.length);
    if (isHidden(own) || !(wasThere || isThere)) continue;
    changed.set(own, wasThere ? (isThere ? 'changed' : 'removed') : 'added');
  }
  // Git lists a file that was changed, staged and changed back, although it does not differ from the last commit.
  const doubtful = states
    .filter(({ isStagedToo }) => isStagedToo)
    .map(({ path }) => path.slice(prefix.length));
  if (doubtful.length === 0) return changed;
  const args = ['diff', '--name-only', '--no-renames', '--relative', '-z', 'HEAD', '--', '.'];
  const different = new Set(await gitList(content, args));
  for (const path of doubtful) if (!different.has(path)) changed.delete(path);
  return changed;
}

type FileState = {
  readonly path: string;
  readonly wasThere: boolean;
  readonly isThere: boolean;
  /** Whether the staged version differs from the last commit and from the file on disk. */
  readonly isStagedToo: boolean;
};

const STATES: readonly RegExp[] = [
  /^1 \S+ \S+ (?<before>\d+) \d+ (?<now>\d+) \S+ \S+ (?<path>.*)$/s,
  // An unmerged file. Its stage 2 is the version of the last commit.
  /^u \S+ \S+ \d+ (?<before>\d+) \d+ (?<now>\d+) \S+ \S+ \S+ (?<path>.*)$/s,
  /^\? (?<path>.*)$/s,
];

/** Combines the two lines that Git prints for a file that was removed from the index but is still on disk. */
function statesIn(output: string): ReadonlyMap<string, FileState> {
  const states = new Map<string, FileState>();
  for (const line of nulSeparated(output)) {
    const { path, before, now } = STATES.map((state) => state.exec(line)?.groups).find(Boolean) ?? {};
    if (path === undefined) continue;
    const known = states.get(path);
    states.set(path, {
      path,
      wasThere: Number(before ?? 0) !== 0 || known?.wasThere === true,
      isThere: now === undefined || Number(now) !== 0 || known?.isThere === true,
      isStagedToo: /^1 [MT][MT]/.test(line),
    });
  }
  return states;
}
