import { randomUUID } from 'node:crypto';
import { mkdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCodeOf } from '../../files/files-and-folders.ts';
import { setMode, umaskHidesFiles } from '../../files/published-modes.ts';
import { BucketError } from '../bucket.ts';

/**
 * Not a recursive `mkdir`, which reports ENOENT for a read-only disk, and hangs in `/proc`.
 * @throws BucketError `bucket-denied`
 */
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
