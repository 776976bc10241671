/** Writes files whole or not at all. */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Puts a text in the place of a file. A reader sees the old one or the new one. A link stays a link, and the
 * permissions stay as they are.
 *
 * @throws the error of the file system; the file is as it was then.
 */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  // A name with a dot in front is passed over by builds and watchers.
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID().slice(0, 8)}`);
  const file = openSync(temporary, 'wx', statSync(target).mode);
  try {
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
