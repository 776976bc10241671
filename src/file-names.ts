/**
 * Gives files their names, on every system. Windows refuses to rename a file for as long as a scanner or an indexer reads
 * it, and some disks have no hard links.
 */
import { constants, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between attempts, which grow: a scanner lets go after a few, and a refusal that lasts is reported after two seconds. */
const WAITS = [5, 10, 20, 40, 80, 160, 320, 640, 725];

const BUSY = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Codes of file systems without hard links; Windows says EISDIR. */
export const NO_LINKS: ReadonlySet<string> = new Set([
  'EPERM',
  'EACCES',
  'EISDIR',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** Renames a file or folder; a file at the new name is replaced. */
export function renameFile(from: string, to: string): void {
  whenFreeNow(() => renameSync(from, to));
}

/**
 * Gives a file a second name that is not taken. Without hard links, it copies the file: a reader may then see a part of it.
 *
 * @throws EEXIST when the name is taken.
 */
export function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!NO_LINKS.has(code) && !BUSY.has(code)) throw error;
    whenFreeNow(() => copyNew(from, to));
  }
}

/** Repeats a step for as long as another program holds its file. */
export async function whenFree<Result>(step: () => Promise<Result>): Promise<Result> {
  for (const wait of WAITS) {
    try {
      return await step();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await sleep(wait);
  }
  return await step();
}

function whenFreeNow(step: () => void): void {
  for (const wait of WAITS) {
    try {
      step();
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
  }
  step();
}

function isBusy(error: unknown): boolean {
  return BUSY.has((error as NodeJS.ErrnoException).code ?? '');
}

function copyNew(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    // A full disk leaves the start of the file.
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') rmSync(to, { force: true });
    throw error;
  }
}
