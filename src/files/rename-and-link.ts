/** Retries renames that a virus scanner on Windows blocks for a moment. Copies files if hard links are impossible. */
import { constants, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between attempts, two seconds in total. Most scanners block a file for a few milliseconds. */
const WAITS = [5, 10, 20, 40, 80, 160, 320, 640, 725];

const BUSY = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Error codes of file systems without hard links; Windows reports EISDIR. */
export const HARD_LINK_ERROR_CODES: ReadonlySet<string> = new Set([
  'EPERM',
  'EACCES',
  'EISDIR',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
]);

/** Error codes of a disk that may have written only a part of a file. */
const BROKEN = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG']);

/** Replaces an existing file. */
export function renameFile(from: string, to: string): void {
  whenFreeNow(() => renameSync(from, to));
}

/** Copies the file if hard links are impossible. Readers may then see a part of it. @throws EEXIST if `to` exists */
export function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!HARD_LINK_ERROR_CODES.has(code) && !BUSY.has(code)) throw error;
    whenFreeNow(() => copyNew(from, to));
  }
}

/** Retries for two seconds while another program holds the file. */
export async function retryWhileBusy<Result>(step: () => Promise<Result>): Promise<Result> {
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
    // A full or broken disk leaves a partial file.
    if (BROKEN.has((error as NodeJS.ErrnoException).code ?? '')) rmSync(to, { force: true });
    throw error;
  }
}
