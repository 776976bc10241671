/** The order of all writes and removals ensures that no list ever names a property whose detail is missing. */

import { CURRENT_KEY, KEPT_RELEASES_KEY, propertyIdOf, propertyKey } from '../contract/object-keys.ts';
import {
  isDerivedKey,
  objectKindOf,
  type ReleaseObjectKind,
  UPLOAD_PHASES,
} from '../contract/object-kinds.ts';
import { DAY } from '../contract/rfc3339-time.ts';
import { EnvironmentError } from '../errors/errors.ts';
import { objectAt, objectNamed, type PublishedObject } from '../release/release.ts';
import { BucketError } from '../storage/bucket.ts';
import { batches, forEachConcurrently } from '../storage/for-each.ts';
import type { HeldLock } from '../storage/lock.ts';
import type { Concurrency } from '../storage/pace.ts';
import { listCacheLifetime } from './cached-list-lifetime.ts';
import { currentJsonOf, writeCurrentJson } from './current-json.ts';
import { writeKeptReleaseList } from './kept-release-list.ts';
import { allWrites, type PublishPlan } from './plan.ts';
import type { PublishListener } from './progress.ts';
import { writeHistory } from './record-history.ts';
import type { ReleaseSource } from './release-source.ts';
import {
  findRemovedPropertyDetails,
  type RemovedPropertyDetails,
  type ReplacedRelease,
} from './replaced-details.ts';
import { sendObject } from './send-object.ts';
import type { PreparedSignature } from './sign.ts';
import { type BucketSurvey, findNewlyReplaced } from './survey.ts';
import { type Timeline, timelineForLog, withLiveRelease, withOnlyNeeded, withReplaced } from './timeline.ts';

type PublishWork = {
  readonly held: HeldLock;
  readonly source: ReleaseSource;
  readonly plan: PublishPlan;
  readonly survey: BucketSurvey;
  /**
   * Name of the release to restore, if the user started a rollback without naming one; otherwise null. The log records
   * it, so that the same command resumes an interrupted rollback.
   */
  readonly goal: string | null;
  readonly signature?: PreparedSignature | undefined;
  /** Days for which readers are promised that a replaced release stays; undefined for no promise. */
  readonly keptDays?: number | undefined;
  readonly listener: PublishListener;
  readonly width: Concurrency;
};

export type AppliedPlan = {
  readonly timeline: Timeline;
  /** Digest of `current.json`. */
  readonly digest: string;
  /** Number of removed properties whose details stay, for readers of cached lists. */
  readonly retired: number;
  /** Keys to purge, such as `current.json`, in addition to the objects that differ between the releases. */
  readonly otherKeys: readonly string[];
};

/**
 * First upload phase whose objects may name the release, as `index.json` does. The change history is written before
 * this phase, so that readers find each named release in the history.
 */
const FIRST_NAMING_PHASE = UPLOAD_PHASES.findIndex((kinds) => kinds.includes('problem'));

const REMOVED_AT_ONCE = 1000;

export async function applyPlan(work: PublishWork): Promise<AppliedPlan> {
  const { held, source, survey, signature, keptDays, listener } = work;
  const { bucket } = held;
  const { release } = source;
  await recordWork(work);

  listener({ kind: 'stage', stage: 'write' });
  const write = createWriter(work);
  await writePhases(work, UPLOAD_PHASES.slice(0, FIRST_NAMING_PHASE), write);
  const mayHaveLeftovers = survey.listingReason !== undefined;
  const history = await writeHistory({ bucket, source, live: survey.live, mayHaveLeftovers, listener });
  await writePhases(work, UPLOAD_PHASES.slice(FIRST_NAMING_PHASE), write);
  const replaced = await findNewlyReplaced(bucket, survey, release);
  const details = await findRemovedPropertyDetails([...replaced, ...survey.replaced], release);
  const statement = await signature?.write();
  const current = await goLive(work, details);

  listener({ kind: 'stage', stage: 'remove' });
  const removed = await removeGone(work, details).catch(throwThatLive);
  const timeline = timelineAfter(work, current.since, replaced, details);
  const number = signature?.number;
  if (keptDays !== undefined)
    await writeKeptReleaseList(bucket, release, timeline, { number, days: keptDays, now: held.time() });
  if (history.removed.length > 0) {
    await bucket.remove(history.removed).catch(throwThatLive);
    for (const key of history.removed) listener({ kind: 'remove', key });
  }
  return {
    timeline,
    digest: current.digest,
    retired: details.stayingIds.size,
    otherKeys: [
      // A statement keeps its key when it is renewed or its release goes live again, so caches may hold an older
      // version.
      ...(statement ? [statement] : []),
      ...(current.isWritten ? [CURRENT_KEY] : []),
      ...(keptDays === undefined ? [] : [KEPT_RELEASES_KEY]),
      ...history.written,
      ...history.removed,
      ...removed,
    ],
  };
}

/** Records all releases that may have objects in the bucket: if this publish is killed, the next one must know them. */
async function recordWork({ held, source, survey, goal, signature }: PublishWork): Promise<void> {
  const { release } = source;
  // Readers may get lists of a doubtful release (`isDoubtful`) until `current.json` is replaced. If this publish is
  // killed, nobody knows when it was replaced, so `until` includes an extra day.
  const until = new Date(held.latest().getTime() + survey.listLife + DAY);
  await held.record({
    releases: [...survey.known.map(({ name }) => name), release.name],
    goal,
    readerLife: listCacheLifetime([release]),
    timeline: timelineForLog(withReplaced(survey.timeline, doubtfulNames(survey), until)).timeline,
    ...(signature && { number: signature.number }),
  });
}

/** Call after the old lists were replaced or removed, since the time for which caches may serve them starts now. */
function timelineAfter(
  { held, source: { release }, survey }: PublishWork,
  since: Date,
  replaced: readonly ReplacedRelease[],
  { neededReleases }: RemovedPropertyDetails,
): Timeline {
  const recorded = withLiveRelease(survey.timeline, release, since);
  const names = [...replaced.map((one) => one.release.name), ...doubtfulNames(survey)];
  const until = new Date(held.latest().getTime() + survey.listLife);
  return withOnlyNeeded(withReplaced(recorded, names, until), neededReleases, survey.now);
}

function doubtfulNames({ replaced }: BucketSurvey): string[] {
  return replaced.flatMap((one) => (one.isDoubtful ? [one.release.name] : []));
}

/**
 * Returns as `since` the time at which `current.json` was written, by the store's clock. If the file did not change or
 * the store reports no time, `since` is the present time.
 */
async function goLive(
  { held, source: { release }, survey, listener }: PublishWork,
  details: RemovedPropertyDetails,
) {
  const { bytes, digest } = currentJsonOf(release, details);
  if (survey.live && survey.current?.body.equals(bytes))
    return { digest, since: held.time(), isWritten: false };
  const time = await writeCurrentJson(held.bucket, release, { bytes, digest });
  listener({ kind: 'write', key: CURRENT_KEY, isNew: !survey.current, size: bytes.length });
  return { digest, since: time ?? held.time(), isWritten: true };
}

function throwThatLive(error: unknown): never {
  if (!(error instanceof BucketError) || error.isTransient) throw error;
  const message = `The release is live, but what it replaced could not be removed. ${error.message}`;
  throw new EnvironmentError(error.code, message, { cause: error });
}

type Write = (object: PublishedObject) => Promise<void>;

function createWriter({ held: { bucket }, source, plan, listener }: PublishWork): Write {
  let total = 0;
  for (const _object of allWrites(plan)) total++;
  let done = 0;
  return async (object) => {
    const size = await sendObject(bucket, source, object);
    listener({ kind: 'write', key: object.key, isNew: !plan.isPresent(object.key), size });
    listener({ kind: 'progress', done: ++done, total });
  };
}

async function writePhases(
  { plan, width }: PublishWork,
  phases: readonly (readonly ReleaseObjectKind[])[],
  write: Write,
): Promise<void> {
  for (const kinds of phases) await forEachConcurrently(allWrites(plan, kinds), width, write);
}

/**
 * Removes lists and documents that the new release lacks, then details. A detail stays while caches may serve a list
 * that names its property. Returns the keys of removed details.
 */
async function removeGone(
  work: PublishWork,
  { stayingIds, dueIds }: RemovedPropertyDetails,
): Promise<readonly string[]> {
  const { source } = work;
  await removeKeys(work, removals(work.plan, false));
  const gone = Array.from(removals(work.plan, true), propertyIdOf);
  const removed = [...new Set(source.release.hasPages ? [...gone, ...dueIds] : gone)]
    .filter((id) => !stayingIds.has(id))
    .map(propertyKey);
  await removeKeys(work, removed);
  return removed;
}

function* removals(plan: PublishPlan, ofDetails: boolean): Generator<string> {
  for (const key of plan.removals()) if ((objectKindOf(key) === 'detail') === ofDetails) yield key;
}

async function removeKeys(
  { held, source, survey, listener }: PublishWork,
  keys: Iterable<string>,
): Promise<void> {
  const isOurs = (key: string) => isDerivedKey(key) || survey.known.some((owner) => objectNamed(owner, key));
  for (const group of batches(keys, REMOVED_AT_ONCE)) {
    for (const key of group)
      if (!isOurs(key) || (await objectAt(source.release, key)))
        throw new Error(`internal: ${key} to remove belongs to another program, or to the new release`);
    await held.bucket.remove(group);
    for (const key of group) listener({ kind: 'remove', key });
  }
}
