/** Reads the immutable objects of the packed layout, and believes none that has not its digest. */
import { digestName } from '../format/root.ts';
import type { Weighed } from './object-cache.ts';

/** What a platform gives, for one request. */
export type Platform = {
  /**
   * Reads an object of the bucket, perhaps from a cache; undefined when it is absent.
   *
   * @param isDoubted whether the bytes that came before were damaged: then from the bucket itself.
   */
  readonly read: (key: string, isDoubted: boolean) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Takes work that outlives the answer, as `waitUntil` does; undefined where nothing does. */
  readonly later?: ((work: Promise<unknown>) => void) | undefined;
  /** Receives the cause of a failed answer. */
  readonly report?: ((error: unknown) => void) | undefined;
};

/** How many times the bytes of an object it takes in memory once it is parsed, at most. */
const PARSED = 4;

/**
 * Reads an object that is named by its digest.
 *
 * @param parse what makes of the bytes what they mean; undefined when they are not of a known version.
 * @throws Error when there is no such object, or it is damaged.
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
 * Reads an object, a second time past all caches when the first bytes are damaged.
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

/** Work that others may wait for: it goes on when the request for which it was begun has gone. */
export function shared<T>({ later }: Platform, begin: () => Promise<T>): Promise<T> {
  const work = begin();
  later?.(work.catch(() => {}));
  return work;
}

/** The digest of some bytes, as the packed layout names objects. */
export async function hexadecimalDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return digestName(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
