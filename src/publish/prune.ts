import {
  CURRENT_KEY,
  KEPT_RELEASES_KEY,
  propertyKey,
  prunedRootKey,
  rootKey,
} from '../contract/object-keys.ts';
import { isReleaseKey, isTreeKey, objectKindOf } from '../contract/object-kinds.ts';
import { previewKeyPrefix } from '../contract/preview-keys.ts';
import { DAY } from '../contract/rfc3339-time.ts';
import type { Release } from '../release/release.ts';
import type { Bucket } from '../storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../storage/control-headers.ts';
import { batches } from '../storage/for-each.ts';
import { type HeldLock, type LockOptions, takeLock } from '../storage/lock.ts';
import { currentJsonOf, writeCurrentJson } from './current-json.ts';
import { type EndedPreviews, lockEndedPreviews } from './ended-previews.ts';
import { removeFromKeptReleaseList } from './kept-release-list.ts';
import { listReleases, type StoredRelease } from './list-releases.ts';
import { type Purger, purgeCaches } from './purge/purge-caches.ts';
import { stalePrefixes } from './purge/stale-prefixes.ts';
import {
  findRemovedPropertyDetails,
  type RemovedPropertyDetails,
  type ReplacedRelease,
} from './replaced-details.ts';
import {
  type BucketSurvey,
  currentJsonDigest,
  findNewlyReplaced,
  surveyBucket,
  unknownLiveReleaseError,
} from './survey.ts';
import { isOver, type Timeline, timelineForLog, withOnlyNeeded } from './timeline.ts';
import { findInterruptedPrunes, findUnusedKeys, findUnusedStatements } from './unused-objects.ts';

type PruneOptions = {
  /**
   * Number of earlier releases to keep in the timeline, even without their objects. @default 10; 0 with a grace of 0
   */
  readonly keep?: number | undefined;
  /** Days for which objects of a replaced release stay. @default 7 */
  readonly grace?: number | undefined;
  /** Also prunes releases that are still within the time promised to readers. @default false */
  readonly force?: boolean | undefined;
  readonly lock?: LockOptions | undefined;
  /** Returns the caches to purge. @default no cache is purged */
  readonly caches?: ((baseUrl: string) => Promise<readonly Purger[]>) | undefined;
  /** Milliseconds since 1970. @default the store's time */
  readonly now?: number | undefined;
};

export type PruneResult = {
  readonly bucket: string;
  /** Names of releases whose objects were removed, so that they can no longer be restored. */
  readonly pruned: readonly string[];
  /** Names of releases that were removed from the timeline. */
  readonly forgotten: readonly string[];
  readonly media: number;
  /** Number of removed roots, lists of images, chunks, city tables, facets and copies of documents. */
  readonly tree: number;
  readonly assets: number;
  readonly parts: number;
  /** Names of previews that were removed completely, because they ended or expired. */
  readonly previews: readonly string[];
  /** Whether the bucket's versioning keeps removed objects. Undefined if that is unknown, or the grace is not 0. */
  readonly keepsVersions?: boolean | undefined;
  /** Number of removed details that had been kept for readers of cached lists. */
  readonly details: number;
  /**
   * Names of previews that had objects to remove, but whose lock could not be taken or was lost. Objects that were not
   * removed yet stayed.
   */
  readonly busy: readonly string[];
  /**
   * Keys below `_previews/` that no publish writes; they were not removed. Also the keys of `used.json` files that are
   * damaged or name objects that are not shared: a prune heeds only the names of shared objects in such a file.
   */
  readonly strange: readonly string[];
};

/**
 * Removes releases that were replaced more than `grace` days ago and that no cached list needs. Removes previews that
 * ended or expired, and replaced releases of other previews. Removes shared objects, details and statements that
 * nothing uses any more. The latest `keep` earlier releases stay in the timeline. A grace of 0 ignores cached lists and
 * ends all previews whose lock is free, so that only the live release contains properties.
 * @throws EnvironmentError when the bucket fails or is locked, the lock is lost, a purge fails, or it is unknown which
 * releases readers are served; UsageError `no-conditional-writes`, `newer-version`, `kept-longer`
 */
export async function pruneReleases(destination: Bucket, options: PruneOptions = {}): Promise<PruneResult> {
  const held = await takeLock(destination, options.lock);
  const { remains } = held;
  try {
    const { report, current } = await prune(held, destination, options);
    // `abandon` leaves an unfinished earlier publish marked as such, so that the next publish repairs the bucket.
    if (remains.suspect) await held.abandon();
    else await held.finish({ current });
    return report;
  } catch (error) {
    await held.abandon();
    throw error;
  }
}

type PruneOutcome = {
  readonly report: PruneResult;
  /** Digest of `current.json`. */
  readonly current: string;
  /** Keys to purge. */
  readonly changed: readonly string[];
};

async function prune(held: HeldLock, destination: Bucket, options: PruneOptions): Promise<PruneOutcome> {
  const { bucket, remains } = held;
  const { grace = 7, force = false, now = held.time().getTime(), caches = async () => [] } = options;
  const survey = await certainSurvey(held);
  const { live } = survey;
  const purgers = await caches(live.settings.url);
  const choice = await choose(held, survey, { ...options, grace, now });
  if (grace === 0 && remains.releases.some((name) => name !== live.name))
    throw unknownLiveReleaseError('unfinished', bucket.name);
  const names = choice.pruned.map(({ name }) => name);
  await removeFromKeptReleaseList(bucket, live, names, { now, force });
  const ending = grace === 0 ? Number.POSITIVE_INFINITY : now;
  const previews = await lockEndedPreviews(destination, ending, options.lock);
  try {
    const outcome = await carryOut(held, previews, choice);
    const { report, changed } = outcome;
    const stale = [...changed, ...report.previews.map(previewKeyPrefix), KEPT_RELEASES_KEY];
    // With a grace of 0, no cache may keep anything of a removed release, so everything is purged.
    const paths = grace === 0 ? undefined : stalePrefixes(stale, live.settings.base);
    await purgeCaches({ paths }, { purgers });
    const { keepsVersions } = destination;
    if (grace !== 0 || !keepsVersions) return outcome;
    return { ...outcome, report: { ...report, keepsVersions: await keepsVersions() } };
  } catch (error) {
    await previews.abandon();
    throw error;
  }
}

type CertainSurvey = BucketSurvey & { readonly live: Release };

type Choice = {
  readonly survey: CertainSurvey;
  readonly now: number;
  /** Whether caches may still serve lists or the `current.json` of replaced releases. */
  readonly areListsCached: boolean;
  readonly details: RemovedPropertyDetails;
  /** Does not include the live release. */
  readonly staying: readonly StoredRelease[];
  readonly pruned: readonly StoredRelease[];
  /** Names of releases whose root an interrupted prune removed. Their other objects go too, even within the grace. */
  readonly interrupted: readonly string[];
  /**
   * Keys to which this prune, or an interrupted one, moves the roots of pruned releases. These roots are removed last,
   * since the next prune needs them if this one is interrupted.
   */
  readonly moved: readonly string[];
  /** Releases that are removed from the timeline. */
  readonly forgotten: readonly StoredRelease[];
};

async function choose(
  { bucket, remains }: HeldLock,
  survey: CertainSurvey,
  {
    grace,
    keep = grace === 0 ? 0 : 10,
    now,
  }: PruneOptions & { readonly grace: number; readonly now: number },
): Promise<Choice> {
  const { live, timeline } = survey;
  const isOfOpenPublish = (name: string) => remains.releases.includes(name);
  const mayBeCached = (until: string | null) => grace !== 0 && !isOver(until, new Date(now));
  const before = timeline.before.filter((one) => isOfOpenPublish(one.release) || mayBeCached(one.until));
  const details = await findRemovedPropertyDetails(await replacedIn(bucket, survey, before), live);
  const isNeeded = (name: string) =>
    details.neededReleases.has(name) || before.some(({ release }) => release === name);
  const isOld = ({ replaced }: StoredRelease) =>
    grace === 0 || now - (replaced?.getTime() ?? now) > grace * DAY;
  const earlier = (await listReleases(bucket, timeline)).filter(({ isLive }) => !isLive);
  const over = earlier.filter((one) => !isOfOpenPublish(one.name) && isOld(one) && !isNeeded(one.name));
  const pruned = over.filter((one) => one.isRestorable || one.isUnfinished);
  const { rootless, marked } = await findInterruptedPrunes(bucket);
  const interrupted = rootless.filter((name) => !isNeeded(name));
  const unneeded = marked.filter((name) => !isNeeded(name) || !rootless.includes(name));
  return {
    survey,
    now,
    areListsCached: before.length > 0 || mayBeCached(timeline.coveredUntil),
    details,
    staying: earlier.filter((one) => !over.includes(one) && !interrupted.includes(one.name)),
    pruned,
    interrupted,
    moved: [...new Set([...pruned.map(({ name }) => name), ...unneeded])].map(prunedRootKey),
    forgotten: over.filter((one) => earlier.indexOf(one) >= keep),
  };
}

async function carryOut(held: HeldLock, previews: EndedPreviews, choice: Choice): Promise<PruneOutcome> {
  const { bucket, remains } = held;
  const { survey, details, pruned, staying, moved, now } = choice;
  const { live } = survey;
  const { goal } = remains;
  // If anything fails from here on, the next publish lists the bucket and purges everything.
  await held.record({ goal });
  const gone = [...choice.interrupted, ...pruned.map(({ name }) => name)];
  const unused = await findUnusedKeys(bucket, live, { staying, gone, previews });
  const current = currentJsonOf(live, details);
  const isChanged = current.digest !== currentJsonDigest(survey.current?.body);
  if (isChanged) {
    await held.record({ goal, releases: [live.name] });
    await writeCurrentJson(bucket, live, current);
  }
  await moveRoots(bucket, pruned);
  const removedDetails = live.hasPages ? Array.from(details.dueIds, propertyKey) : [];
  await removeUnused(bucket, unused, removedDetails);
  await held.record({ goal, ...timelineForLog(timelineAfter(choice)) });
  // Must follow `record`: until then, the log's timeline names releases whose moved roots must stay readable.
  await removeAll(bucket, moved);
  // While caches may serve an older `current.json`, its readers may still request the statement of a replaced release.
  if (remains.number && !choice.areListsCached)
    await removeAll(bucket, await findUnusedStatements(bucket, live, staying));
  await bucket.discardParts?.((key, begun) => isReleaseKey(key) && now - begun.getTime() > DAY);
  const report = createReport(bucket, choice, unused, await previews.remove(), previews);
  const changed = [...removedDetails, ...(isChanged ? [CURRENT_KEY] : [])];
  return { report, current: current.digest, changed };
}

/** Call before removing any object: a release must never look restorable when it is not. */
async function moveRoots(bucket: Bucket, pruned: readonly StoredRelease[]): Promise<void> {
  for (const { name } of pruned) {
    const root = await bucket.read(rootKey(name));
    if (root) await bucket.write(prunedRootKey(name), root.body, CONTROL_OBJECT_HEADERS);
  }
}

async function removeUnused(
  bucket: Bucket,
  keys: readonly string[],
  details: readonly string[],
): Promise<void> {
  const isRoot = (key: string) => objectKindOf(key) === 'root';
  const isImageList = (key: string) => objectKindOf(key) === 'images';
  await removeAll(bucket, keys.filter(isRoot));
  // Removes details before the photos that they link to.
  await removeAll(bucket, details);
  await removeAll(
    bucket,
    keys.filter((key) => !isRoot(key) && !isImageList(key)),
  );
  // Image lists go after the images: if this prune is interrupted, the next one finds the images in them.
  await removeAll(bucket, keys.filter(isImageList));
}

function createReport(
  { name: bucket }: Bucket,
  { survey: { live }, details, pruned, forgotten }: Choice,
  removed: readonly string[],
  ended: readonly string[],
  { busy, strange }: EndedPreviews,
): PruneResult {
  const media = removed.filter((key) => objectKindOf(key) === 'media').length;
  const tree = removed.filter(isTreeKey).length;
  const parts = removed.filter((key) => objectKindOf(key) === 'part').length;
  return {
    bucket,
    pruned: pruned.filter(({ isRestorable }) => isRestorable).map(({ name }) => name),
    forgotten: forgotten.map(({ name }) => name),
    media,
    tree,
    assets: removed.length - media - tree - parts,
    parts,
    details: live.hasPages ? details.dueIds.size : 0,
    previews: ended,
    busy,
    strange,
  };
}

async function replacedIn(
  bucket: Bucket,
  survey: CertainSurvey,
  before: Timeline['before'],
): Promise<ReplacedRelease[]> {
  const isServed = ({ release }: ReplacedRelease) => before.some((one) => one.release === release.name);
  return [
    // Releases that unfinished publishes recorded.
    ...(await findNewlyReplaced(bucket, survey, survey.live)),
    ...survey.replaced.map((one) => ({ ...one, isDue: !isServed(one) })),
  ];
}

function timelineAfter({
  survey: { timeline },
  details: { neededReleases },
  forgotten,
  now,
}: Choice): Timeline {
  const names = new Set(forgotten.map(({ name }) => name));
  const live = timeline.live.filter(({ release }) => !names.has(release));
  return withOnlyNeeded({ ...timeline, live }, neededReleases, new Date(now));
}

/** @throws EnvironmentError if it is unknown what readers are served; the next publish then lists the bucket */
async function certainSurvey(held: HeldLock): Promise<CertainSurvey> {
  const survey = await surveyBucket(held);
  const { live, doubt } = survey;
  if (live && !doubt) return { ...survey, live };
  await held.record({ goal: held.remains.goal });
  throw unknownLiveReleaseError(doubt ?? 'no-release', held.bucket.name);
}

async function removeAll(bucket: Bucket, keys: readonly string[]): Promise<void> {
  for (const group of batches(keys, 1000)) await bucket.remove(group);
}
