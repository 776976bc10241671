/**
 * Reads and writes never leave the content folder through a link. On Linux, the file's folder is opened and used as
 * `/proc/self/fd/…`, so that nobody can replace it with a link after the check.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileErrorReason } from '../../errors/file-error.ts';
import { writeAtomically } from '../../files/atomic-write.ts';
import { digestOf } from '../../release/digest.ts';
import { isHidden, isInside } from '../../source/content-path.ts';
import { MAX_FILE_BYTES } from '../../source/source-text.ts';
import { RefusedRequest } from '../api/refused-request.ts';

export type ContentFile = {
  readonly bytes: Buffer;
  readonly version: string;
  readonly mode: number;
};

/** File names that every system allows: no drives, NTFS streams, short names such as `A~1`, or control characters. */
const PART = /^[^\\/:*?"<>|~\u0000-\u001f\u007f]+$/;
/** Windows reserves device names, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const LONGEST_PATH = 1000;
export const MAX_PHOTO_BYTES = 1 << 26;

function isContentPath(path: string): boolean {
  const parts = path.split('/');
  if (path.length > LONGEST_PATH || isHidden(path) || path.includes('\0') || parts.includes('')) return false;
  return process.platform !== 'win32' || isPortablePath(path);
}

function isPortablePath(path: string): boolean {
  return path.split('/').every((part) => PART.test(part) && !DEVICE.test(part) && !/[. ]$/.test(part));
}

/** @throws RefusedRequest `not-found`, `too-large`, `not-written` */
export function readContentFile(root: string, path: string, limit = MAX_FILE_BYTES): ContentFile {
  return within(root, path, (file) => readFile(file, path, limit));
}

/**
 * Undefined if the content folder has no such file, or if the file is larger than {@link MAX_PHOTO_BYTES}.
 * @throws RefusedRequest `not-written` if the system refuses
 */
export function readIfPresent(root: string, path: string): ContentFile | undefined {
  try {
    return readContentFile(root, path, MAX_PHOTO_BYTES);
  } catch (error) {
    if (error instanceof RefusedRequest && ['not-found', 'too-large'].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * Writes atomically and keeps the permissions.
 * @throws RefusedRequest `changed-meanwhile` if the file has another version; `not-found`, `too-large`, `not-written`
 */
export function replaceContentFile(
  root: string,
  path: string,
  version: string,
  bytes: Buffer | string,
): void {
  within(root, path, (file) => {
    const { mode } = checkVersion(file, path, version);
    const beforeRename = () => void checkVersion(file, path, version);
    writeAtomically(file, bytes, { mode, isDurable: true, beforeRename });
  });
}

/** Writes atomically; creates missing folders. @throws RefusedRequest `name-taken`, `not-found`, `not-written` */
export function createContentFile(root: string, path: string, bytes: Buffer | string): void {
  if (!isContentPath(path)) throw outside(path);
  if (!isPortablePath(path))
    throw new RefusedRequest('not-written', `${path} cannot be a file's name on every system.`);
  try {
    makeFolders(root, dirname(path));
    inFolder(root, join(root, dirname(path)), (folder) =>
      writeAtomically(join(folder, basename(path)), bytes, { isNew: true, isDurable: true }),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new RefusedRequest('name-taken', `There is a file ${path} already.`);
    }
    throw refusedBy(error, path);
  }
}

/** Removes a link, not the file that it points to. @throws as {@link replaceContentFile} */
export function removeContentFile(root: string, path: string, version: string): void {
  const remove = (file: string) => {
    within(root, path, (shown) => checkVersion(shown, path, version));
    rmSync(file);
  };
  within(root, path, remove, (whole) => join(realpathSync(dirname(whole)), basename(whole)));
}

function within<Result>(
  root: string,
  path: string,
  act: (file: string) => Result,
  resolve: (whole: string) => string = realpathSync,
): Result {
  if (!isContentPath(path)) throw outside(path);
  try {
    const real = resolve(join(root, path));
    return inFolder(root, dirname(real), (folder) => act(join(folder, basename(real))));
  } catch (error) {
    throw refusedBy(error, path);
  }
}

function inFolder<Result>(root: string, real: string, act: (folder: string) => Result): Result {
  const inside = relative(root, real);
  if (!isInside(root, real)) throw outside(inside);
  if (process.platform !== 'linux') {
    if (realpathSync(real) !== real) throw outside(inside);
    return act(real);
  }
  const handle = openSync(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const folder = `/proc/self/fd/${handle}`;
    if (!isInside(root, readlinkSync(folder))) throw outside(inside);
    return act(folder);
  } finally {
    closeSync(handle);
  }
}

function makeFolders(root: string, path: string): void {
  let parent = root;
  for (const name of path.split('/')) {
    if (name === '.') continue;
    inFolder(root, parent, (folder) => {
      const own = join(folder, name);
      if (!existsSync(own)) mkdirSync(own);
      if (!lstatSync(own).isDirectory()) throw outside(path);
    });
    parent = parent + sep + name;
  }
}

function readFile(file: string, path: string, limit: number): ContentFile {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new RefusedRequest('not-found', `${path} is no file.`);
    if (stats.size > limit)
      throw new RefusedRequest('too-large', `${path} has more bytes than a file may have.`);
    const bytes = readFileSync(handle);
    return { bytes, version: digestOf(bytes), mode: stats.mode };
  } finally {
    closeSync(handle);
  }
}

function checkVersion(file: string, path: string, version: string): ContentFile {
  const found = readFile(file, path, MAX_PHOTO_BYTES);
  if (found.version === version) return found;
  throw new RefusedRequest('changed-meanwhile', `${path} changed since this page read it.`);
}

function outside(path: string): RefusedRequest {
  return new RefusedRequest(
    'not-found',
    `There is no such file in the content folder: ${path.slice(0, 200)}.`,
  );
}

function refusedBy(error: unknown, path: string): unknown {
  if (error instanceof RefusedRequest) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return outside(path);
  return new RefusedRequest('not-written', `The system refuses ${path}: ${fileErrorReason(error)}.`);
}
