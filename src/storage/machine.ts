/** The publisher's machine: clocks, timers, randomness. A simulation replaces it. */
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import {
  isOnThisMachine,
  isRunning,
  type ProcessIdentity,
  thisProcess,
} from '../process/process-identity.ts';

/** Milliseconds by a monotonic clock, and by the wall clock, which keeps running during sleep. */
export type Instant = { readonly monotonic: number; readonly wall: number };

export type Machine = {
  readonly instant: () => Instant;
  /** Rejects if the process is asked to end meanwhile. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Starts `work` later, without keeping the process alive. The returned function cancels this. */
  readonly after: (milliseconds: number, work: () => void) => () => void;
  readonly unique: () => string;
  /** Shown to people. */
  readonly owner: string;
  /** Aborted when the process is asked to end: then it only gives locks back. @default never */
  readonly stopped?: AbortSignal | undefined;
  readonly process?: ProcessIdentity | undefined;
  /** Whether a process has certainly ended. @default never */
  readonly hasEnded?: ((process: ProcessIdentity) => boolean) | undefined;
};

/**
 * Milliseconds since the instant, estimated high. Safe for a holder: setting the wall clock forward only ends its lock
 * early.
 */
export function elapsedAtMost(host: Machine, { monotonic, wall }: Instant): number {
  const now = host.instant();
  return Math.max(now.monotonic - monotonic, now.wall - wall);
}

/**
 * Milliseconds since the instant, estimated low. Safe for a challenger: setting the wall clock forward does not end its
 * wait.
 */
export function elapsedAtLeast(host: Machine, { monotonic }: Instant): number {
  return host.instant().monotonic - monotonic;
}

export function thisMachine(env: NodeJS.ProcessEnv = process.env, stopped?: AbortSignal): Machine {
  return {
    instant: () => ({ monotonic: performance.now(), wall: Date.now() }),
    sleep: (milliseconds) =>
      pause(milliseconds, undefined, { signal: stopped }).catch((error: unknown) => {
        stopped?.throwIfAborted();
        throw error;
      }),
    after(milliseconds, work) {
      const timer = setTimeout(work, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    unique: randomUUID,
    owner: describeOwner(env),
    stopped,
    process: thisProcess(),
    // Without a boot id, two machines with the same name cannot be told apart.
    hasEnded: (one) => one.boot !== '' && isOnThisMachine(one) && !isRunning(one),
  };
}

function describeOwner(env: NodeJS.ProcessEnv): string {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID } = env;
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY && GITHUB_RUN_ID) {
    return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  }
  return `${userName()}@${hostname()} (process ${process.pid})`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return 'user';
  }
}
