/** Writes files atomically: a reader sees the old file or the new one. */
import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { linkFile, renameFile } from './rename-and-link.ts';

/**
 * `temporary` must be on the same file system as `path`. The function removes the temporary file, even after a failure.
 * @param moveIntoPlace renames `temporary` to `path`, or links or copies it. @default renames it
 */
export function writeViaTemporaryFile(
  temporary: string,
  path: string,
  write: (temporary: string) => void,
  moveIntoPlace: (temporary: string, path: string) => void = renameFile,
): void {
  let isPlaced = false;
  try {
    write(temporary);
    moveIntoPlace(temporary, path);
    isPlaced = true;
  } finally {
    // A rename leaves no temporary file to remove.
    if (!isPlaced || moveIntoPlace !== renameFile) removeFile(temporary);
  }
}

/** Faster than `rmSync` with `force`, which looks at the file first. */
function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

export type AtomicWriteOptions = {
  /** @default the mode that the umask gives to a new file */
  readonly mode?: number;
  /** Flushes to disk before the rename, so that the file survives a power failure. @default false */
  readonly isDurable?: boolean;
  /** Throws EEXIST if the file exists. @default false */
  readonly isNew?: boolean;
  /** Called before the rename; if it throws, nothing is changed. */
  readonly beforeRename?: () => void;
};

/** @throws file system errors; the old file is then unchanged */
export function writeAtomically(
  path: string,
  bytes: Buffer | string | Generator<string>,
  options: AtomicWriteOptions = {},
): void {
  const { mode, isDurable, isNew, beforeRename } = options;
  // Builds and watchers ignore names that start with a dot. The name is cut, since the limit is 255 bytes.
  const name = basename(path).slice(0, 40);
  const temporary = join(dirname(path), `.${name}.${randomUUID().slice(0, 8)}`);
  const write = () => {
    const file = openSync(temporary, 'wx', mode);
    try {
      // The process's umask may have removed permissions.
      if (mode !== undefined) fchmodSync(file, mode);
      const parts = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes;
      for (const part of parts) writeFileSync(file, part);
      if (isDurable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    beforeRename?.();
  };
  writeViaTemporaryFile(temporary, path, write, isNew ? linkFile : renameFile);
}
