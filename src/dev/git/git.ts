import { spawn } from 'node:child_process';
import type { ChangedFile } from '../../editor/changes.ts';
import { isHidden } from '../../source/content-path.ts';

const TIMEOUT = 120_000;
/** Milliseconds for Git and its child processes to exit after SIGTERM. */
const GRACE = 3000;

export class GitFailure extends Error {
  constructor(
    readonly output: string,
    /** Exit code, `ENOENT` if Git is not installed, or `ETIMEDOUT` after a timeout. */
    readonly code: string | number | null | undefined,
    /** What Git wrote to standard output. */
    readonly result = '',
  ) {
    super(output);
  }
}

export type GitOptions = {
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  /** Timeout in milliseconds. @default two minutes */
  readonly timeout?: number;
};

/** @throws GitFailure */
export async function git(
  folder: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await gitBytes(folder, args, options)).toString('utf8');
}

export function gitBytes(
  folder: string,
  args: readonly string[],
  { input = '', environment = {}, timeout = TIMEOUT }: GitOptions = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // `detached` keeps Git from waiting for the terminal, and makes a process group, so that its children can be
    // killed.
    const isGroup = process.platform !== 'win32';
    const child = spawn('git', ['--literal-pathspecs', '-C', folder, ...args], {
      detached: isGroup,
      windowsHide: true,
      env: { ...process.env, ...GIT_ENVIRONMENT, ...environment },
    });
    const [output, errors]: Buffer[][] = [[], []];
    let isLate = false;
    const end = (signal: NodeJS.Signals) => {
      isLate = true;
      try {
        if (isGroup) process.kill(-child.pid!, signal);
        else child.kill(signal);
      } catch {}
    };
    const timers = [setTimeout(end, timeout, 'SIGTERM'), setTimeout(end, timeout + GRACE, 'SIGKILL')];
    const stop = () => {
      for (const timer of timers) clearTimeout(timer);
    };
    child.stdout.on('data', (chunk: Buffer) => output!.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors!.push(chunk));
    child.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      stop();
      reject(new GitFailure(message, code));
    });
    child.on('close', (code) => {
      stop();
      const [out, said] = [Buffer.concat(output!), Buffer.concat(errors!)];
      if (isLate) reject(new GitFailure('Git took too long, and was stopped.', 'ETIMEDOUT'));
      else if (code === 0) resolve(out);
      else reject(new GitFailure(`${said}\n${out}`.trim(), code, out.toString('utf8')));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Git must not prompt, and must speak English, because failures are recognised by their text. */
const GIT_ENVIRONMENT = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LANGUAGE: 'en' };

export function gitSucceeds(folder: string, ...args: string[]): Promise<boolean> {
  return git(folder, args).then(
    () => true,
    () => false,
  );
}

/** Undefined when the commit has no such file. @param path relative to the folder */
export async function fileInCommit(
  commit: string,
  folder: string,
  path: string,
): Promise<Buffer | undefined> {
  try {
    return await gitBytes(folder, ['show', `${commit}:./${path}`]);
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

export async function repositoryTop(folder: string): Promise<string> {
  return (await git(folder, ['rev-parse', '--show-toplevel'])).replace(/\n$/, '');
}

/** Path from the top of the repository to the folder, with a slash at the end; empty if they are the same. */
export async function pathInRepository(folder: string): Promise<string> {
  return (await git(folder, ['rev-parse', '--show-prefix'])).replace(/\n$/, '');
}

/** Keys are paths relative to the content folder, without hidden files. Undefined without a repository. */
export async function changedFiles(
  content: string,
): Promise<ReadonlyMap<string, ChangedFile['kind']> | undefined> {
  let output: string;
  let prefix: string;
  try {
    prefix = await pathInRepository(content);
    const args = ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all'];
    output = await git(content, [...args, '--', '.']);
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
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
  const args = ['diff', '--name-only', '--no-renames', '--relative', '-z', 'HEAD', '--', ...doubtful];
  const different = new Set((await git(content, args)).split('\0'));
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
  for (const line of output.split('\0')) {
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

export const NO_REPOSITORY_MESSAGE =
  'Changes cannot be recorded: the folder of the catalogue has no history. A colleague can begin one with "git init".';
export const NO_AUTHOR_MESSAGE =
  'Your name is unknown on this computer, and each record carries it. Write in the terminal: git config user.name "Your Name", and: git config user.email you@example.com.';
