/** Makes published files readable for a web server that runs as another user, whatever the umask of this process. */
import { chmodSync, fchmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

export const FILE_MODE = 0o644;
export const FOLDER_MODE = 0o755;

const HIDES = 'catalogue: whether the umask hides new files from other users';

/** Call this before threads start: reading the umask changes it for a moment. */
export function rememberUmask(): void {
  setEnvironmentData(HIDES, process.platform !== 'win32' && (process.umask() & 0o055) !== 0);
}

/** Whether the umask removes permissions of a published file or folder; false before {@link rememberUmask}. */
export function umaskHidesFiles(): boolean {
  return getEnvironmentData(HIDES) === true;
}

/** Sets {@link FILE_MODE} on a new file, whose mode the umask may have narrowed. */
export function makeOpenFilePublic(file: number): void {
  if (umaskHidesFiles()) ignoringRefusal(() => fchmodSync(file, FILE_MODE));
}

/** Keeps special bits, such as setgid. */
export function setMode(path: string, mode: number, stats: Stats = statSync(path)): void {
  if (hasMode(stats, mode)) return;
  ignoringRefusal(() => chmodSync(path, (stats.mode & 0o7000) | mode));
}

/** Always true on Windows, which has other permissions. */
export function hasMode({ mode: present }: Pick<Stats, 'mode'>, mode: number): boolean {
  return process.platform === 'win32' || (present & 0o777) === mode;
}

/**
 * Sets the modes of published files, and of folders that contain any. Skips links.
 * @param isPublished receives a path relative to `root`, with slashes
 */
export async function restoreModes(
  root: string,
  isPublished: (path: string) => boolean = () => true,
): Promise<void> {
  let count = 0;
  const restore = async (below: string): Promise<boolean> => {
    let isParent = false;
    for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
      const path = below + entry.name;
      // Yields to the event loop, so that the build's lock can be renewed in between.
      if (++count % 256 === 0) await nextTurn();
      if (entry.isDirectory()) isParent = (await restore(`${path}/`)) || isParent;
      else if (entry.isFile() && isPublished(path)) {
        setMode(join(root, path), FILE_MODE, lstatSync(join(root, path)));
        isParent = true;
      }
    }
    if (isParent) setMode(join(root, below), FOLDER_MODE);
    return isParent;
  };
  await restore('');
}

/** Ignores an error of `change`: only a file's owner can change its mode, and some disks do not support it. */
function ignoringRefusal(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!['EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
