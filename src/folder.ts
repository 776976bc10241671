/** Folders and files by their paths: makes folders, and says why it cannot; looks for what may not be there. */
import { mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EnvironmentError } from './errors.ts';

/**
 * Makes a folder with those above it, as Node's own recursive way does, which ends in other errors, or never. One that is
 * there is left as it is.
 *
 * @throws the file system's own error, such as EROFS on a read-only disk; EnvironmentError `folder-refused` where no
 *   folder can be, as below `/proc`.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // A read-only disk refuses a folder that is there, too, before it looks.
    if (isFolder(path)) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeLast(path);
  }
}

/** Writes one file below a folder, with the folders that it needs. */
export function writeDocument(root: string, key: string, content: string | Uint8Array): void {
  const path = join(root, key);
  makeFolder(dirname(path));
  writeFileSync(path, content);
}

/** What a function finds at a path; undefined where nothing is there. @throws any other error of the file system. */
export function ifThere<Result>(find: () => Result): Result | undefined {
  try {
    return find();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Removes a folder if nothing is left in it. Returns whether it did: foreign files may be in it. */
export function removeFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder in one that is there. */
function makeLast(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (isFolder(path)) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new EnvironmentError(
      'folder-refused',
      `No folder can be made at ${path}. Choose another one with --out.`,
      { cause: error },
    );
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
