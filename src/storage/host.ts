/** The machine that a publisher runs on: its clocks, its timers, its dice. A simulation hands in others. */
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** A moment by two clocks, each in milliseconds: one that is never set, and one that runs while the machine sleeps. */
export type Instant = { readonly monotonic: number; readonly wall: number };

/** What a process uses of its machine. */
export type Host = {
  readonly instant: () => Instant;
  /** Waits; a process need not live for it. */
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Calls once, later; a process need not live for it. Returns what prevents it. */
  readonly after: (milliseconds: number, work: () => void) => () => void;
  /** A name that is given once, anywhere. */
  readonly unique: () => string;
  /** Who runs the process, for people. */
  readonly owner: string;
};

/** Milliseconds since then, at most: what the holder of a lease counts. A clock that was set ends a lease early. */
export function mostSince(host: Host, { monotonic, wall }: Instant): number {
  const now = host.instant();
  return Math.max(now.monotonic - monotonic, now.wall - wall);
}

/** Milliseconds since then, at least: what a challenger counts. */
export function leastSince(host: Host, { monotonic }: Instant): number {
  // A clock that was set back would only lengthen a wait; one that was set forward must not shorten it.
  return host.instant().monotonic - monotonic;
}

/** This machine. */
export function thisHost(env: NodeJS.ProcessEnv = process.env): Host {
  return {
    instant: () => ({ monotonic: performance.now(), wall: Date.now() }),
    sleep: (milliseconds) => pause(milliseconds),
    after(milliseconds, work) {
      const timer = setTimeout(work, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    },
    unique: randomUUID,
    owner: describeOwner(env),
  };
}

/** Who runs this process: the run of a workflow, or the user, machine and process. */
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
    // A container's user need not have a name.
    return 'user';
  }
}
