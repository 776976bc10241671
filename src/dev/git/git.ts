import { spawn } from 'node:child_process';

const TIMEOUT = 120_000;
/** Milliseconds for Git and its child processes to exit after SIGTERM. */
const GRACE = 3000;

export class GitFailure extends Error {
  constructor(
    readonly output: string,
    /** Exit code (null after a signal), or an error code, such as `ENOENT` without Git or `ETIMEDOUT`. */
    readonly code: string | number | null | undefined,
    /** What Git wrote to standard output. */
    readonly result = '',
  ) {
    super(output);
  }
}

type GitOptions = {
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  /** Timeout in milliseconds. @default two minutes */
  readonly timeout?: number;
};

/** @throws GitFailure */
export async function git(folder: string, args: readonly string[], given?: GitOptions): Promise<string> {
  return (await gitBytes(folder, args, given)).toString('utf8');
}

export function gitBytes(
  folder: string,
  args: readonly string[],
  { input = '', environment = {}, timeout = TIMEOUT }: GitOptions = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // `detached` keeps Git from waiting for the terminal. It also makes a process group, so that `end` can stop the
    // child processes of Git.
    const isGroup = process.platform !== 'win32';
    const child = spawn('git', ['--literal-pathspecs', '-C', folder, ...args], {
      detached: isGroup,
      windowsHide: true,
      env: { ...process.env, ...GIT_ENVIRONMENT, ...environment },
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
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
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      stop();
      reject(new GitFailure(message, code));
    });
    child.on('close', (code) => {
      stop();
      const [out, said] = [Buffer.concat(output), Buffer.concat(errors)];
      if (isLate) reject(new GitFailure('Git took too long, and was stopped.', 'ETIMEDOUT'));
      else if (code === 0) resolve(out);
      else reject(new GitFailure(`${said}\n${out}`.trim(), code, out.toString('utf8')));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Git must not prompt, and must not lock the index to read. Failures are recognised by their English text. */
const GIT_ENVIRONMENT = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LANGUAGE: 'en' };

export function gitSucceeds(folder: string, ...args: string[]): Promise<boolean> {
  return git(folder, args).then(
    () => true,
    () => false,
  );
}

/** Trimmed output; empty if Git is missing or refuses. @throws GitFailure `ETIMEDOUT` */
export async function gitOrEmpty(folder: string, ...args: string[]): Promise<string> {
  try {
    return (await git(folder, args)).trim();
  } catch (error) {
    if (error instanceof GitFailure && error.code !== 'ETIMEDOUT') return '';
    throw error;
  }
}

/** Entries of a list that Git prints with `-z`. @throws GitFailure */
export async function gitList(folder: string, args: readonly string[]): Promise<string[]> {
  return nulSeparated(await git(folder, args));
}

export function nulSeparated(output: string): string[] {
  return output.split('\0').filter(Boolean);
}

/** Runs Git on paths that may be too many for its arguments. @throws GitFailure */
export function gitOnPaths(
  folder: string,
  args: readonly string[],
  paths: readonly string[],
  environment: GitOptions['environment'] = {},
): Promise<string> {
  const input = paths.map((path) => `${path}\0`).join('');
  return git(folder, [...args, '--pathspec-from-file=-', '--pathspec-file-nul'], { input, environment });
}

export async function repositoryTop(folder: string): Promise<string> {
  return (await git(folder, ['rev-parse', '--show-toplevel'])).replace(/\n$/, '');
}

/** Path from the top of the repository to the folder, with a slash at the end; empty if they are the same. */
export async function pathInRepository(folder: string): Promise<string> {
  return (await git(folder, ['rev-parse', '--show-prefix'])).replace(/\n$/, '');
}
