/**
 * A bucket in a local folder: for your own server, rsync, NFS and tests. It keeps no headers.
 *
 * Two operations of the file system are atomic. Making a hard link with an unused name creates an entry of the log. A
 * rename makes every other change. Each holder has a folder of its own. The holder writes a file there, then renames
 * the file to the path of its key. To remove a file, the holder renames the file into that folder. The next holder
 * moves the folder away, so that later renames by the previous holder fail.
 */
import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { INCOMING_FOLDER } from '../../contract/object-keys.ts';
import { undefinedIfMissingAsync } from '../../files/files-and-folders.ts';
import { FOLDER_MODE, rememberUmask, restoreModes } from '../../files/published-modes.ts';
import {
  type Bucket,
  BucketError,
  compareKeys,
  etagOf,
  type LargeBody,
  type ListedObject,
  type LockLimit,
  objectReplacedError,
  type StoredObject,
} from '../bucket.ts';
import { readFileBody } from '../file-body.ts';
import { isLogKey } from '../lock-log.ts';
import { fileSystemTime, makeBucketFolder } from './file-system.ts';
import { createFolderWriter } from './folder-writer.ts';

export type FolderOptions = {
  /** `bytes`: MD5 of the content. `times`: size and time, so that a listing reads no file. @default 'bytes' */
  readonly tags?: 'bytes' | 'times' | undefined;
  /** Lets other users of the machine read the objects, whatever the umask. @default false */
  readonly isPublished?: boolean | undefined;
};

/** The first write creates the folder. */
export function openFolderBucket(
  root: string,
  { tags = 'bytes', isPublished = false }: FolderOptions = {},
): Bucket {
  if (isPublished) rememberUmask();
  const path = (key: string) => {
    assertKey(root, key);
    return join(root, key);
  };
  const { place, placeNew, remove, fence } = createFolderWriter(root, path, isPublished);
  let prepared: Promise<void> | undefined;
  /** Creates the root, readable for other users, before a fence could create it with the default mode. */
  const prepare = async () => {
    if (isPublished) prepared ??= makeBucketFolder(root, FOLDER_MODE);
    await prepared;
  };
  const read = async (key: string): Promise<StoredObject | undefined> => {
    // The error for a folder instead of a file (EISDIR) names no path.
    const named = (error: Error) => Promise.reject(Object.assign(error, { path: path(key) }));
    const body = await undefinedIfMissingAsync(readFile(path(key)).catch(named));
    const time = body && isLogKey(key) ? await fileSystemTime(dirname(path(key))) : undefined;
    return body && { body, tag: await tagAt(path(key), body, tags), time };
  };

  const open = (limit?: LockLimit): Bucket => ({
    name: `dir:${root}`,
    limited: open,
    read,
    readLarge: async (key) => readInParts(path(key)),
    async inspect(key) {
      const info = await undefinedIfMissingAsync(stat(path(key)));
      const tag = info && (await undefinedIfMissingAsync(tagOfFile(path(key), info, tags)));
      return tag === undefined || !info
        ? undefined
        : { tag, size: info.size, modified: info.mtime, headers: undefined };
    },
    async write(key, body, _headers, condition) {
      await prepare();
      // Writes to the log are not fenced: a publisher takes the lock in the log before it raises a fence.
      await (condition ? placeNew : place)(key, body, isLogKey(key) ? undefined : limit);
      const tag = await tagAt(path(key), body, tags);
      return { tag, time: (await undefinedIfMissingAsync(stat(path(key))))?.mtime };
    },
    async writeLarge(key, body, _headers) {
      await place(key, body, limit);
      const info = await stat(path(key));
      return { tag: await tagOfFile(path(key), info, tags), time: info.mtime };
    },
    async *list(prefix, after = '') {
      if (prefix !== '') assertKey(root, prefix.replace(/\/$/, ''));
      yield* listFolder(root, '', prefix, after, tags);
    },
    async remove(keys) {
      for (const key of keys) assertKey(root, key);
      return { time: await remove(keys, limit) };
    },
    fence,
    within: (prefix) => openFolderBucket(path(prefix.slice(0, -1)), { tags, isPublished }),
    restoreModes: isPublished
      ? (isOurs) => restoreModes(root, (path) => !path.startsWith(`${INCOMING_FOLDER}/`) && isOurs(path))
      : undefined,
  });
  return open();
}

/** Keys may come from strangers. @throws BucketError `key-refused` for a key that could lead out of the folder */
function assertKey(root: string, key: string): void {
  if (key.split('/').every((name) => !/^\.{0,2}$|[\\\0]/.test(name))) return;
  const text = `dir:${root}: ${JSON.stringify(key)} cannot be a key of a folder: a part of it is empty, "." or "..", or has a backslash. Nothing was done with it.`;
  throw new BucketError('key-refused', text, false);
}

function readInParts(file: string): LargeBody | undefined {
  const body = readFileBody(file, () => objectReplacedError(file));
  return Buffer.isBuffer(body)
    ? { size: body.length, read: async (from, to) => body.subarray(from, to) }
    : body;
}

/** With `times`, falls back to the hash of the bytes if the file is already gone. */
async function tagAt(file: string, body: Buffer, tags: FolderOptions['tags']): Promise<string> {
  const info = tags === 'times' ? await undefinedIfMissingAsync(stat(file)) : undefined;
  return info ? timesTag(info) : etagOf(body);
}

async function tagOfFile(file: string, info: Stats, tags: FolderOptions['tags']): Promise<string> {
  if (tags === 'times') return timesTag(info);
  const sum = createHash('md5');
  await pipeline(createReadStream(file), sum);
  return `"${sum.digest('hex')}"`;
}

function timesTag({ size, mtimeMs }: Stats): string {
  return `"${size}-${mtimeMs}"`;
}

async function* listFolder(
  root: string,
  folder: string,
  prefix: string,
  after: string,
  tags: FolderOptions['tags'],
): AsyncGenerator<ListedObject> {
  const entries = (await undefinedIfMissingAsync(readdir(join(root, folder), { withFileTypes: true }))) ?? [];
  const names = entries
    .filter((entry) => entry.isFile() || (entry.isDirectory() && entry.name !== INCOMING_FOLDER))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort(compareKeys);
  for (const name of names) {
    const key = folder + name;
    if (name.endsWith('/')) {
      const isWithin = key.startsWith(prefix) || prefix.startsWith(key);
      // A folder that sorts before `after` and does not contain it has no keys above `after`.
      if (isWithin && (compareKeys(key, after) > 0 || after.startsWith(key)))
        yield* listFolder(root, key, prefix, after, tags);
    } else if (key.startsWith(prefix) && compareKeys(key, after) > 0) {
      const path = join(root, key);
      const info = await undefinedIfMissingAsync(stat(path));
      const tag = info && (await undefinedIfMissingAsync(tagOfFile(path, info, tags)));
      if (!info || tag === undefined) continue;
      yield { key, tag, size: info.size, modified: info.mtime };
    }
  }
}
