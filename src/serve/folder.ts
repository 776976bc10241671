/** The files of a folder by their keys. */
import { realpathSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { accessOf } from '../contract/access.ts';

/** A folder of files; each function gives undefined when there is no regular file of this key. */
export type Folder = {
  readonly read: (key: string) => Promise<Buffer | undefined>;
  /** The size in bytes. */
  readonly size: (key: string) => Promise<number | undefined>;
};

/** What the system says of a path that names no file. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL', 'ERR_INVALID_ARG_VALUE']);

/**
 * Opens a folder. What a link leads to must be within the folder, and as open as the link: a file system may also know
 * names that no rule does, such as short ones.
 */
export function openServedFolder(root: string): Folder {
  const folder = realpathSync(root);
  const find = async <T>(
    key: string,
    use: (path: string, size: number) => T | Promise<T>,
  ): Promise<T | undefined> => {
    const path = await realpath(join(folder, key));
    if (!path.startsWith(folder + sep)) return undefined;
    const real = path.slice(folder.length + 1).replaceAll(sep, '/');
    if (real !== key && accessOf(real) !== accessOf(key)) return undefined;
    const found = await stat(path);
    return found.isFile() ? use(path, found.size) : undefined;
  };
  return {
    read: (key) => find(key, (path) => readFile(path)).catch(absentAsUndefined),
    size: (key) => find(key, (_, size) => size).catch(absentAsUndefined),
  };
}

function absentAsUndefined(error: NodeJS.ErrnoException): undefined {
  if (!ABSENT.has(error.code ?? '')) throw error;
}
