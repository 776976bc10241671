/** A shared cache in a folder: of a network disk, or of this machine for several checkouts. */
import { link, mkdir, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CacheStore } from './cache-store.ts';
import { removeStale, temporaryName } from './temporary.ts';

/** Folder of files on their way. */
const TEMPORARY = 'temporary';

/** What file systems without hard links say. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Opens a folder; it is made when something is written. */
export function openFolderStore(root: string): CacheStore {
  const path = (key: string) => join(root, ...key.split('/'));
  let prepared: Promise<unknown> | undefined;

  /** Writes to a temporary file, and lets `place` bring it to its key. */
  const write = async <T>(key: string, body: Buffer, place: (temporary: string) => Promise<T>) => {
    const folder = join(root, TEMPORARY);
    prepared ??= mkdir(folder, { recursive: true }).then(() => removeStale(folder));
    await prepared;
    await mkdir(dirname(path(key)), { recursive: true });
    const temporary = join(folder, temporaryName());
    try {
      await writeFile(temporary, body);
      return await place(temporary);
    } finally {
      await rm(temporary, { force: true });
    }
  };

  return {
    name: `dir:${root}`,
    read: (key) => unlessMissing(readFile(path(key))),
    list: (prefix) => listFiles(root, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix),
    add: (key, body) =>
      write(key, body, async (temporary) => {
        try {
          // A link is made whole or not at all, and never over another file.
          await link(temporary, path(key));
          return true;
        } catch (error) {
          const { code = '' } = error as NodeJS.ErrnoException;
          if (code === 'EEXIST') return false;
          if (!NO_LINKS.has(code)) throw error;
          if (await unlessMissing(stat(path(key)))) return false;
          await rename(temporary, path(key));
          return true;
        }
      }),
    replace: (key, body) => write(key, body, (temporary) => rename(temporary, path(key))),
  };
}

async function* listFiles(root: string, folder: string, prefix: string): AsyncGenerator<string> {
  const entries = await unlessMissing(opendir(join(root, folder)));
  for await (const entry of entries ?? []) {
    const key = folder + entry.name;
    if (!key.startsWith(prefix)) continue;
    if (entry.isDirectory()) yield* listFiles(root, `${key}/`, prefix);
    else yield key;
  }
}

async function unlessMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
