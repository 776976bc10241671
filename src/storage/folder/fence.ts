/** The fence of a bucket in a folder: once a holder has raised it, every step of an earlier holder fails. */
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissingAsync } from '../../files/files-and-folders.ts';
import { retryWhileBusy } from '../../files/rename-and-link.ts';
import { makeBucketFolder } from './file-system.ts';

/** Milliseconds after which a staged file counts as left by a killed process. */
const LEFTOVER_AGE = 60 * 60 * 1000;

/** Creates the folder `own` in `incoming`, and moves the folders of all other holders away. */
export async function raiseFence(incoming: string, own: string): Promise<void> {
  await makeBucketFolder(join(incoming, own));
  for (const entry of await readdir(incoming)) {
    if (entry === own || !entry.startsWith('holder-')) continue;
    const gone = join(incoming, `gone-${randomUUID()}`);
    // From here on, no rename from or into the old name succeeds.
    await undefinedIfMissingAsync(retryWhileBusy(() => rename(join(incoming, entry), gone)));
    await rm(gone, { recursive: true, force: true });
  }
  await removeLeftovers(incoming);
}

export async function removeLeftovers(incoming: string): Promise<void> {
  const now = (await stat(incoming)).mtimeMs;
  for (const entry of await readdir(incoming)) {
    if (entry.startsWith('holder-')) continue;
    const path = join(incoming, entry);
    const age = now - ((await undefinedIfMissingAsync(stat(path)))?.mtimeMs ?? now);
    if (entry.startsWith('gone-') || age > LEFTOVER_AGE) await rm(path, { recursive: true, force: true });
  }
}
