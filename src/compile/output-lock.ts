import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { EnvironmentError } from '../errors/errors.ts';
import { makePublicFolder, undefinedIfMissing } from '../files/files-and-folders.ts';
import { linkFile, renameFile } from '../files/rename-and-link.ts';
import {
  isOnThisMachine,
  isRunning,
  type ProcessIdentity,
  parseProcessIdentity,
  thisProcess,
} from '../process/process-identity.ts';

export type OutputLock = {
  /**
   * Updates the time of the lock file, at most every {@link BEAT_INTERVAL} milliseconds.
   * @throws EnvironmentError `output-lock-lost` if another build took over the lock, or the lock file was deleted
   */
  readonly beat: () => void;
  readonly release: () => void;
};

/** Minimum time between updates of the lock file, in milliseconds. */
const BEAT_INTERVAL = 5_000;

/**
 * Milliseconds without an update after which a build on another machine counts as ended. The longest stage without
 * updates takes some seconds, or a minute with a million properties.
 */
const STALE_AFTER = 600_000;

/**
 * Takes over the lock of a build that has ended: at once if the build ran on this machine, otherwise after
 * {@link STALE_AFTER}.
 * @throws EnvironmentError `output-locked` if another build holds the lock; file system errors
 */
export function takeOutputLock(path: string): OutputLock {
  makePublicFolder(dirname(path));
  const mine = `${path}.${process.pid}`;
  const text = JSON.stringify(thisProcess());
  try {
    writeFileSync(mine, text);
    for (let attempt = 0; ; attempt++) {
      try {
        // Creating a link never replaces a file, so only one build succeeds.
        linkFile(mine, path);
        return createLock(path, text);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const other = readText(path);
      if (attempt > 5 || (other !== undefined && !hasEnded(other, path, mine)))
        throw locked(path, other ?? '');
      removeStaleLock(path, mine, other);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function createLock(path: string, text: string): OutputLock {
  let last = performance.now();
  return {
    beat() {
      if (performance.now() - last < BEAT_INTERVAL) return;
      last = performance.now();
      const file = undefinedIfMissing(() => openSync(path, 'r+'));
      if (file === undefined) throw lost(path);
      try {
        if (readFileSync(file, 'utf8') !== text) throw lost(path);
        // Writing sets the time by the file system's clock, which is the same for all machines.
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
  const where = owner && !isOnThisMachine(owner) ? ', another machine or container' : '';
  return new EnvironmentError(
    'output-locked',
    `Another build is writing to ${dirname(path)} (${who}${where}). Wait for it to end; if it has ended, delete ${path}, or wait until it gave no sign of life for ${STALE_AFTER / 60_000} minutes.`,
  );
}

function lost(path: string): EnvironmentError {
  return new EnvironmentError(
    'output-lock-lost',
    `Another build took over ${dirname(path)}, since this one gave no sign of life for ${STALE_AFTER / 60_000} minutes, or ${path} was deleted. Run it again when the other one has ended.`,
  );
}

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
      // The lock that was moved aside is not stale, but cannot be put back: a third build has taken the lock. The next
      // `beat` of the moved lock's owner throws `output-lock-lost`.
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

function parseOwner(text: string): ProcessIdentity | undefined {
  try {
    return parseProcessIdentity(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** @param mine a file that was just written: its time is the present time by the file system's own clock */
function hasEnded(text: string, path: string, mine: string): boolean {
  const owner = parseOwner(text);
  if (owner && isOnThisMachine(owner)) return !isRunning(owner);
  const lockStats = statSync(path, { throwIfNoEntry: false });
  return lockStats === undefined || statSync(mine).mtimeMs - lockStats.mtimeMs > STALE_AFTER;
}
