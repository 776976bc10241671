/** Removes what is kept of releases that were replaced long ago. */
import { isImmutableKey, MEDIA_FOLDER, PARTS_FOLDER, propertyKey } from '../../contract/keys.ts';
import type { Manifest } from '../../release/manifest.ts';
import { keptKeys, type Release } from '../../release/release.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { groups } from '../../storage/for-each.ts';
import { type Lease, type LeaseOptions, takeLease } from '../../storage/lease.ts';
import {
  isPieceKey,
  PIECES_FOLDER,
  releaseManifestKey,
  releaseObjectsKey,
} from '../../storage/reserved-keys.ts';
import { type BucketSurvey, doubtError, surveyBucket } from '../survey.ts';
import { dueIds, firstDue, readTimeline, type Timeline, withoutRetired, writeTimeline } from '../timeline.ts';
import { readKept, readKeptManifest, refreshArchive, soundIndex } from './archive.ts';
import { keysOf } from './content.ts';
import { type KeptRelease, listReleases } from './list.ts';

/** What to keep. */
export type PruneOptions = {
  /** Number of manifests of earlier releases that are kept. @default 10; 0 with a grace of 0 */
  readonly keep?: number | undefined;
  /** Days for which the objects of a replaced release are kept. @default 7 */
  readonly grace?: number | undefined;
  readonly lock?: LeaseOptions | undefined;
  /** The present, in milliseconds since 1970. @default the store's time */
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
  /** Number of parts of downloads that no other release has. */
  readonly parts: number;
  /** Number of details that had been kept for readers of lists in caches. */
  readonly details: number;
};

const DAY = 24 * 60 * 60 * 1000;

/**
 * Removes the objects of releases that were replaced more than `grace` days ago, photos that no other release shows
 * and what no other release needs of the packed layout, of the downloads and of the explorer among them; and of these releases all but the last `keep` manifests.
 * With a grace of 0 it forgets: no object but the live release holds a property any more.
 *
 * @throws EnvironmentError when the bucket is locked, or it is not known what readers are served; UsageError
 * `no-conditional-writes`.
 */
export async function pruneReleases(target: Bucket, options: PruneOptions = {}): Promise<PruneResult> {
  const lease = await takeLease(target, options.lock);
  const { remains } = lease;
  try {
    const { result, due } = await prune(lease, options);
    // Whatever else is wrong with the bucket is for the next publish to mend.
    if (remains.suspect) await lease.abandon();
    else await lease.finish({ manifest: remains.manifest, due });
    return result;
  } catch (error) {
    await lease.abandon();
    throw error;
  }
}

async function prune(
  lease: Lease,
  { grace = 7, keep = grace === 0 ? 0 : 10, now = lease.time().getTime() }: PruneOptions,
): Promise<{ result: PruneResult; due: string | null }> {
  const { bucket, remains } = lease;
  const { live, timeline } = await certainSurvey(lease);
  const earlier = (await listReleases(bucket)).filter(({ isLive }) => !isLive);
  const old = earlier.filter(
    ({ name, replaced }) =>
      !remains.releases.includes(name) && (grace === 0 || now - (replaced?.getTime() ?? now) > grace * DAY),
  );
  const ids = grace === 0 ? timeline.retired.flatMap((one) => one.ids) : dueIds(timeline, new Date(now));
  const shown = await shownReleases(bucket, old, new Set(ids));
  const over = old.filter(({ name }) => !shown.has(name));
  const pruned = over.filter(({ name }) => !timeline.pruned.includes(name));
  const forgotten = over.filter(({ name }) => earlier.findIndex((one) => one.name === name) >= keep);
  const kept = earlier.filter((release) => !over.includes(release));

  const unused = await unusedKeys(bucket, live.manifest, kept, pruned);
  // Nothing may look restorable that is not, wherever this is interrupted.
  await removeAll(
    bucket,
    pruned.map(({ name }) => releaseObjectsKey(name)),
  );
  await refreshArchive(bucket, live);
  const pieces = await unusedPieces(bucket, [live, ...kept.filter(({ isRestorable }) => isRestorable)]);
  // What shows a photo goes before it.
  await removeAll(bucket, ids.map(propertyKey));
  await removeAll(bucket, [...unused, ...pieces]);
  const after = afterPrune(timeline, { pruned, forgotten, ids });
  await writeTimeline(bucket, after);
  await removeAll(
    bucket,
    forgotten.map(({ name }) => releaseManifestKey(name)),
  );
  const media = unused.filter((key) => key.startsWith(`${MEDIA_FOLDER}/`)).length;
  const packed = unused.filter(isImmutableKey).length;
  const parts = unused.filter((key) => key.startsWith(`${PARTS_FOLDER}/`)).length;
  return {
    due: firstDue(after),
    result: {
      target: bucket.name,
      pruned: pruned.filter(({ isRestorable }) => isRestorable).map(({ name }) => name),
      forgotten: forgotten.map(({ name }) => name),
      media,
      packed,
      assets: unused.length - media - packed - parts,
      parts,
      details: ids.length,
    },
  };
}

/** @throws EnvironmentError when it is not known what readers are served: the next publish finds out. */
async function certainSurvey(lease: Lease): Promise<BucketSurvey & { readonly live: Release }> {
  const survey = await surveyBucket(lease);
  const { live, doubt } = survey;
  if (live && !doubt) return { ...survey, live };
  await lease.begin([], lease.remains.goal);
  throw doubtError(doubt ?? 'no-manifest', lease.bucket.name);
}

/** Names of those of these releases whose photos a detail may show that is kept for readers, and not removed now. */
async function shownReleases(
  bucket: Bucket,
  releases: readonly KeptRelease[],
  removed: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const { retired } = await readTimeline(bucket);
  const ids = retired.flatMap((one) => one.ids).filter((id) => !removed.has(id));
  const names = new Set<string>();
  for (const { name } of ids.length > 0 ? releases : []) {
    const release = await readKept(bucket, name, { isPartial: true });
    if (ids.some((id) => release?.places.has(id))) names.add(name);
  }
  return names;
}

async function removeAll(bucket: Bucket, keys: readonly string[]): Promise<void> {
  for (const group of groups(keys, 1000)) await bucket.remove(group);
}

/** Keys of what the pruned releases have kept in the bucket and no other release needs. */
async function unusedKeys(
  bucket: Bucket,
  live: Manifest,
  kept: readonly KeptRelease[],
  pruned: readonly KeptRelease[],
): Promise<string[]> {
  const used = new Set(keptKeys(live));
  for (const { name } of kept) {
    const manifest = await readKeptManifest(bucket, name);
    for (const key of manifest ? keptKeys(manifest) : []) used.add(key);
  }
  const unused = new Set<string>();
  for (const { name } of pruned) {
    const manifest = await readKeptManifest(bucket, name);
    for (const key of manifest ? keptKeys(manifest) : []) if (!used.has(key)) unused.add(key);
  }
  return [...unused];
}

/** What is remembered when all of this is done. */
function afterPrune(
  timeline: Timeline,
  done: { pruned: readonly KeptRelease[]; forgotten: readonly KeptRelease[]; ids: readonly string[] },
): Timeline {
  const forgotten = new Set(done.forgotten.map(({ name }) => name));
  const pruned = new Set([...timeline.pruned, ...done.pruned.map(({ name }) => name)]);
  const removed = new Set(done.ids);
  return {
    ...withoutRetired(timeline, (id) => removed.has(id)),
    live: timeline.live.filter(({ release }) => !forgotten.has(release)),
    pruned: [...pruned].filter((name) => !forgotten.has(name)),
  };
}

/** Keys of what releases share of their content and none of these needs. */
async function unusedPieces(
  bucket: Bucket,
  releases: readonly { readonly name: string }[],
): Promise<string[]> {
  const used = new Set<string>();
  for (const { name } of releases) {
    const manifest = await readKeptManifest(bucket, name);
    const index = manifest && (await soundIndex(bucket, { manifest }));
    for (const key of index ? keysOf(index, { manifest }) : []) used.add(key);
  }
  const unused: string[] = [];
  for await (const { key } of bucket.list(`${PIECES_FOLDER}/`))
    if (isPieceKey(key) && !used.has(key)) unused.push(key);
  return unused;
}
