import { constants, realpathSync } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { accessOf } from '../contract/access.ts';

export type StoredFile = { readonly path: string; readonly size: number; readonly mtimeMs: number };

/** Both functions return undefined if the key names no regular file, and reject if it cannot be read. */
export type ServedFolder = {
  readonly read: (key: string) => Promise<Buffer | undefined>;
  readonly find: (key: string) => Promise<StoredFile | undefined>;
};

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL', 'ERR_INVALID_ARG_VALUE']);

/**
 * A key may be a symbolic link or an alias of the file system (such as a short name on Windows) only if its real path
 * is inside the folder and has the same access rules.
 */
export function openServedFolder(root: string): ServedFolder {
  const folder = realpathSync(root);
  const find = async (key: string): Promise<StoredFile | undefined> => {
    const path = await realpath(join(folder, key));
    if (!path.startsWith(folder + sep)) return undefined;
    const real = path.slice(folder.length + 1).replaceAll(sep, '/');
    if (real !== key && accessOf(real) !== accessOf(key)) return undefined;
    const stats = await stat(path);
    return stats.isFile() ? { path, size: stats.size, mtimeMs: stats.mtimeMs } : undefined;
  };
  const readable = async (key: string) => {
    const file = await find(key);
    if (file) await access(file.path, constants.R_OK);
    return file;
  };
  const read = async (key: string) => {
    const file = await find(key);
    return file && readFile(file.path);
  };
  return {
    read: (key) => read(key).catch(absentAsUndefined),
    find: (key) => readable(key).catch(absentAsUndefined),
  };
}

function absentAsUndefined(error: NodeJS.ErrnoException): undefined {
  if (!ABSENT.has(error.code ?? '')) throw error;
}
