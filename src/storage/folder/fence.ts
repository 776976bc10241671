/** The fence of a folder: what makes every later step of an earlier holder fail. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { whenFree } from '../../file-names.ts';
import { BucketError } from '../bucket.ts';

/** Milliseconds after which a file on its way was left behind by a process that ended. */
const LEFT = 60 * 60 * 1000;

/**
 * Moves the folders of all other holders away, removes what they and killed processes left, and makes the folder of
 * this one.
 *
 * @param incoming folder of the folders of holders.
 */
export async function raiseFence(incoming: string, own: string): Promise<void> {
  await makeFolder(join(incoming, own));
  for (const entry of await readdir(incoming)) {
    if (entry === own || !entry.startsWith('holder-')) continue;
    const gone = join(incoming, `gone-${randomUUID()}`);
    // The old name is free at once: no rename from it, or into it, succeeds from here on.
    await orUndefined(whenFree(() => rename(join(incoming, entry), gone)));
    await rm(gone, { recursive: true, force: true });
  }
  await removeLeft(incoming);
}

/** Removes what killed processes left on its way, but for the folders of holders. */
export async function removeLeft(incoming: string): Promise<void> {
  const now = (await stat(incoming)).mtimeMs;
  for (const entry of await readdir(incoming)) {
    if (entry.startsWith('holder-') || entry === 'versions') continue;
    const path = join(incoming, entry);
    const age = now - ((await orUndefined(stat(path)))?.mtimeMs ?? now);
    if (entry.startsWith('gone-') || age > LEFT) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Makes a folder, and those above: step by step, since a recursive `mkdir` says ENOENT for a disk that is read-only,
 * and never ends in a place such as `/proc`.
 *
 * @throws BucketError that says what is in the way.
 */
export async function makeFolder(folder: string): Promise<void> {
  const above = dirname(folder);
  try {
    await mkdir(folder).catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT' || above === folder) throw error;
      await makeFolder(above);
      await mkdir(folder);
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return;
    if (error instanceof BucketError || code === undefined) throw error;
    const what = code === 'ENOSPC' ? 'the disk is full' : 'nothing can be written there';
    throw new BucketError(
      'bucket-denied',
      `${folder} cannot be made: ${what} (${code}). Mend that, then run the command again.`,
      false,
      error,
    );
  }
}

/** The code of a failure of the file system. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

/** The result, or undefined when there is no such file. */
export async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
