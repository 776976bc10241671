/**
 * Objects of a folder with conditional writes. Each version is a file whose name is its number; the highest is the
 * object. A link makes it, so only one of several writers gets a number. The highest is never removed, so a writer that
 * slept meanwhile notices that it is too late.
 */
import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INCOMING_FOLDER } from '../../contract/object-keys.ts';
import { whenFree } from '../../files/rename-and-link.ts';
import { type Condition, ConditionFailed, type StoredObject, tagOf, type Written } from '../bucket.ts';
import { codeOf, LEFTOVER_AGE, makeFolder, orUndefined } from './fence.ts';

const ATTEMPTS = 100;

export type Versions = {
  readonly read: (key: string) => Promise<StoredObject | undefined>;
  /** `plain`: the object as a plain file, as in a copy of another bucket; it counts until there is a version. */
  readonly write: (
    key: string,
    body: Buffer,
    condition: Condition | undefined,
    plain: StoredObject | undefined,
  ) => Promise<Written>;
  readonly remove: (key: string) => Promise<void>;
};

export function createVersions(root: string): Versions {
  const folderOf = (key: string) => join(root, INCOMING_FOLDER, 'versions', key.replaceAll('/', '~'));

  const latest = async (folder: string): Promise<{ number: number; object?: StoredObject }> => {
    for (;;) {
      const number = Math.max(0, ...(await numbersIn(folder)));
      if (number === 0) return { number };
      const file = join(folder, String(number));
      const body = await orUndefined(readFile(file));
      const info = await orUndefined(stat(file));
      // Another writer replaced it in between.
      if (!body || !info) continue;
      return { number, object: { body, tag: tagOf(body), modified: info.mtime } };
    }
  };
  const attempt = async (
    folder: string,
    key: string,
    body: Buffer,
    condition: Condition | undefined,
    plain: StoredObject | undefined,
  ): Promise<Written> => {
    const { number, object = plain } = await latest(folder);
    const wanted = condition && 'tag' in condition ? condition.tag : undefined;
    if (condition && object?.tag !== wanted) throw new ConditionFailed(key);
    await makeFolder(folder);
    const own = join(folder, String(number + 1));
    const time = await linked(folder, own, body, key);
    const numbers = await numbersIn(folder);
    if (Math.max(...numbers) !== number + 1) {
      await rm(own, { force: true });
      throw new ConditionFailed(key);
    }
    for (const old of numbers) if (old <= number) await rm(join(folder, String(old)), { force: true });
    return { tag: tagOf(body), time };
  };

  return {
    async read(key) {
      const folder = folderOf(key);
      const { object } = await latest(folder);
      return object && { ...object, time: await timeOf(folder) };
    },
    async write(key, body, condition, plain) {
      for (let time = 1; ; time++) {
        try {
          return await attempt(folderOf(key), key, body, condition, plain);
        } catch (error) {
          if (condition || !(error instanceof ConditionFailed) || time === ATTEMPTS) throw error;
        }
      }
    },
    remove: (key) => rm(folderOf(key), { recursive: true, force: true }),
  };
}

async function numbersIn(folder: string): Promise<number[]> {
  const names = (await orUndefined(readdir(folder))) ?? [];
  return names.filter((name) => /^[1-9]\d{0,14}$/.test(name)).map(Number);
}

async function linked(folder: string, name: string, body: Buffer, key: string): Promise<Date> {
  const staged = join(folder, `.${randomUUID()}`);
  try {
    await writeFile(staged, body);
    const { mtime } = await stat(staged);
    await whenFree(() => link(staged, name));
    await sweep(folder, mtime.getTime());
    return mtime;
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? new ConditionFailed(key) : error;
  } finally {
    await rm(staged, { force: true });
  }
}

async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('.')) continue;
    const info = await orUndefined(stat(join(folder, name)));
    if (info && now - info.mtimeMs > LEFTOVER_AGE) await rm(join(folder, name), { force: true });
  }
}

/** The file system's clock, which may be another machine's; undefined where nothing may be written. */
async function timeOf(folder: string): Promise<Date | undefined> {
  const probe = join(folder, `.${randomUUID()}`);
  try {
    await writeFile(probe, '');
    const { mtime } = await stat(probe);
    await unlink(probe);
    return mtime;
  } catch {
    return undefined;
  }
}
