/** The fence of a bucket in a folder: once a holder has raised it, every step of an earlier holder fails. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setMode, umaskHidesFiles } from '../../files/published-modes.ts';
import { retryWhileBusy } from '../../files/rename-and-link.ts';
import { BucketError } from '../bucket.ts';

/** Milliseconds after which a staged file counts as left by a killed process. */
const LEFTOVER_AGE = 60 * 60 * 1000;

/** Moves the folders of all other holders in `incoming` away, and makes `own`. */
export async function raiseFence(incoming: string, own: string): Promise<void> {
  await makeBucketFolder(join(incoming, own));
  for (const entry of await readdir(incoming)) {
    if (entry === own || !entry.startsWith('holder-')) continue;
    const gone = join(incoming, `gone-${randomUUID()}`);
    // From here on, no rename from or into the old name succeeds.
    await undefinedIfNoEntry(retryWhileBusy(() => rename(join(incoming, entry), gone)));
    await rm(gone, { recursive: true, force: true });
  }
  await removeLeftovers(incoming);
}

export async function removeLeftovers(incoming: string): Promise<void> {
  const now = (await stat(incoming)).mtimeMs;
  for (const entry of await readdir(incoming)) {
    if (entry.startsWith('holder-')) continue;
    const path = join(incoming, entry);
    const age = now - ((await undefinedIfNoEntry(stat(path)))?.mtimeMs ?? now);
    if (entry.startsWith('gone-') || age > LEFTOVER_AGE) await rm(path, { recursive: true, force: true });
  }
}

/** Not a recursive `mkdir`, which reports ENOENT for a read-only disk, and hangs in `/proc`. @throws BucketError */
export async function makeBucketFolder(folder: string, mode?: number): Promise<void> {
  const above = dirname(folder);
  try {
    await mkdir(folder, mode).catch(async (error: unknown) => {
      if (errorCodeOf(error) !== 'ENOENT' || above === folder) throw error;
      await makeBucketFolder(above, mode);
      await mkdir(folder, mode);
    });
    if (mode !== undefined && umaskHidesFiles()) setMode(folder, mode);
  } catch (error) {
    const code = errorCodeOf(error);
    if (code === 'EEXIST') return;
    if (error instanceof BucketError || code === undefined) throw error;
    const what = code === 'ENOSPC' ? 'the disk is full' : 'nothing can be written there';
    throw new BucketError(
      'bucket-denied',
      `${folder} cannot be made: ${what} (${code}). Fix that, then run the command again.`,
      false,
      error,
    );
  }
}

/** The file system's clock, which may be another machine's; undefined if `folder` is not writable. */
export async function fileSystemTime(folder: string): Promise<Date | undefined> {
  const probe = join(folder, `.${randomUUID()}`);
  try {
    await writeFile(probe, '');
    const { mtime } = await stat(probe);
    await unlink(probe);
    return mtime;
  } catch {
    return undefined;
  }
}

export function errorCodeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

export async function undefinedIfNoEntry<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
