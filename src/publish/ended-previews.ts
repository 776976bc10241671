import { CURRENT_KEY, PREVIEWS_FOLDER } from '../contract/object-keys.ts';
import {
  isPreviewKey,
  isPreviewName,
  parsePreviewPointer,
  parseSharedKeys,
  previewKeyPrefix,
  SHARED_KEYS_KEY,
} from '../contract/preview.ts';
import { EnvironmentError } from '../errors/errors.ts';
import type { Bucket } from '../storage/bucket.ts';
import { batches } from '../storage/for-each.ts';
import { type HeldLock, type LockOptions, takeLock } from '../storage/lock.ts';
import { isLogKey, mayHaveRequestsInFlight, readLog, timeSinceSign } from '../storage/lock-log.ts';
import { openPreviewBucket } from '../storage/preview-bucket.ts';

export type EndedPreviews = {
  readonly used: ReadonlySet<string>;
  /** Keys of immutable objects that expired and ended previews list. Others may use them too. */
  readonly unused: ReadonlySet<string>;
  /**
   * Keys below `_previews/` that belong to no preview, and lists of used objects that name other objects than shared
   * ones.
   */
  readonly strange: readonly string[];
  /**
   * Removes the folders of expired and ended previews, and releases their locks. Returns the names of these previews.
   */
  readonly remove: () => Promise<readonly string[]>;
  /** Releases the locks. Never throws. */
  readonly abandon: () => Promise<void>;
};

type Ended = { readonly name: string; readonly held: HeldLock; readonly keys: readonly string[] };

/** Milliseconds without a sign of life after which a publisher counts as killed, so its lock is taken over. */
const STOPPED = 24 * 60 * 60 * 1000;

/**
 * Ends expired previews and locks all expired and ended ones, so that nobody publishes to them. Skips a preview that
 * a publisher has locked.
 * @param bucket under the lock of the live release
 * @param until previews that expire by then count as expired: milliseconds since 1970 by the store's clock, estimated
 * low; `Infinity` for all
 */
export async function lockEndedPreviews(
  bucket: Bucket,
  until: number,
  lock: LockOptions = {},
): Promise<EndedPreviews> {
  const used = new Set<string>();
  const unused = new Set<string>();
  const ended: Ended[] = [];
  const { found, strange } = await ownKeys(bucket);
  const abandon = async () => {
    for (const { held } of ended) await held.abandon();
  };
  try {
    for (const [name, keys] of found) {
      const held = (await isOver(bucket, name, until)) ? await lockOf(bucket, name, until, lock) : undefined;
      if (held) ended.push({ name, held, keys });
      for (const key of keys.filter(isList)) {
        const place = previewKeyPrefix(name) + key;
        const list = parseSharedKeys((await bucket.read(place))?.body ?? Buffer.of());
        if (list.isStrange) strange.push(place);
        for (const one of list.keys) (held ? unused : used).add(one);
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
    abandon,
    async remove() {
      for (const { held, keys } of ended) {
        // Lists of used objects go last: if this is interrupted, the next prune needs them.
        await removeOwn(held, (key) => !isList(key), keys);
        await removeOwn(held, isList, keys);
        await held.finish({});
      }
      return ended.map(({ name }) => name);
    },
  };
}

async function ownKeys(bucket: Bucket): Promise<{ found: Map<string, string[]>; strange: string[] }> {
  const found = new Map<string, string[]>();
  const strange: string[] = [];
  for await (const { key } of bucket.list(`${PREVIEWS_FOLDER}/`)) {
    const [, name = ''] = key.split('/', 2);
    const own = key.slice(previewKeyPrefix(name).length);
    if (isPreviewName(name) && isLogKey(own)) continue;
    if (!isPreviewName(name) || !isPreviewKey(own)) strange.push(key);
    else if (found.has(name)) found.get(name)!.push(own);
    else found.set(name, [own]);
  }
  return { found, strange };
}

function isList(key: string): boolean {
  return key.endsWith(`/${SHARED_KEYS_KEY}`);
}

async function isOver(bucket: Bucket, name: string, until: number): Promise<boolean> {
  const current = await bucket.read(previewKeyPrefix(name) + CURRENT_KEY);
  const preview = current && parsePreviewPointer(current.body);
  return !preview || Date.parse(preview.expires) <= until;
}

async function lockOf(
  bucket: Bucket,
  name: string,
  until: number,
  { host, isExclusive }: LockOptions,
): Promise<HeldLock | undefined> {
  const own = openPreviewBucket(bucket, name);
  const log = await readLog(own);
  const isBusy = log.isHeld ? timeSinceSign(log) < STOPPED : mayHaveRequestsInFlight(log);
  if (isBusy && !own.fence) return undefined;
  let held: HeldLock;
  try {
    held = await takeLock(own, { host, isExclusive, isUsed: async () => false });
  } catch (error) {
    if (error instanceof EnvironmentError && error.code === 'bucket-locked') return undefined;
    throw error;
  }
  // A publish may have finished just before the lock was taken.
  if (await isOver(bucket, name, until)) {
    await held.bucket.remove([CURRENT_KEY]);
    return held;
  }
  await held.finish({});
  return undefined;
}

async function removeOwn({ bucket }: HeldLock, isMeant: (key: string) => boolean, keys: readonly string[]) {
  for (const group of batches(keys.filter(isMeant), 1000)) await bucket.remove(group);
}
