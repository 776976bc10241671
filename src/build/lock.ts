/** Prevents two builds from writing to one output folder at once. */
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
import { makePublicFolder } from '../folder.ts';

/** A lock held by this process. */
export type Lock = {
  /**
   * Updates the lock's time, unless it was updated recently.
   *
   * @throws EnvironmentError `output-lock-lost` when another build has taken over the lock.
   */
  readonly beat: () => void;
  readonly release: () => void;
};

/** The process that holds a lock. A process number identifies it only within the same kernel and PID namespace. */
type Owner = {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process, in the system's units. */
  readonly started: string;
  /** Boot id of the kernel. */
  readonly boot: string;
  /** PID namespace: containers number their processes separately. */
  readonly namespace: string;
};

/** Minimum milliseconds between two updates of the lock's time. */
const BEAT = 5_000;

/**
 * Milliseconds without an update after which a holder on another machine counts as ended. The longest stage without an
 * update takes a few seconds, or a minute with a million properties.
 */
const SILENCE = 600_000;

/**
 * Takes the lock. The lock of an ended process is taken over: at once if that ran on this machine, else after {@link
 * SILENCE}.
 *
 * @throws EnvironmentError `output-locked` when another build holds it; the file system's error when the lock cannot be
 *   written.
 */
export function takeLock(path: string): Lock {
  makePublicFolder(dirname(path));
  const mine = `${path}.${process.pid}`;
  const text = JSON.stringify(ownerHere());
  writeFileSync(mine, text);
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        // Linking never replaces an existing file.
        linkFile(mine, path);
        return createLock(path, text);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const other = readText(path);
      if (other !== undefined && (attempt > 5 || !hasEnded(other, path, mine))) throw locked(path, other);
      removeStaleLock(path, mine, other);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function createLock(path: string, text: string): Lock {
  let last = performance.now();
  return {
    beat() {
      if (performance.now() - last < BEAT) return;
      last = performance.now();
      if (readText(path) !== text) throw lost(path);
      const file = openSync(path, 'r+');
      try {
        // Writing sets the file system's own time, which is the same for every machine.
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

/** Removes a stale lock, unless another build took it over meanwhile. */
function removeStaleLock(path: string, mine: string, stale: string | undefined): void {
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
      // A third build took the lock meanwhile, and will find the same state.
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
 * @param mine a file written just now: both ages are then measured by the file system's clock.
 */
function hasEnded(text: string, path: string, mine: string): boolean {
  const owner = parseOwner(text);
  if (owner && isHere(owner)) return !isRunning(owner);
  const sign = statSync(path, { throwIfNoEntry: false });
  return sign === undefined || statSync(mine).mtimeMs - sign.mtimeMs > SILENCE;
}

/** Whether an owner's process can be checked from this machine and namespace. */
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
  // The number may have been reused by another process.
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

/** Returns the start time of a process. */
function startOf(pid: number): string {
  return orEmpty(() => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  });
}

/** Returns a value that exists only on Linux; elsewhere no containers share a disk and a host name. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
