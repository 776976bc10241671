import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  CURRENT_KEY,
  FACETS_FOLDER,
  IMAGE_LISTS_FOLDER,
  KEPT_RELEASES_KEY,
  ORIGINALS_FOLDER,
  PARTS_FOLDER,
  propertyKey,
  prunedRootKey,
  ROOTS_FOLDER,
  rootKey,
  STATEMENTS_FOLDER,
  statementKey,
} from '../contract/object-keys.ts';
import { isReleaseKey, isSharedKey, isTreeKey, objectKindOf } from '../contract/object-kinds.ts';
import { previewKeyPrefix } from '../contract/preview.ts';
import { type Release, sharedKeys } from '../release/release.ts';
import type { Bucket } from '../storage/bucket.ts';
import { batches } from '../storage/for-each.ts';
import { type HeldLock, type LockOptions, takeLock } from '../storage/lock.ts';
import { CONTROL_HEADERS } from '../storage/reserved-keys.ts';
import { currentObject, writeCurrent } from './current.ts';
import { type EndedPreviews, lockEndedPreviews } from './ended-previews.ts';
import { withdrawKeptReleases } from './promised-releases.ts';
import { type Invalidator, purgeCaches, stalePrefixes } from './purge/purge.ts';
import { type KeptRelease, listReleases } from './releases.ts';
import { findReplacedDetails, type ReplacedDetails, type ReplacedRelease } from './replaced-details.ts';
import { createKeptKeys } from './stored-release.ts';
import {
  type BucketSurvey,
  currentDigest,
  findNewlyReplaced,
  surveyBucket,
  unknownLiveReleaseError,
} from './survey.ts';
import { isDue, type Timeline, timelineForLog, withNeeded } from './timeline.ts';

export type PruneOptions = {
  /** Earlier releases that stay in the record, even if their objects are removed. @default 10; 0 with a grace of 0 */
  readonly keep?: number | undefined;
  /** Days for which objects of a replaced release stay. @default 7 */
  readonly grace?: number | undefined;
  /** Also prunes releases that are still within the time promised to readers. @default false */
  readonly force?: boolean | undefined;
  readonly lock?: LockOptions | undefined;
  /** Called with the base URL of the live release. @default no cache is purged */
  readonly caches?: ((baseUrl: string) => Promise<readonly Invalidator[]>) | undefined;
  /** Milliseconds since 1970. @default the store's time */
  readonly now?: number | undefined;
};

export type PruneResult = {
  readonly bucket: string;
  /** Releases whose objects were removed; they cannot be restored. */
  readonly pruned: readonly string[];
  /** Releases that were removed from the record. */
  readonly forgotten: readonly string[];
  readonly media: number;
  /** Number of removed objects of trees, except parts. */
  readonly packed: number;
  readonly assets: number;
  readonly parts: number;
  /** Previews that ended or expired. */
  readonly previews: readonly string[];
  /**
   * With a grace of 0: whether the bucket's versioning keeps removed objects; undefined if unknown.
   * @default not asked
   */
  readonly keepsVersions?: boolean | undefined;
  /** Number of removed details that had been kept for readers of cached lists. */
  readonly details: number;
  /** Previews that should go, in whole or in part, but have a publisher. Nothing of them was removed. */
  readonly busy: readonly string[];
  /** Keys below `_previews/` that no publish writes. They, or the objects that they list, were not removed. */
  readonly strange: readonly string[];
};

const DAY = 24 * 60 * 60 * 1000;

/**
 * Removes releases that were replaced more than `grace` days ago, and previews that ended, expired or were replaced, with
 * all objects of trees, copies of documents, photos and explorer files that nothing else uses. The last `keep` earlier releases
 * stay in the record. A grace of 0 also ends all previews whose lock is free, so that only the live release contains
 * properties.
 * @throws EnvironmentError when the bucket is locked, or it is unknown which releases readers get; UsageError
 * `no-conditional-writes`, `kept-longer`
 */
export async function pruneReleases(destination: Bucket, options: PruneOptions = {}): Promise<PruneResult> {
  const held = await takeLock(destination, options.lock);
  const { remains } = held;
  try {
    const { report, current } = await prune(held, destination, options);
    // If the lock says that a publish is unfinished, the next publish repairs what it left.
    if (remains.suspect) await held.abandon();
    else await held.finish({ current });
    return report;
  } catch (error) {
    await held.abandon();
    throw error;
  }
}

async function prune(
  held: HeldLock,
  destination: Bucket,
  {
    grace = 7,
    keep = grace === 0 ? 0 : 10,
    force = false,
    now = held.time().getTime(),
    ...rest
  }: PruneOptions,
): Promise<Pruned> {
  const { bucket, remains } = held;
  const { lock, caches = async () => [] } = rest;
  const survey = await certainSurvey(held);
  const { live, timeline } = survey;
  const invalidators = await caches(live.settings.url);
  const earlier = (await listReleases(bucket, timeline)).filter(({ isLive }) => !isLive);
  const old = earlier.filter(
    ({ name, replaced }) =>
      !remains.releases.includes(name) && (grace === 0 || now - (replaced?.getTime() ?? now) > grace * DAY),
  );
  // Their details and photos stay while caches may serve lists of them.
  const before = timeline.before.filter(
    (one) => remains.releases.includes(one.release) || (grace !== 0 && !isDue(one, new Date(now))),
  );
  const details = await findReplacedDetails(await replacedIn(bucket, survey, live, before), live);
  const isNeeded = (name: string) =>
    details.needed.has(name) || before.some(({ release }) => release === name);
  const over = old.filter(({ name }) => !isNeeded(name));
  const { begun, marked } = await interruptedPrunes(bucket);
  const interrupted = begun.filter((name) => !isNeeded(name));
  const pruned = over.filter(({ isRestorable, isUnfinished }) => isRestorable || isUnfinished);
  const forgotten = over.filter(({ name }) => earlier.findIndex((one) => one.name === name) >= keep);
  const kept = earlier.filter((one) => !over.includes(one) && !interrupted.includes(one.name));

  if (grace === 0 && remains.releases.some((name) => name !== live.name))
    throw unknownLiveReleaseError('unfinished', bucket.name);
  await withdrawKeptReleases(
    bucket,
    live,
    pruned.map(({ name }) => name),
    { now, force },
  );
  const previews = await lockEndedPreviews(destination, grace === 0 ? Number.POSITIVE_INFINITY : now, lock);
  try {
    const result = await carryOut(held, previews, {
      survey,
      live,
      before,
      details,
      pruned,
      interrupted,
      marked: marked.filter((name) => !isNeeded(name) || !begun.includes(name)),
      forgotten,
      kept,
      now,
    });
    const changed = [...result.changed, ...result.report.previews.map(previewKeyPrefix), KEPT_RELEASES_KEY];
    // A grace of 0 purges everything: no cache may keep anything of a removed release.
    const paths = grace === 0 ? undefined : stalePrefixes(changed, live.settings.base);
    await purgeCaches({ paths }, { invalidators });
    const { keepsVersions } = destination;
    if (grace !== 0 || !keepsVersions) return result;
    return { ...result, report: { ...result.report, keepsVersions: await keepsVersions() } };
  } catch (error) {
    await previews.abandon();
    throw error;
  }
}

/** `current`: digest of `current.json`. */
type Pruned = { readonly report: PruneResult; readonly current: string };

type Chosen = { readonly [List in 'pruned' | 'forgotten' | 'kept']: readonly KeptRelease[] } & {
  /** Their roots are gone, so they cannot be restored: the rest of them is removed whatever their age. */
  readonly interrupted: readonly string[];
  /** Names of releases whose moved root is not needed any more. */
  readonly marked: readonly string[];
  readonly survey: BucketSurvey;
  readonly live: Release;
  /** Replaced releases that readers may still need. */
  readonly before: Timeline['before'];
  readonly details: ReplacedDetails;
  readonly now: number;
};

async function carryOut(
  held: HeldLock,
  previews: EndedPreviews,
  { survey, live, before, details, pruned, interrupted, marked, forgotten, kept, now }: Chosen,
): Promise<Pruned & { readonly changed: readonly string[] }> {
  const { bucket, remains } = held;
  const { timeline } = survey;
  const gone = [...interrupted, ...pruned.map(({ name }) => name)];
  const unused = await unusedKeys(bucket, live, kept, gone, previews);
  const current = currentObject(live, details);
  const isChanged = current.digest !== currentDigest(survey.current?.body);
  if (isChanged) {
    await held.beginChanges({ goal: remains.goal, releases: [live.name] });
    await writeCurrent(bucket, live, current);
  }
  // Roots move before any object goes: a release must never look restorable when it is not.
  for (const { name } of pruned) {
    const root = await bucket.read(rootKey(name));
    if (root) await bucket.write(prunedRootKey(name), root.body, CONTROL_HEADERS);
  }
  const isRoot = (key: string) => objectKindOf(key) === 'root';
  const isImageList = (key: string) => objectKindOf(key) === 'images';
  const remove = (isMeant: (key: string) => boolean) => removeAll(bucket, unused.filter(isMeant));
  await remove(isRoot);
  // Details go before the photos that they name.
  const ids = live.hasPages ? [...details.due] : [];
  await removeAll(bucket, ids.map(propertyKey));
  await remove((key) => !isRoot(key) && !isImageList(key));
  // After an interruption, the next prune finds the rest by these.
  await remove(isImageList);
  await removeAll(bucket, [...gone, ...marked].map(prunedRootKey));
  // A cached `current.json` may lead to them.
  if (remains.number && before.length === 0) await removeStatements(bucket, live, kept);
  await held.recordTimeline(
    timelineForLog(timelineAfter(timeline, live, forgotten, details.needed, new Date(now))),
  );
  await discardOldUploads(bucket, now);
  const media = unused.filter((key) => objectKindOf(key) === 'media').length;
  const packed = unused.filter(isTreeKey).length;
  const parts = unused.filter((key) => objectKindOf(key) === 'part').length;
  const report = {
    bucket: bucket.name,
    pruned: pruned.filter(({ isRestorable }) => isRestorable).map(({ name }) => name),
    forgotten: forgotten.map(({ name }) => name),
    media,
    packed,
    assets: unused.length - media - packed - parts,
    parts,
    details: ids.length,
    previews: await previews.remove(),
    busy: previews.busy,
    strange: previews.strange,
  };
  return {
    report,
    current: current.digest,
    changed: [...ids.map(propertyKey), ...(isChanged ? [CURRENT_KEY] : [])],
  };
}

async function replacedIn(
  bucket: Bucket,
  survey: BucketSurvey,
  live: Release,
  before: Timeline['before'],
): Promise<ReplacedRelease[]> {
  const isServed = ({ release }: ReplacedRelease) => before.some((one) => one.release === release.name);
  return [
    // Those of a publish that did not end.
    ...(await findNewlyReplaced(bucket, survey, live)),
    ...survey.replaced.map((one) => ({ ...one, isDue: !isServed(one) })),
  ];
}

function timelineAfter(
  timeline: Timeline,
  { name }: Release,
  forgotten: readonly KeptRelease[],
  needed: ReadonlySet<string>,
  now: Date,
): Timeline {
  const names = new Set(forgotten.map((one) => one.name));
  const live = timeline.live.filter(({ release }) => !names.has(release));
  const before = timeline.before.filter((one) => needed.has(one.release) || !isDue(one, now));
  return withNeeded({ ...timeline, live, before }, name, needed);
}

/** @throws EnvironmentError when it is unknown which releases readers get; the next publish finds out */
async function certainSurvey(held: HeldLock): Promise<BucketSurvey & { readonly live: Release }> {
  const survey = await surveyBucket(held);
  const { live, unknownReason } = survey;
  if (live && !unknownReason) return { ...survey, live };
  await held.beginChanges({ goal: held.remains.goal });
  throw unknownLiveReleaseError(unknownReason ?? 'no-release', held.bucket.name);
}

async function removeAll(bucket: Bucket, keys: readonly string[]): Promise<void> {
  for (const group of batches(keys, 1000)) await bucket.remove(group);
}

const PRUNED = new RegExp(`^${prunedRootKey('([0-9a-f]{32})')}$`);

/**
 * `begun`: releases whose root is gone. `marked`: all that have a moved root, also those of which nothing was removed, or
 * that were published again.
 */
async function interruptedPrunes(bucket: Bucket) {
  const keys = new Set<string>();
  for await (const { key } of bucket.list(`${ROOTS_FOLDER}/`)) keys.add(key);
  const marked = [...keys].flatMap((key) => PRUNED.exec(key)?.slice(1) ?? []);
  return { marked, begun: marked.filter((name) => !keys.has(rootKey(name))) };
}

async function unusedKeys(
  bucket: Bucket,
  live: Release,
  kept: readonly KeptRelease[],
  gone: readonly string[],
  previews: EndedPreviews,
): Promise<string[]> {
  const used = new Set([...sharedKeys(live), ...previews.used]);
  const keysOfKept = createKeptKeys(bucket, [live]);
  for (const { name } of kept) for (const key of await keysOfKept(name)) used.add(key);
  const unused = new Set([...previews.unused].filter((key) => !used.has(key)));
  // A damaged root names nothing, itself included.
  for (const name of gone)
    for (const key of [rootKey(name), ...(await keysOfKept(name))]) if (!used.has(key)) unused.add(key);
  for (const folder of TREE_FOLDERS)
    for await (const { key } of bucket.list(`${folder}/`))
      if (isSharedKey(key) && !used.has(key)) unused.add(key);
  return [...unused];
}

/** Where everything is ours, so that also what no root names any more is removed. */
const TREE_FOLDERS = [
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  FACETS_FOLDER,
  PARTS_FOLDER,
  IMAGE_LISTS_FOLDER,
  ORIGINALS_FOLDER,
];

const STATEMENT = new RegExp(`^${statementKey('([0-9a-f]{32})[0-9a-f]{32}')}$`);

/** The name of a release starts the name of its statement, since both are digests of the root. */
async function removeStatements(bucket: Bucket, live: Release, kept: readonly KeptRelease[]): Promise<void> {
  const used = new Set([live.name, ...kept.map(({ name }) => name)]);
  const unused: string[] = [];
  for await (const { key } of bucket.list(`${STATEMENTS_FOLDER}/`)) {
    const [, release] = STATEMENT.exec(key) ?? [];
    if (release !== undefined && !used.has(release)) unused.push(key);
  }
  await removeAll(bucket, unused);
}

/** Aborts multipart uploads older than a day, whose publisher never got the upload's id. `now`: the store's time. */
async function discardOldUploads(bucket: Bucket, now: number): Promise<void> {
  await bucket.discardParts?.((key, begun) => isReleaseKey(key) && now - begun.getTime() > DAY);
}
