import { existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeAtomically } from '../../files/atomic-write.ts';
import { git } from './git.ts';

export async function gitIndexPath(folder: string): Promise<string> {
  return resolve(folder, (await git(folder, ['rev-parse', '--git-path', 'index'])).trim());
}

/**
 * Copies the index. The returned function writes the copy to `path`, by default back to the index itself. If there was
 * no index to copy, that function removes the file at `path`.
 */
export function snapshotIndex(index: string): (path?: string) => void {
  if (!existsSync(index)) return (path = index) => rmSync(path, { force: true });
  const bytes = readFileSync(index);
  const { atime, mtime } = statSync(index);
  return (path = index) => {
    writeAtomically(path, bytes, { isDurable: true });
    // With a later mtime, Git would miss changes that were made while it wrote the old index.
    utimesSync(path, atime, mtime);
  };
}
