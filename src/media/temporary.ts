/** Writes files under a temporary name and renames them when complete, so that no reader sees a partial file. */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeViaTemporaryFile } from '../files/atomic-write.ts';
import { makeFolder, undefinedIfMissing } from '../files/files-and-folders.ts';

/** Age in milliseconds after which a temporary file is a leftover of a killed process. Writing takes far less. */
const STALE_MS = 60 * 60 * 1000;

/** Groups: a digest of the host name, and the process id. The rest is random. */
export const TEMPORARY_NAME = /^temporary-([0-9a-f]{8})-([0-9]+)-[0-9a-f]{12}$/;

const machine = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

export const temporaryName = (): string =>
  `temporary-${machine()}-${process.pid}-${randomBytes(6).toString('hex')}`;

/** Creates `folder` if needed. */
export function writeViaTemporaryFolder(
  folder: string,
  target: string,
  write: (temporary: string) => void,
): void {
  makeFolder(folder);
  writeViaTemporaryFile(join(folder, temporaryName()), target, write);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Deletes temporary files that are older than an hour, or that belong to an ended process of this machine. Returns
 * their number.
 */
export function removeStaleFiles(folder: string): number {
  let removed = 0;
  for (const name of listFolder(folder)) {
    const [, host, pid] = TEMPORARY_NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    const orphaned = host === machine() && !isAlive(Number(pid));
    if (written === undefined || (!orphaned && Date.now() - written < STALE_MS)) continue;
    rmSync(path, { force: true });
    removed++;
  }
  return removed;
}

export function listFolder(folder: string): string[] {
  return undefinedIfMissing(() => readdirSync(folder)) ?? [];
}
