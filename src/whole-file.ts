/** Writes files whole or not at all: a reader sees the old one, or the new one. */
import { randomUUID } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { linkFile, renameFile } from './file-names.ts';

/**
 * Makes a file under a temporary name, and then gives it its own. Where either fails, nothing is left behind.
 *
 * @param temporary on the file system of `path`.
 * @param write makes the file under the temporary name.
 * @param place gives it its own. @default renames it, and so replaces a file that is there
 */
export function putFile(
  temporary: string,
  path: string,
  write: (temporary: string) => void,
  place: (temporary: string, path: string) => void = renameFile,
): void {
  try {
    write(temporary);
    place(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** How to write. */
export type WholeFileOptions = {
  /** Permissions. @default those of a new file */
  readonly mode?: number;
  /** Has the bytes on the disk before the file gets its name: they outlive a failure of the power. @default false */
  readonly isDurable?: boolean;
  /** Replaces no file: where there is one, EEXIST is thrown. @default false */
  readonly isNew?: boolean;
  /** Called before the file gets its name; what it throws leaves everything as it was. @default none */
  readonly judge?: () => void;
};

/** Writes a file from beside its place. @throws the error of the file system; everything is as it was then. */
export function writeWholeFile(path: string, bytes: Buffer | string, options: WholeFileOptions = {}): void {
  const { mode, isDurable, isNew, judge } = options;
  // Builds and watches pass over a name that starts with a dot.
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}`);
  const write = () => {
    const file = openSync(temporary, 'wx', mode);
    try {
      // The mask of the process may have taken some permissions away.
      if (mode !== undefined) fchmodSync(file, mode);
      writeFileSync(file, bytes);
      if (isDurable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    judge?.();
  };
  putFile(temporary, path, write, isNew ? linkFile : renameFile);
}
