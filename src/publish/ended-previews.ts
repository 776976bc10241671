import { CURRENT_KEY, PREVIEWS_FOLDER } from '../contract/object-keys.ts';
import {
  isKeyWithinPreview,
  isPreviewName,
  parsePreviewPointer,
  parseSharedKeys,
  previewKeyPrefix,
  SHARED_LIST_KEY,
} from '../contract/preview-keys.ts';
import type { Bucket } from '../storage/bucket.ts';
import { batches } from '../storage/for-each.ts';
import { type HeldLock, type LockOptions, takeLock } from '../storage/lock.ts';
import { isLogKey } from '../storage/lock-log.ts';
import { openPreviewBucket } from '../storage/preview-bucket.ts';

export type EndedPreviews = {
  readonly used: ReadonlySet<string>;
  /** Keys of shared objects that the releases to remove use. Other releases may still use some of these objects. */
  readonly unused: ReadonlySet<string>;
  /**
   * Keys below `_previews/` that no publish writes. Also the keys of `used.json` files that are damaged or name objects
   * that are not shared.
   */
  readonly strange: readonly string[];
  /**
   * Names of previews that have objects to remove, but whose lock could not be taken or was lost. Objects that were not
   * removed yet stay.
   */
  readonly busy: readonly string[];
  /**
   * Removes ended and expired previews, and replaced releases of other previews, then gives the locks back. Shared
   * objects stay. Returns the names of previews that have nothing left but their log.
   */
  readonly remove: () => Promise<readonly string[]>;
  /** Gives the locks back without removing anything. Never throws. */
  readonly abandon: () => Promise<void>;
};

/** Keys of a preview's objects, without the path of the preview's folder. */
type Listed = {
  readonly keys: readonly string[];
  readonly removable: readonly string[];
};

type Ended = Listed & { readonly name: string; readonly held: HeldLock };

/**
 * Locks each preview that ended, expired or has replaced releases, so that nobody publishes to it while its objects
 * are removed. Stops serving expired previews at once.
 * @param bucket the caller must hold its lock
 * @param until milliseconds since 1970. Previews that expire by this time count as expired. Pass a time that is not
 * after the store's time, or `Infinity` to end all previews
 */
export async function lockEndedPreviews(
  bucket: Bucket,
  until: number,
  lock: LockOptions = {},
): Promise<EndedPreviews> {
  const [used, unused] = [new Set<string>(), new Set<string>()];
  const ended: Ended[] = [];
  const busy: string[] = [];
  const { found, strange } = await ownKeys(bucket, `${PREVIEWS_FOLDER}/`);
  const abandon = async () => {
    for (const { held } of ended) await held.abandon();
  };
  try {
    for (const [name, listed] of found) {
      const seen = removableKeys(listed, await shownRelease(bucket, name, until));
      const locked = seen.length > 0 ? await lockEnded(bucket, name, until, lock) : undefined;
      if (locked) ended.push(locked);
      else if (seen.length > 0) busy.push(name);
      const { keys, removable }: Listed = locked ?? { keys: listed, removable: [] };
      for (const key of keys.filter(isSharedKeysFile)) {
        const place = previewKeyPrefix(name) + key;
        const list = parseSharedKeys((await bucket.read(place))?.body ?? Buffer.of());
        if (list.isForeign) strange.push(place);
        for (const one of list.keys) (removable.includes(key) ? unused : used).add(one);
      }
    }
  } catch (error) {
    await abandon();
    throw error;
  }
  return {
    used,
    unused,
    strange,
    busy,
    abandon,
    async remove() {
      const whole: string[] = [];
      while (ended[0]) {
        const { name, keys, removable } = ended[0];
        if (!(await removeEnded(ended[0]))) busy.push(name);
        else if (removable.length === keys.length) whole.push(name);
        // The lock was given back or lost, so `abandon` must skip it.
        ended.shift();
      }
      return whole;
    },
  };
}

/** `shown`: the release that the preview serves, which stays; undefined if it serves none. */
function removableKeys(keys: readonly string[], shown: string | undefined): string[] {
  return shown === undefined
    ? [...keys]
    : keys.filter((key) => key !== CURRENT_KEY && !key.startsWith(`${shown}/`));
}

async function ownKeys(
  bucket: Bucket,
  prefix: string,
): Promise<{ found: Map<string, string[]>; strange: string[] }> {
  const found = new Map<string, string[]>();
  const strange: string[] = [];
  for await (const { key } of bucket.list(prefix)) {
    const [, name = ''] = key.split('/', 2);
    const own = key.slice(previewKeyPrefix(name).length);
    if (isPreviewName(name) && isLogKey(own)) continue;
    if (!isPreviewName(name) || !isKeyWithinPreview(own)) strange.push(key);
    else if (found.has(name)) found.get(name)!.push(own);
    else found.set(name, [own]);
  }
  return { found, strange };
}

function isSharedKeysFile(key: string): boolean {
  return key.endsWith(`/${SHARED_LIST_KEY}`);
}

async function shownRelease(bucket: Bucket, name: string, until: number): Promise<string | undefined> {
  const current = await bucket.read(previewKeyPrefix(name) + CURRENT_KEY);
  const preview = current && parsePreviewPointer(current.body);
  return preview && Date.parse(preview.expires) > until ? preview.release : undefined;
}

/**
 * Errors that the log of a preview can cause. They must not stop a prune: otherwise, anybody with write access
 * only to previews could stop it.
 */
const OWN_FAULTS: readonly unknown[] = ['bucket-locked', 'lock-lost', 'newer-version', 'key-refused'];

function undefinedIfOwnFault(error: unknown): undefined {
  if (!OWN_FAULTS.includes((error as { readonly code?: unknown }).code)) throw error;
}

/**
 * Returns undefined if the preview cannot be locked: another publisher holds its lock or was faster to take it, or its
 * log is full or was written by a newer version.
 */
async function lockEnded(
  bucket: Bucket,
  name: string,
  until: number,
  { host, isExclusive, note }: LockOptions,
): Promise<Ended | undefined> {
  const own = openPreviewBucket(bucket, name);
  const options = { host, isExclusive, note, isUsed: async () => false };
  const held = await takeLock(own, options).catch(undefinedIfOwnFault);
  if (!held) return undefined;
  try {
    // Lists the preview again, since a publish may have finished just before the lock was taken.
    const keys = (await ownKeys(bucket, previewKeyPrefix(name))).found.get(name) ?? [];
    const removable = removableKeys(keys, await shownRelease(bucket, name, until));
    if (removable.includes(CURRENT_KEY)) await held.bucket.remove([CURRENT_KEY]);
    return { name, held, keys, removable };
  } catch (error) {
    await held.abandon();
    return undefinedIfOwnFault(error);
  }
}

/** Gives the lock back. Returns false after an error that {@link OWN_FAULTS} lists, such as a lost lock. */
async function removeEnded({ held, removable }: Ended): Promise<boolean> {
  try {
    // `used.json` goes last: if this prune is interrupted, the next one reads there which shared objects to remove.
    for (const keys of [
      removable.filter((key) => !isSharedKeysFile(key)),
      removable.filter(isSharedKeysFile),
    ])
      for (const group of batches(keys, 1000)) await held.bucket.remove(group);
    await held.finish({});
    return true;
  } catch (error) {
    undefinedIfOwnFault(error);
    return false;
  }
}
