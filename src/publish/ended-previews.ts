import { CURRENT_KEY, PREVIEWS_FOLDER } from '../contract/object-keys.ts';
import {
  isPreviewKey,
  isPreviewName,
  parsePreviewPointer,
  parseSharedKeys,
  previewKeyPrefix,
  SHARED_KEYS_KEY,
} from '../contract/preview.ts';
import type { Bucket } from '../storage/bucket.ts';
import { batches } from '../storage/for-each.ts';
import { type HeldLock, type LockOptions, takeLock } from '../storage/lock.ts';
import { isLogKey } from '../storage/lock-log.ts';
import { openPreviewBucket } from '../storage/preview-bucket.ts';

export type EndedPreviews = {
  readonly used: ReadonlySet<string>;
  /** Keys that ended, expired and replaced releases of previews list. Others may use them too. */
  readonly unused: ReadonlySet<string>;
  /**
   * Keys below `_previews/` that belong to no preview, and lists of used objects that name other objects than shared
   * ones.
   */
  readonly strange: readonly string[];
  /** Names of previews that are over, or were replaced, but have a publisher: nothing of them may be removed. */
  readonly busy: readonly string[];
  /** Removes what is over, and releases the locks. Returns the names of previews of which only the log is left. */
  readonly remove: () => Promise<readonly string[]>;
  /** Releases the locks. Never throws. */
  readonly abandon: () => Promise<void>;
};

/** `keys`: those to remove, below the preview's folder. `isWhole`: nothing else is there. */
type Ended = {
  readonly name: string;
  readonly held: HeldLock;
  readonly keys: readonly string[];
  readonly isWhole: boolean;
};

/**
 * Ends expired previews, and locks each preview that is over or has replaced releases, so that nobody publishes to it.
 * @param bucket under the lock of the live release
 * @param until previews that expire by then count as expired: milliseconds since 1970 by the store's clock, estimated
 * low; `Infinity` for all
 */
export async function lockEndedPreviews(
  bucket: Bucket,
  until: number,
  lock: LockOptions = {},
): Promise<EndedPreviews> {
  const [used, unused] = [new Set<string>(), new Set<string>()];
  const ended: Ended[] = [];
  const locks: HeldLock[] = [];
  const busy: string[] = [];
  const { found, strange } = await ownKeys(bucket, `${PREVIEWS_FOLDER}/`);
  const abandon = async () => {
    for (const held of locks) await held.abandon();
  };
  try {
    for (const [name, listed] of found) {
      const seen = overKeys(listed, await shownRelease(bucket, name, until));
      const held = seen.length > 0 ? await lockOf(bucket, name, lock) : undefined;
      if (held) locks.push(held);
      else if (seen.length > 0) busy.push(name);
      // A publish may have finished just before the lock was taken.
      const keys = held ? ((await ownKeys(bucket, previewKeyPrefix(name))).found.get(name) ?? []) : listed;
      const over = held ? overKeys(keys, await shownRelease(bucket, name, until)) : [];
      if (held) ended.push({ name, held, keys: over, isWhole: over.length === keys.length });
      if (held && over.includes(CURRENT_KEY)) await held.bucket.remove([CURRENT_KEY]);
      for (const key of keys.filter(isList)) {
        const place = previewKeyPrefix(name) + key;
        const list = parseSharedKeys((await bucket.read(place))?.body ?? Buffer.of());
        if (list.isStrange) strange.push(place);
        for (const one of list.keys) (over.includes(key) ? unused : used).add(one);
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
      for (const { held, keys } of ended) {
        // Lists of used objects go last: if this is interrupted, the next prune needs them.
        await removeOwn(held, (key) => !isList(key), keys);
        await removeOwn(held, isList, keys);
        await held.finish({});
      }
      return ended.flatMap(({ name, isWhole }) => (isWhole ? [name] : []));
    },
  };
}

/** Keys of all releases but the one that is shown. */
function overKeys(keys: readonly string[], shown: string | undefined): string[] {
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
    if (!isPreviewName(name) || !isPreviewKey(own)) strange.push(key);
    else if (found.has(name)) found.get(name)!.push(own);
    else found.set(name, [own]);
  }
  return { found, strange };
}

function isList(key: string): boolean {
  return key.endsWith(`/${SHARED_KEYS_KEY}`);
}

/** Undefined if the preview has ended or expired. */
async function shownRelease(bucket: Bucket, name: string, until: number): Promise<string | undefined> {
  const current = await bucket.read(previewKeyPrefix(name) + CURRENT_KEY);
  const preview = current && parsePreviewPointer(current.body);
  return preview && Date.parse(preview.expires) > until ? preview.release : undefined;
}

/** Who may write to previews alone can write such a log, and must not stop a prune. */
function isOwnFault(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'bucket-locked' || code === 'newer-version' || code === 'key-refused';
}

/** Undefined while somebody publishes to the preview, or if its log is not one of this version. */
async function lockOf(
  bucket: Bucket,
  name: string,
  { host, isExclusive }: LockOptions,
): Promise<HeldLock | undefined> {
  try {
    const own = openPreviewBucket(bucket, name);
    return await takeLock(own, { host, isExclusive, isUsed: async () => false });
  } catch (error) {
    if (isOwnFault(error)) return undefined;
    throw error;
  }
}

async function removeOwn({ bucket }: HeldLock, isMeant: (key: string) => boolean, keys: readonly string[]) {
  for (const group of batches(keys.filter(isMeant), 1000)) await bucket.remove(group);
}
