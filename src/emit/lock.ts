/** Keeps two builds from writing into one folder at once. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { EnvironmentError } from '../report/failure.ts';

type Owner = { pid: number; host: string; started: string };

/**
 * Takes the lock; the returned function gives it back. A lock whose process has ended is taken over.
 *
 * @throws EnvironmentError when another build holds it.
 */
export function takeLock(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  const mine = `${path}.${process.pid}`;
  const owner: Owner = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  writeFileSync(mine, JSON.stringify(owner));
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        // A link is made whole or not at all, and never over another file.
        linkSync(mine, path);
        return () => rmSync(path, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const other = readOwner(path);
      if (other && (isRunning(other) || attempt > 5)) {
        throw new EnvironmentError(
          'output-locked',
          `Another build is writing to ${dirname(path)} (process ${other.pid} on ${other.host}). Wait for it to end; if it has ended, delete ${path}.`,
        );
      }
      setAside(path, mine, other);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Removes a stale lock, unless somebody else just took it over. */
function setAside(path: string, mine: string, stale: Owner | undefined): void {
  const aside = `${mine}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readOwner(aside);
  if (moved && stale && JSON.stringify(moved) !== JSON.stringify(stale) && isRunning(moved)) {
    try {
      linkSync(aside, path);
    } catch {
      // A third build holds it by now, and will find the same.
    }
  }
  rmSync(aside, { force: true });
}

function readOwner(path: string): Owner | undefined {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as Owner;
    return typeof owner.pid === 'number' && typeof owner.host === 'string' ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // The number may have been given to another process since.
  return owner.started === startOf(owner.pid);
}

/** When a process started, in the system's own units; empty where that cannot be known. */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
