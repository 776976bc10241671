/** The command line in processes of their own, each with a clock of its own. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { secretOf } from './signature.ts';

const CLI = fileURLToPath(new URL('../../../lib/cli.js', import.meta.url));
const CLOCK = new URL('./clock.mjs', import.meta.url).href;

/** How the clock of a machine is wrong. Milliseconds. */
export type WrongClock = {
  readonly shift: number;
  /** It is set while the process runs: by so much, so long after its start. */
  readonly jump?: { readonly after: number; readonly by: number } | undefined;
};

/** How a process ended. */
export type Ending = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** The release that it said is live. */
  readonly release: string | undefined;
};

/** A process that publishes. */
export type Client = {
  /** Its account with the store. */
  readonly name: string;
  readonly ended: Promise<Ending>;
  readonly hasEnded: () => boolean;
  /** Stops it (SIGSTOP), lets it go on (SIGCONT), or kills it (SIGKILL). Nothing happens to one that has ended. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => void;
};

/** Times of the trial: `pace` times as fast as true ones since `origin`, in milliseconds. */
export type Pace = { readonly pace: number; readonly origin: number };

/** Starts the command line. */
export function startClient(name: string, args: string[], { pace, origin }: Pace, clock: WrongClock): Client {
  const child = spawn(process.execPath, ['--import', CLOCK, CLI, ...args, '--format', 'json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      AWS_ACCESS_KEY_ID: name,
      AWS_SECRET_ACCESS_KEY: secretOf(name),
      AWS_EC2_METADATA_DISABLED: 'true',
      TRIAL_CLOCK: JSON.stringify({ pace, origin, ...clock }),
    },
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  let hasEnded = false;
  const ended = new Promise<Ending>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      hasEnded = true;
      resolve({ code, signal, stderr: output.stderr, release: releaseOf(output.stdout) });
    });
  });
  return {
    name,
    ended,
    hasEnded: () => hasEnded,
    // The number of an ended process may be another one's by now.
    signal: (signal) => void (child.exitCode === null && child.signalCode === null && child.kill(signal)),
  };
}

function releaseOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { release?: string }).release;
  } catch {
    return undefined;
  }
}
