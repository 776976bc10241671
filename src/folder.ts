/** Creates and removes folders, and reads files that may be absent. */
import { closeSync, mkdirSync, openSync, rmdirSync, statSync, writeFileSync, writevSync } from 'node:fs';
import { dirname } from 'node:path';
import { EnvironmentError } from './errors.ts';

/**
 * Makes a folder and its parents, unless they exist. Node's own recursive `mkdir` reports other errors, or never ends,
 * in some places.
 *
 * @throws the file system's own error, such as EROFS on a read-only disk; EnvironmentError `folder-refused` where
 *   folders are impossible, as below `/proc`.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // A read-only disk refuses even existing folders.
    if (isFolder(path)) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeLast(path);
  }
}

/** Writes a file from buffers, without joining them. */
export function writePieces(path: string, pieces: readonly Uint8Array[]): void {
  const file = openSync(path, 'w');
  try {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const written = writevSync(file, pieces);
    // A nearly full disk accepts a part; writing the rest throws its error.
    if (written < length) writeFileSync(file, Buffer.concat(pieces).subarray(written));
  } finally {
    closeSync(file);
  }
}

/** Returns undefined when a path does not exist. @throws any other error of the file system. */
export function ifThere<Result>(find: () => Result): Result | undefined {
  try {
    return find();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Removes a folder if it is empty. Returns whether it was removed: it may contain foreign files. */
export function removeFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder in an existing one. */
function makeLast(path: string): void {
  try {
    mkdirSync(path);
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
