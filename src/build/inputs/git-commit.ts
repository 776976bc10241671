/** Which commit a build is made from. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BuildIdentity } from '../../release/manifest.ts';

const OUTSIDE: BuildIdentity = { commit: null, time: null };

/** With these, git looks elsewhere than where the content is. */
const ELSEWHERE = ['GIT_DIR', 'GIT_COMMON_DIR'] as const;

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The commit that is checked out where the content is, and its time; nulls outside a git repository.
 *
 * @param last what the last build found out: git is not asked for the same commit again.
 */
export async function readIdentity(content: string, last?: BuildIdentity): Promise<BuildIdentity> {
  const commit = peekCommit(content);
  if (commit === null) return OUTSIDE;
  if (last && commit === last.commit) return last;
  return askGit(content);
}

/**
 * The commit as the files of git tell it: looking at a thousand files takes no longer than starting git.
 *
 * @returns null outside a repository, and undefined where it takes git to tell.
 */
export function peekCommit(content: string): string | null | undefined {
  if (ELSEWHERE.some((name) => process.env[name] !== undefined)) return undefined;
  try {
    for (let folder = realpathSync(content); ; folder = dirname(folder)) {
      const git = join(folder, '.git');
      if (existsSync(git)) return readCommit(git);
      // It may be a repository without a folder of its own.
      if (existsSync(join(folder, 'HEAD'))) return undefined;
      if (folder === dirname(folder)) return null;
    }
  } catch {
    return undefined;
  }
}

/** The commit of a branch whose file is there, and of no branch. */
function readCommit(git: string): string | undefined {
  if (!statSync(git).isDirectory()) return undefined;
  const head = readFileSync(join(git, 'HEAD'), 'utf8').trim();
  const branch = /^ref: (refs\/heads\/.+)$/.exec(head)?.[1];
  const commit = branch === undefined ? head : readFileSync(join(git, branch), 'utf8').trim();
  return HASH.test(commit) ? commit : undefined;
}

async function askGit(content: string): Promise<BuildIdentity> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  try {
    const args = ['log', '-1', '--format=%H %cI'];
    const { stdout } = await promisify(execFile)('git', args, { cwd: content, encoding: 'utf8' });
    const [commit, time] = stdout.trim().split(' ');
    return commit && time ? { commit, time } : OUTSIDE;
  } catch {
    return OUTSIDE;
  }
}
