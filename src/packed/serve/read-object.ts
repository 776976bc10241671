/** Reads immutable objects of the packed layout, and verifies their digests. */
import { digestName } from '../format/root.ts';
import type { Weighed } from './object-cache.ts';

/** Platform functions for one request. */
export type Platform = {
  /**
   * Reads an object, possibly through a cache; undefined when it is absent.
   *
   * @param isDoubted whether to bypass caches, since the first bytes were damaged.
   */
  readonly read: (key: string, isDoubted: boolean) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Keeps work alive beyond the answer, as `waitUntil` does; undefined on platforms without that. */
  readonly later?: ((work: Promise<unknown>) => void) | undefined;
  /** Receives the cause of a failed answer. */
  readonly report?: ((error: unknown) => void) | undefined;
};

/** Upper bound of the size of a parsed object, relative to its bytes. */
const PARSED = 4;

/**
 * Reads an object named by its digest.
 *
 * @param parse parses the bytes; undefined for an unknown version.
 * @throws Error when the object is absent or damaged.
 */
export function readObject<T>(
  key: string,
  digest: string,
  parse: (bytes: Uint8Array<ArrayBuffer>) => T | undefined,
  platform: Platform,
): Promise<Weighed<T>> {
  const check = async (bytes: Uint8Array<ArrayBuffer>) => (await hexadecimalDigest(bytes)) === digest;
  return shared(platform, async () => {
    const object = await readChecked(key, check, parse, platform);
    if (!object) throw new Error(`There is no ${key}.`);
    return object;
  });
}

/**
 * Reads an object; when it is damaged, once more without caches.
 *
 * @returns undefined when it is absent.
 * @throws Error when it is damaged.
 */
export async function readChecked<T>(
  key: string,
  check: (bytes: Uint8Array<ArrayBuffer>) => Promise<boolean>,
  parse: (bytes: Uint8Array<ArrayBuffer>) => T | undefined,
  { read }: Platform,
): Promise<Weighed<T> | undefined> {
  for (const isDoubted of [false, true]) {
    const bytes = await read(key, isDoubted);
    if (!bytes) return undefined;
    const value = (await check(bytes)) ? parse(bytes) : undefined;
    if (value !== undefined) return { value, bytes: PARSED * bytes.length };
  }
  throw new Error(`${key} is damaged.`);
}

/** Starts shared work, which continues after the request that started it has ended. */
export function shared<T>({ later }: Platform, begin: () => Promise<T>): Promise<T> {
  const work = begin();
  later?.(work.catch(() => {}));
  return work;
}

/** Computes the digest that names an object of the packed layout. */
export async function hexadecimalDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return digestName(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
