import { randomUUID } from 'node:crypto';
import { link, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INCOMING_FOLDER } from '../../contract/object-keys.ts';
import { errorCodeOf, undefinedIfMissingAsync } from '../../files/files-and-folders.ts';
import { FILE_MODE, FOLDER_MODE, setMode, umaskHidesFiles } from '../../files/published-modes.ts';
import { HARD_LINK_ERROR_CODES, retryWhileBusy } from '../../files/rename-and-link.ts';
import { type ObjectBody, readParts } from '../body.ts';
import { BucketError, ConditionFailed, type LockLimit, RequestExpired } from '../bucket.ts';
import { raiseFence, removeLeftovers } from './fence.ts';
import { makeBucketFolder } from './file-system.ts';

/** A change without a limit is not fenced: a later holder cannot stop it. */
export type FolderWriter = {
  readonly place: (key: string, body: ObjectBody, limit: LockLimit | undefined) => Promise<void>;
  /** @throws ConditionFailed when the key is taken. */
  readonly placeNew: (key: string, body: Buffer, limit: LockLimit | undefined) => Promise<void>;
  /**
   * Also removes folders that become empty. Returns when the last file was removed, by the file system's clock;
   * undefined if there was no file to remove, or without a limit.
   */
  readonly remove: (keys: readonly string[], limit: LockLimit | undefined) => Promise<Date | undefined>;
  readonly fence: (holder: string) => Promise<void>;
};

/** `path` maps a key to its file. `isPublished`: other users of the machine may read the files. */
export function createFolderWriter(
  root: string,
  path: (key: string) => string,
  isPublished: boolean,
): FolderWriter {
  const incoming = join(root, INCOMING_FOLDER);
  const made = new Set<string>();
  /** Removal of the files that killed processes left. Starts with the first file that is written without a limit. */
  let sweep: Promise<void> | undefined;

  /** Makes the folder and runs `work`. Does both again if another process removes the folder while it is empty. */
  const within = async (folder: string, work: () => Promise<unknown>) => {
    for (let attempt = 1; ; attempt++) {
      try {
        if (!made.has(folder)) await makeBucketFolder(folder, isPublished ? FOLDER_MODE : undefined);
        made.add(folder);
        await work();
        return;
      } catch (error) {
        if (errorCodeOf(error) !== 'ENOENT' || attempt > 5) throw error;
        made.delete(folder);
      }
    }
  };

  const write = async (file: string, bytes: Parameters<typeof writeFile>[1]) => {
    await writeFile(file, bytes, isPublished ? { mode: FILE_MODE } : {});
    if (isPublished && umaskHidesFiles()) setMode(file, FILE_MODE);
  };

  const staged = async (
    body: ObjectBody,
    limit: LockLimit | undefined,
    work: (file: string) => Promise<void>,
  ) => {
    const file = join(stagingOf(root, limit), randomUUID());
    const bytes = Buffer.isBuffer(body) ? body : readParts(body);
    try {
      // Not `within`, which would create the holder's folder again after another holder's fence moved it away.
      if (limit) await passFence(root, limit, () => write(file, bytes));
      else {
        await within(incoming, () => write(file, bytes));
        sweep ??= removeLeftovers(incoming);
        await sweep;
      }
      await work(file);
    } finally {
      await rm(file, { force: true });
    }
  };
  const place = (key: string, body: ObjectBody, limit: LockLimit | undefined) =>
    staged(body, limit, (file) =>
      within(dirname(path(key)), () =>
        retryWhileBusy(() => passFence(root, limit, () => rename(file, path(key)))),
      ),
    );
  const placeNew = (key: string, body: Buffer, limit: LockLimit | undefined) =>
    staged(body, limit, (file) =>
      within(dirname(path(key)), () => linkNew(file, path(key), key, (step) => passFence(root, limit, step))),
    );

  return {
    place,
    placeNew,
    async remove(keys, limit) {
      let wasRemoved = false;
      for (const key of keys) {
        wasRemoved = (await removeFile(root, path(key), limit)) || wasRemoved;
        await removeEmpty(root, dirname(path(key)), made);
      }
      // Each removal changes the holder's folder, so the time of that folder is the time of the last removal.
      const changed = wasRemoved && limit && (await undefinedIfMissingAsync(stat(stagingOf(root, limit))));
      await removeEmpty(root, incoming, made);
      return changed ? changed.mtime : undefined;
    },
    fence: (holder) => raiseFence(incoming, stagingName(holder)),
  };
}

function stagingName(holder: string): string {
  return `holder-${holder}`;
}

function stagingOf(root: string, limit: LockLimit | undefined): string {
  return limit ? join(root, INCOMING_FOLDER, stagingName(limit.holder)) : join(root, INCOMING_FOLDER);
}

/** @throws RequestExpired after the limit, or if the fence of another holder moved the holder's folder away */
async function passFence(
  root: string,
  limit: LockLimit | undefined,
  step: () => Promise<unknown>,
): Promise<void> {
  if (limit && (limit.signal.aborted || limit.remaining() <= 0)) throw new RequestExpired(`dir:${root}`);
  try {
    await step();
  } catch (error) {
    const isMissing = errorCodeOf(error) === 'ENOENT';
    if (limit && isMissing && !(await undefinedIfMissingAsync(stat(stagingOf(root, limit)))))
      throw new RequestExpired(`dir:${root}`);
    throw error;
  }
}

async function linkNew(
  file: string,
  place: string,
  key: string,
  pass: (step: () => Promise<void>) => Promise<void>,
): Promise<void> {
  try {
    await retryWhileBusy(() => pass(() => link(file, place)));
  } catch (error) {
    const code = errorCodeOf(error) ?? '';
    if (code === 'EEXIST') throw new ConditionFailed(key);
    if (!HARD_LINK_ERROR_CODES.has(code)) throw error;
    throw new BucketError(
      'condition-unsupported',
      `${dirname(place)} is on a file system without links (${code}). Choose another one.`,
      false,
      error,
    );
  }
}

/**
 * Returns whether there was a file. Under a limit, first renames the file into the lock holder's folder, since only a
 * rename can be fenced.
 */
async function removeFile(root: string, file: string, limit: LockLimit | undefined): Promise<boolean> {
  const grave = join(stagingOf(root, limit), randomUUID());
  try {
    await retryWhileBusy(() => (limit ? passFence(root, limit, () => rename(file, grave)) : unlink(file)));
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
  await rm(grave, { force: true });
  return true;
}

async function removeEmpty(root: string, folder: string, made: Set<string>): Promise<void> {
  for (let current = folder; current.length > root.length; current = dirname(current)) {
    try {
      await rmdir(current);
      made.delete(current);
    } catch {
      return;
    }
  }
}
