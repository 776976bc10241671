/** Removes what is kept of releases that were replaced long ago. */
import { isImmutableKey, MEDIA_FOLDER } from '../contract/layout.ts';
import { EnvironmentError } from '../report/failure.ts';
import { readKept, readLive, soundIndex } from './archive.ts';
import { keysOf } from './archive-content.ts';
import type { Bucket } from './bucket.ts';
import { PIECES_FOLDER, releaseManifestKey, releaseObjectsKey } from './control.ts';
import { type LockOptions, takeLock } from './lock.ts';
import { keptKeys } from './release.ts';
import { listReleases } from './releases.ts';
import { groups } from './transfer.ts';

/** What to keep. */
export type PruneOptions = {
  /** Number of manifests of earlier releases that are kept. @default 10 */
  readonly keep?: number | undefined;
  /** Days for which the objects of a replaced release are kept. @default 7 */
  readonly grace?: number | undefined;
  readonly lock?: LockOptions | undefined;
  /** The present. @default now */
  readonly now?: number | undefined;
};

/** What was removed. */
export type PruneResult = {
  readonly target: string;
  /** Releases whose objects were removed: they cannot be restored any more. */
  readonly pruned: readonly string[];
  /** Releases that were forgotten altogether. */
  readonly forgotten: readonly string[];
  /** Number of photos and thumbnails that no other release shows. */
  readonly media: number;
  /** Number of chunks, shards and roots that no other release needs. */
  readonly packed: number;
  /** Number of files that the explorers of other releases do not load. */
  readonly assets: number;
};

const DAY = 24 * 60 * 60 * 1000;

/**
 * Removes the objects of releases that were replaced more than `grace` days ago, photos that no other release shows
 * and what no other release needs of the packed layout and of the explorer among them; and of these releases all but the last `keep` manifests.
 *
 * @throws EnvironmentError when the bucket is locked, or its manifest is missing or damaged; UsageError
 * `no-conditional-writes`.
 */
export async function pruneReleases(bucket: Bucket, options: PruneOptions = {}): Promise<PruneResult> {
  const { keep = 10, grace = 7, now = Date.now() } = options;
  const lock = await takeLock(bucket, [], options.lock);
  const unfinished = lock.found?.record.releases ?? [];
  try {
    const { release: live } = await readLive(bucket);
    if (!live) {
      throw new EnvironmentError(
        'no-manifest',
        `${bucket.name} has no sound manifest: it is not known what is live. Publish first.`,
      );
    }
    const earlier = (await listReleases(bucket)).filter(({ isLive }) => !isLive);
    const isOver = earlier.map(
      ({ name, replaced }) => !unfinished.includes(name) && now - (replaced?.getTime() ?? now) > grace * DAY,
    );
    const over = earlier.filter((_release, index) => isOver[index]);
    const shown = new Set(keptKeys(live));
    const others = new Set<string>();
    for (const { name, isRestorable } of earlier) {
      const isPruned = over.some((release) => release.name === name);
      if (isPruned && !isRestorable) continue;
      const release = await readKept(bucket, name);
      for (const key of release ? keptKeys(release) : []) (isPruned ? others : shown).add(key);
    }
    const unused = [...others].filter((key) => !shown.has(key));
    const pruned = over.filter(({ isRestorable }) => isRestorable).map(({ name }) => name);
    const forgotten = over.filter(({ name }) => earlier.findIndex((one) => one.name === name) >= keep);
    const pieces = await unusedPieces(bucket, [
      live,
      ...earlier.filter(({ name, isRestorable }) => isRestorable && !pruned.includes(name)),
    ]);
    // What they kept first: as long as the rest is there, an interrupted prune can be run again.
    const keys = [
      ...unused,
      ...pieces,
      ...pruned.map(releaseObjectsKey),
      ...forgotten.map(({ name }) => releaseManifestKey(name)),
    ];
    for (const group of groups(keys, 1000)) {
      lock.assertHeld();
      await bucket.remove(group);
    }
    const media = unused.filter((key) => key.startsWith(`${MEDIA_FOLDER}/`)).length;
    const packed = unused.filter(isImmutableKey).length;
    return {
      target: bucket.name,
      pruned,
      forgotten: forgotten.map(({ name }) => name),
      media,
      packed,
      assets: unused.length - media - packed,
    };
  } finally {
    if (unfinished.length > 0) await lock.abandon();
    else await lock.release();
  }
}

/** Keys of what releases share of their content and none of these needs. */
async function unusedPieces(
  bucket: Bucket,
  releases: readonly { readonly name: string }[],
): Promise<string[]> {
  const used = new Set<string>();
  for (const { name } of releases) {
    const release = await readKept(bucket, name);
    const index = release && (await soundIndex(bucket, release));
    for (const key of index ? keysOf(index, release) : []) used.add(key);
  }
  const unused: string[] = [];
  for await (const { key } of bucket.list(`${PIECES_FOLDER}/`)) if (!used.has(key)) unused.push(key);
  return unused;
}
