import { realpathSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { accessOf } from '../contract/access.ts';

/** Both functions return undefined if the key names no regular file. */
export type ServedFolder = {
  readonly read: (key: string) => Promise<Buffer | undefined>;
  readonly size: (key: string) => Promise<number | undefined>;
};

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL', 'ERR_INVALID_ARG_VALUE']);

/**
 * A key may be a symbolic link or an alias of the file system (such as a short name on Windows) only if its real path
 * is inside the folder and has the same access rules.
 */
export function openServedFolder(root: string): ServedFolder {
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
