/** Reads immutable objects of a release tree and verifies their digests. */
import { digestFromSha256 } from '../format/root.ts';
import type { SizedValue } from './object-cache.ts';

/** What a platform provides for one request. */
export type PlatformServices = {
  /**
   * Undefined if the object is missing.
   * @param isDoubted bypasses caches, since their bytes were damaged or may be outdated
   */
  readonly read: (key: string, isDoubted: boolean) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Keeps work running after the response, as `waitUntil` does. Undefined if the platform cannot. */
  readonly later?: ((work: Promise<unknown>) => void) | undefined;
  /** Called with the cause of a failed response. */
  readonly report: (error: unknown) => void;
};

/** Estimated size of a parsed object in memory, as a multiple of its bytes. */
const PARSED_FACTOR = 4;

/**
 * @param parse returns undefined for an unknown version
 * @throws Error if the object is missing or damaged
 */
export function readObject<T>(
  key: string,
  digest: string,
  parse: (bytes: Uint8Array<ArrayBuffer>) => T | undefined,
  platform: PlatformServices,
): Promise<SizedValue<T>> {
  const check = async (bytes: Uint8Array<ArrayBuffer>) => (await hexadecimalDigest(bytes)) === digest;
  return startSharedWork(platform, async () => {
    const object = await readCheckedObject(key, check, parse, platform);
    if (!object) throw new Error(`There is no ${key}.`);
    return object;
  });
}

/** Reads a damaged object again without caches. Undefined if it is missing. @throws Error if it stays damaged */
export async function readCheckedObject<T>(
  key: string,
  check: (bytes: Uint8Array<ArrayBuffer>) => Promise<boolean>,
  parse: (bytes: Uint8Array<ArrayBuffer>) => T | undefined,
  { read }: PlatformServices,
): Promise<SizedValue<T> | undefined> {
  for (const isDoubted of [false, true]) {
    const bytes = await read(key, isDoubted);
    if (!bytes) return undefined;
    const value = (await check(bytes)) ? parse(bytes) : undefined;
    if (value !== undefined) return { value, bytes: PARSED_FACTOR * bytes.length };
  }
  throw new Error(`${key} is damaged.`);
}

/** Keeps the work running after the request that started it, since other requests may wait for it too. */
export function startSharedWork<T>({ later }: PlatformServices, begin: () => Promise<T>): Promise<T> {
  const work = begin();
  later?.(work.catch(() => {}));
  return work;
}

/** Digest as in the names of a release's objects: the first 128 bits of the SHA-256. */
export async function hexadecimalDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return digestFromSha256(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
