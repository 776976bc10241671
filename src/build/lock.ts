/** Keeps two builds from writing into one folder at once. */
import {
  closeSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { EnvironmentError } from '../errors.ts';
import { linkFile, renameFile } from '../file-names.ts';
import { makeFolder } from '../folder.ts';

/** A lock that is held. */
export type Lock = {
  /**
   * Gives a sign of life, if the last one was a while ago.
   *
   * @throws EnvironmentError `output-lock-lost` when another build holds the lock by now.
   */
  readonly beat: () => void;
  /** Gives the lock back. */
  readonly release: () => void;
};

/** Who holds a lock. A process is known by its number only to those that share its kernel and its namespace. */
type Owner = {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the system's own units. */
  readonly started: string;
  /** The kernel, and its start, on which it runs. */
  readonly boot: string;
  /** Where its number counts: a container has numbers of its own. */
  readonly namespace: string;
};

/** Milliseconds from one sign of life to the next, at least. */
const BEAT = 5_000;

/**
 * Milliseconds without a sign of life after which a holder that cannot be looked at has ended. The longest stage without
 * one takes a few seconds, and a minute with a million properties.
 */
const SILENCE = 600_000;

/**
 * Takes the lock. That of a process that has ended is taken over: at once if it ran where this one runs, and otherwise
 * after {@link SILENCE}.
 *
 * @throws EnvironmentError `output-locked` when another build holds it; the file system's error when there is no place
 *   for it.
 */
export function takeLock(path: string): Lock {
  makeFolder(dirname(path));
  const mine = `${path}.${process.pid}`;
  const text = JSON.stringify(ownerHere());
  writeFileSync(mine, text);
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        // It never replaces another file.
        linkFile(mine, path);
        return held(path, text);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const other = readText(path);
      if (other !== undefined && (attempt > 5 || !hasEnded(other, path, mine))) throw locked(path, other);
      setAside(path, mine, other);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function held(path: string, text: string): Lock {
  let last = performance.now();
  return {
    beat() {
      if (performance.now() - last < BEAT) return;
      last = performance.now();
      if (readText(path) !== text) throw lost(path);
      const file = openSync(path, 'r+');
      try {
        // Written, the time is that of the file system, whichever machine reads it.
        writeSync(file, text, 0);
      } finally {
        closeSync(file);
      }
    },
    release() {
      if (readText(path) === text) rmSync(path, { force: true });
    },
  };
}

function locked(path: string, text: string): EnvironmentError {
  const owner = parseOwner(text);
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'an unknown process';
  const where = owner && !isHere(owner) ? ', another machine or container' : '';
  return new EnvironmentError(
    'output-locked',
    `Another build is writing to ${dirname(path)} (${who}${where}). Wait for it to end; if it has ended, delete ${path}, or wait until it gave no sign of life for ${SILENCE / 60_000} minutes.`,
  );
}

function lost(path: string): EnvironmentError {
  return new EnvironmentError(
    'output-lock-lost',
    `Another build took over ${dirname(path)}, since this one gave no sign of life for ${SILENCE / 60_000} minutes, or ${path} was deleted. Run it again when the other one has ended.`,
  );
}

/** Removes a stale lock, unless another build just took it over. */
function setAside(path: string, mine: string, stale: string | undefined): void {
  const aside = `${mine}.stale`;
  try {
    renameFile(path, aside);
  } catch {
    return;
  }
  const moved = readText(aside);
  if (moved !== undefined && moved !== stale && !hasEnded(moved, aside, mine)) {
    try {
      linkFile(aside, path);
    } catch {
      // A third build holds it by now, and will find the same.
    }
  }
  rmSync(aside, { force: true });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Owner;
    return typeof owner.pid === 'number' && typeof owner.host === 'string' ? owner : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the holder of a lock has ended.
 *
 * @param mine a file that was just written: the age of the lock is measured by one clock, that of their file system.
 */
function hasEnded(text: string, path: string, mine: string): boolean {
  const owner = parseOwner(text);
  if (owner && isHere(owner)) return !isRunning(owner);
  const sign = statSync(path, { throwIfNoEntry: false });
  return sign === undefined || statSync(mine).mtimeMs - sign.mtimeMs > SILENCE;
}

/** Whether the process of an owner can be looked at from here. */
function isHere(owner: Owner): boolean {
  const here = ownerHere();
  return owner.host === here.host && owner.boot === here.boot && owner.namespace === here.namespace;
}

function isRunning({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // The number may have been given to another process since.
  return started === startOf(pid);
}

function ownerHere(): Owner {
  return {
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    boot: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** When a process started. */
function startOf(pid: number): string {
  return orEmpty(() => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  });
}

/** What can be known on Linux alone; elsewhere no containers share a disk and a host name. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
