import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
  writevSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EnvironmentError } from '../errors/errors.ts';
import { FILE_MODE, FOLDER_MODE, makeOpenFilePublic, setMode, umaskHidesFiles } from './published-modes.ts';

/**
 * Creates missing parents too. If `rememberUmask` was called earlier, the umask does not narrow `mode`. The recursive
 * `mkdir` of Node.js is not used: where no folder can be made, such as below `/proc`, that function may never end or
 * may report a misleading error.
 * @throws file system errors such as EROFS; EnvironmentError `folder-refused` where no folder can be made
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    makeOne(path, mode);
  } catch (error) {
    // On a read-only disk, making a folder fails even if the folder exists.
    if (isFolder(path)) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path), mode);
    makeLast(path, mode);
  }
}

export function makePublicFolder(path: string): void {
  makeFolder(path, FOLDER_MODE);
}

/** Does not join the pieces in memory. */
export function writePieces(path: string, pieces: readonly Uint8Array[]): void {
  const file = createPublicFile(path);
  try {
    appendPieces(file, pieces);
  } finally {
    closeSync(file);
  }
}

/** Creates an empty file for {@link appendPieces}. The caller closes it. */
export function createPublicFile(path: string): number {
  const file = openSync(path, 'w', FILE_MODE);
  makeOpenFilePublic(file);
  return file;
}

export function appendPieces(file: number, pieces: readonly Uint8Array[]): void {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const written = writevSync(file, pieces);
  // A nearly full disk may accept only a part. Writing the rest then throws the error of the disk.
  if (written < length) writeFileSync(file, Buffer.concat(pieces).subarray(written));
}

/** Undefined if `find` fails because a path does not exist. @throws any other error of `find` */
export function undefinedIfMissing<Result>(find: () => Result): Result | undefined {
  try {
    return find();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

export function errorCodeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

export async function undefinedIfMissingAsync<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT' || errorCodeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Undefined if the file does not exist. @throws any other file system error, with the path */
export function readFileIfPresent(path: string): Buffer | undefined {
  try {
    return undefinedIfMissing(() => readFileSync(path));
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}

/**
 * For an untrusted file, which may be a link to a device. The caller closes the descriptor.
 * @throws EISDIR for a folder, EFTYPE for a device or anything else that is not a file, EFBIG above `limit` bytes
 */
export function openRegularFile(path: string, limit = Number.POSITIVE_INFINITY): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = fstatSync(file);
  const code = stats.isDirectory() ? 'EISDIR' : !stats.isFile() ? 'EFTYPE' : 'EFBIG';
  if (stats.isFile() && stats.size <= limit) return file;
  closeSync(file);
  throw Object.assign(new Error(code), { code, path });
}

/** @throws as {@link openRegularFile} */
export function readBoundedText(path: string, limit: number): string {
  const file = openRegularFile(path, limit);
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Removes the folder only if it is empty, since it may contain foreign files. Returns whether it was removed. */
export function removeEmptyFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Yields the keys of all files in `folder` and its subfolders; none if the folder does not exist. `folder` and the keys
 * are paths relative to `base`.
 */
export function* filesBelow(base: string, folder: string): Generator<string> {
  for (const entry of entriesOf(base, folder)) {
    const key = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(base, key);
    else yield key;
  }
}

export function removeEmptyFolders(base: string, folders: Iterable<string>): void {
  for (const folder of folders) {
    const inside = entriesOf(base, folder).filter((entry) => entry.isDirectory());
    removeEmptyFolders(
      base,
      inside.map(({ name }) => `${folder}/${name}`),
    );
    removeEmptyFolder(join(base, folder));
  }
}

function entriesOf(base: string, folder: string): Dirent[] {
  return undefinedIfMissing(() => readdirSync(join(base, folder), { withFileTypes: true })) ?? [];
}

function makeOne(path: string, mode: number | undefined): void {
  mkdirSync(path, mode);
  if (mode !== undefined && umaskHidesFiles()) setMode(path, mode);
}

function makeLast(path: string, mode: number | undefined): void {
  try {
    makeOne(path, mode);
  } catch (error) {
    if (isFolder(path)) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new EnvironmentError('folder-refused', `No folder can be made at ${path}. Choose another place.`, {
      cause: error,
    });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
