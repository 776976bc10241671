/** A bucket that is a folder: for a server of one's own, rsync, NFS, and tests. It keeps no headers. */
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Bucket, BucketError, ConditionFailed, type ListedObject, tagOf } from './bucket.ts';

/** Folder of files on their way, and of the marks that make conditional writes one at a time. */
const INCOMING = '.catalogue-incoming';
/** Milliseconds after which a mark was left behind by a process that ended. */
const STALE = 10_000;

/** Opens a folder; it is made when something is written. */
export function openFolder(root: string): Bucket {
  const path = (key: string) => join(root, ...key.split('/'));
  const made = new Set<string>();
  const ensure = async (folder: string) => {
    if (made.has(folder)) return;
    await mkdir(folder, { recursive: true });
    made.add(folder);
  };

  /** Tries again when somebody removed an emptied folder since. */
  const withFolders = async (folders: readonly string[], work: () => Promise<void>) => {
    for (let attempt = 1; ; attempt++) {
      try {
        for (const folder of folders) await ensure(folder);
        return await work();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt > 5) throw error;
        for (const folder of folders) made.delete(folder);
      }
    }
  };

  /** Puts a whole file in place. */
  const place = async (key: string, body: Buffer) => {
    const incoming = join(root, INCOMING, randomUUID());
    try {
      await withFolders([join(root, INCOMING)], () => writeFile(incoming, body));
      await withFolders([dirname(path(key))], () => rename(incoming, path(key)));
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
  };

  const read = async (key: string) => {
    const body = await orUndefined(readFile(path(key)));
    return body && { body, tag: tagOf(body) };
  };

  const conditional = async (key: string, body: Buffer, tag: string | undefined) => {
    const mark = join(root, INCOMING, `mark-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`);
    await withFolders([join(root, INCOMING)], () => takeMark(mark, join(root, INCOMING, randomUUID())));
    try {
      const present = await read(key);
      if (present?.tag !== tag) throw new ConditionFailed(key);
      await place(key, body);
    } finally {
      await rm(mark, { force: true });
    }
  };

  return {
    name: `dir:${root}`,
    read,
    async inspect(key) {
      const object = await read(key);
      if (!object) return undefined;
      const { size, mtime } = await stat(path(key));
      return { tag: object.tag, size, modified: mtime, headers: undefined };
    },
    async write(key, body, _headers, condition) {
      if (!condition) await place(key, body);
      else await conditional(key, body, 'absent' in condition ? undefined : condition.tag);
      return { tag: tagOf(body) };
    },
    list: (prefix, after = '') => listFolder(root, '', prefix, after),
    async remove(keys) {
      for (const key of keys) {
        await orUndefined(unlink(path(key)));
        await removeEmpty(root, dirname(path(key)), made);
      }
      await removeEmpty(root, join(root, INCOMING), made);
    },
  };
}

/** A link is made whole or not at all, on NFS too. */
async function takeMark(mark: string, own: string): Promise<void> {
  await writeFile(own, '');
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        return await link(own, mark);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const age = Date.now() - ((await orUndefined(stat(mark)))?.mtimeMs ?? Date.now());
      if (age > STALE) await rm(mark, { force: true });
      else if (attempt > 2000) throw new BucketError('bucket-busy', `${mark} does not go away.`, true);
      else await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** Removes folders that have become empty, up to the root. */
async function removeEmpty(root: string, folder: string, made: Set<string>): Promise<void> {
  for (let current = folder; current.length > root.length; current = dirname(current)) {
    try {
      await rmdir(current);
      made.delete(current);
    } catch {
      return;
    }
  }
}

async function* listFolder(
  root: string,
  folder: string,
  prefix: string,
  after: string,
): AsyncGenerator<ListedObject> {
  const entries = (await orUndefined(readdir(join(root, folder), { withFileTypes: true }))) ?? [];
  const names = entries
    .filter((entry) => entry.isFile() || (entry.isDirectory() && entry.name !== INCOMING))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const name of names) {
    const key = folder + name;
    if (name.endsWith('/')) {
      const isWithin = key.startsWith(prefix) || prefix.startsWith(key);
      // Whatever is below a folder that sorts before `after`, and does not hold it, sorts before it too.
      if (isWithin && (key > after || after.startsWith(key))) yield* listFolder(root, key, prefix, after);
    } else if (key.startsWith(prefix) && key > after) {
      const path = join(root, key);
      const body = await orUndefined(readFile(path));
      const info = await orUndefined(stat(path));
      if (body && info) yield { key, tag: tagOf(body), size: body.length, modified: info.mtime };
    }
  }
}

/** The result, or undefined when there is no such file. */
async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
