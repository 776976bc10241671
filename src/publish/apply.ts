/** Writes and removes objects in such an order that no list ever names a missing one. Packed lists switch at once. */

import { KEPT_RELEASES_KEY, propertyIdOf, propertyKey, rootKey } from '../contract/object-keys.ts';
import {
  isDerivedKey,
  OBJECT_KINDS,
  objectKindOf,
  type ReleaseKind,
  UPLOAD_PHASES,
} from '../contract/object-kinds.ts';
import { EnvironmentError } from '../errors/errors.ts';
import { compareReleases } from '../release/compare-releases.ts';
import {
  objectAt,
  objectNamed,
  type PublishedObject,
  type Release,
  readDetail,
  sharedKeys,
  storedHeadersOf,
} from '../release/release.ts';
import { bodySize, firstBytesOf, writeBody } from '../storage/body.ts';
import { type Bucket, BucketError, type WriteResult, withContentEncoding } from '../storage/bucket.ts';
import { batches, forEachConcurrently } from '../storage/for-each.ts';
import type { HeldLock } from '../storage/lock.ts';
import type { Concurrency } from '../storage/pace.ts';
import { readKeptRelease, undefinedIfDamaged } from './kept-release.ts';
import { writeKeptReleases } from './kept-releases.ts';
import { allWrites, type PublishPlan } from './plan.ts';
import type { PublishListener } from './progress.ts';
import { readerLife } from './reader-life.ts';
import { writeHistory } from './record-history.ts';
import { listReleases } from './releases.ts';
import type { PreparedSignature } from './sign.ts';
import type { ReleaseSource } from './source.ts';
import type { BucketSurvey } from './survey.ts';
import {
  dueRetiredIds,
  recordCachedLists,
  recordLiveRelease,
  retiredKeys,
  type Timeline,
  timelineForLog,
  withoutRetired,
  withRetired,
  writeRetired,
} from './timeline.ts';

export type PublishWork = {
  readonly held: HeldLock;
  readonly source: ReleaseSource;
  readonly plan: PublishPlan;
  readonly survey: BucketSurvey;
  /**
   * Release that a rollback without a name restores; otherwise null. Recorded, so that the same command resumes an
   * interrupted rollback.
   */
  readonly goal?: string | null | undefined;
  readonly signature?: PreparedSignature | undefined;
  /** Days for which a replaced release stays available; undefined for no promise. */
  readonly keptDays?: number | undefined;
  readonly listener: PublishListener;
  readonly width: Concurrency;
};

export type AppliedPlan = {
  readonly timeline: Timeline;
  /** Number of details kept for readers of cached lists, although no list names them. */
  readonly retired: number;
  /** Changed keys that never belonged to a release, or no longer do. */
  readonly otherKeys: readonly string[];
};

/**
 * First phase of the documents, among them `index.json`, which names the release. The change history is written
 * before them, so that it already includes that release. `current` and removals follow.
 */
const NAMING = OBJECT_KINDS.problem.phase;

const REMOVED_AT_ONCE = 1000;

export async function applyPlan(work: PublishWork): Promise<AppliedPlan> {
  const { held, source, plan, survey, goal, signature, keptDays, listener } = work;
  const { bucket } = held;
  const { release } = source;
  // Releases that may have objects in the bucket. After an interruption, the next publish must know them.
  const present = [...survey.known.map(({ name }) => name), release.name];
  await held.beginChanges({
    releases: present,
    goal: goal ?? null,
    readerLife: readerLife([release]),
    timeline: timelineForLog(survey.timeline).timeline,
    ...(signature && { number: signature.number }),
  });

  listener({ kind: 'stage', stage: 'write' });
  const write = createWriter(work);
  for (const kinds of UPLOAD_PHASES.slice(0, NAMING)) await writePhase(work, kinds, write);
  // The history must include the release before any document names it.
  const { live: before, listingReason } = survey;
  const mayHaveLeftovers = listingReason !== undefined;
  const history = await writeHistory({ bucket, source, live: before, mayHaveLeftovers, listener });
  for (const kinds of UPLOAD_PHASES.slice(NAMING, -1)) await writePhase(work, kinds, write);
  const retiring = await writeRetiring(work);
  const statement = await signature?.write();
  let time: Date | undefined;
  for (const object of plan.writes('current')) ({ time } = await write(object));

  listener({ kind: 'stage', stage: 'remove' });
  const live = recordLiveRelease(survey.timeline, release, time ?? held.time());
  const { timeline, removed } = await removeGone(work, live, retiring).catch(throwThatLive);
  await writeRetired(bucket, timeline, survey.stored);
  if (keptDays !== undefined)
    await writeKeptReleases(bucket, release, timeline, {
      number: signature?.number,
      days: keptDays,
      now: held.time(),
    });
  if (history.removed.length > 0) {
    await bucket.remove(history.removed).catch(throwThatLive);
    for (const key of history.removed) listener({ kind: 'remove', key });
  }
  return {
    timeline,
    retired: retiredKeys(timeline).size,
    // Includes a renewed statement, and that of a release that is live again.
    otherKeys: [
      ...(statement ? [statement] : []),
      ...(keptDays === undefined ? [] : [KEPT_RELEASES_KEY]),
      ...history.written,
      ...history.removed,
      ...removed,
    ],
  };
}

function throwThatLive(error: unknown): never {
  if (!(error instanceof BucketError) || error.isTransient) throw error;
  const message = `The release is live, but what it replaced could not be removed. ${error.message}`;
  throw new EnvironmentError(error.code, message, { cause: error });
}

type Write = (object: PublishedObject) => Promise<WriteResult>;

function createWriter({ held: { bucket }, source, plan, listener }: PublishWork): Write {
  let total = 0;
  for (const _object of allWrites(plan)) total++;
  let done = 0;
  return async (object) => {
    const body = await source.body(object);
    const headers = withContentEncoding(
      storedHeadersOf(source.release, object.key),
      await firstBytesOf(body),
    );
    const written = await writeBody(bucket, object.key, body, headers);
    listener({ kind: 'write', key: object.key, isNew: !plan.isPresent(object.key), size: bodySize(body) });
    source.reuse?.(body);
    listener({ kind: 'progress', done: ++done, total });
    return written;
  };
}

async function writePhase(
  { plan, width }: PublishWork,
  kinds: readonly ReleaseKind[],
  write: Write,
): Promise<void> {
  await forEachConcurrently(allWrites(plan, kinds), width, (object) => write(object));
}

/**
 * Removes objects that the release lacks: lists at once, details only when no cache may still serve a list naming
 * them. Returns the keys removed, and the timeline with the details that remain.
 */
async function removeGone(
  work: PublishWork,
  timeline: Timeline,
  retiring: readonly string[],
): Promise<{ timeline: Timeline; removed: readonly string[] }> {
  const { held, source, plan, survey } = work;
  const { release } = source;
  await removeKeys(work, removals(plan, false));
  const gone = [...new Set([...Array.from(removals(plan, true), propertyIdOf), ...retiring])];
  const latest = held.latest();
  const cached = recordCachedLists(timeline, latest, survey.listLife);
  const end = new Date(cached.cached ?? 0);
  const isCached = end > latest;
  // Ids of removed or retired details that the new release contains.
  const listed = new Set<string>();
  const unlisted = new Set(retiring);
  const retired = release.hasPages ? timeline.retired.flatMap(({ ids }) => ids) : [];
  // Sorted, so that each part is read only once.
  for (const id of [...gone.filter((one) => !unlisted.has(one)), ...retired].sort())
    if (await readDetail(release, id)) listed.add(id);
  const isListed = (id: string) => listed.has(id);
  const ofThis = new Set(gone);
  const due = [
    ...gone.filter((id) => !isCached || isListed(id)),
    // Not if the property returned and this release removes it again: then it gets a new due time.
    ...dueRetiredIds(survey.timeline, survey.now).filter((id) => !ofThis.has(id)),
  ];
  const removed = [...new Set(due)].filter((id) => !release.hasPages || !isListed(id));
  await removeKeys(work, removed.map(propertyKey));
  const over = new Set([...removed, ...gone]);
  const kept = withoutRetired(cached, (id) => over.has(id) || (release.hasPages && isListed(id)));
  const left = gone.filter((id) => !isListed(id));
  return {
    timeline: isCached ? withRetired(kept, left, end) : kept,
    removed: removed.map(propertyKey),
  };
}

/**
 * In the packed layout, a detail exists only inside parts. This writes the details of removed properties as separate
 * files, since caches may still serve lists that name them. Returns their ids.
 */
async function writeRetiring({ held: { bucket }, source, survey, width }: PublishWork): Promise<string[]> {
  const { release } = source;
  const written = new Set<string>();
  for await (const before of servedReleases(bucket, survey, width)) {
    if (before.hasPages) continue;
    const { removed } = await compareReleases(before, release);
    const gone = removed.filter((id) => !written.has(id)).sort();
    if (gone.length === 0 || !(await bucket.inspect(rootKey(before.name)))) continue;
    await forEachConcurrently(gone, width, async (id) => {
      const detail = await readDetail(before, id).catch(undefinedIfDamaged);
      // A damaged detail is skipped: readers could not read it either.
      if (!detail) return;
      const key = propertyKey(id);
      await bucket.write(key, detail, storedHeadersOf(release, key));
      written.add(id);
    });
  }
  return [...written];
}

/**
 * Releases whose lists caches may still serve. If it is unknown which these are, all kept releases that are complete.
 */
async function* servedReleases(
  bucket: Bucket,
  { known, unknownReason, timeline }: BucketSurvey,
  width: Concurrency,
): AsyncGenerator<Release, undefined> {
  const wasLive = new Set(timeline.live.map(({ release }) => release));
  for (const release of known)
    if (wasLive.has(release.name) || (unknownReason && (await isWhole(bucket, release, width))))
      yield release;
  for (const { name, isRestorable } of unknownReason ? await listReleases(bucket, timeline) : []) {
    const isDone = !isRestorable || known.some((one) => one.name === name);
    const release = isDone ? undefined : await readKeptRelease(bucket, name, { known, isPartial: true });
    if (release && (await isWhole(bucket, release, width))) yield release;
  }
  return undefined;
}

async function isWhole(bucket: Bucket, release: Release, width: Concurrency): Promise<boolean> {
  let missing = 0;
  await forEachConcurrently(sharedKeys(release), width, async (key) => {
    if (!(await bucket.inspect(key))) missing++;
  });
  return missing === 0;
}

function* removals(plan: PublishPlan, ofDetails: boolean): Generator<string> {
  for (const key of plan.removals()) if ((objectKindOf(key) === 'detail') === ofDetails) yield key;
}

async function removeKeys(
  { held, source, survey, listener }: PublishWork,
  keys: Iterable<string>,
): Promise<void> {
  const retired = retiredKeys(survey.timeline);
  const isOurs = (key: string) =>
    retired.has(key) || isDerivedKey(key) || survey.known.some((owner) => objectNamed(owner, key));
  for (const group of batches(keys, REMOVED_AT_ONCE)) {
    for (const key of group)
      if (!isOurs(key) || (await objectAt(source.release, key)))
        throw new Error(`${key} was to be removed, and is not ours to remove`);
    await held.bucket.remove(group);
    for (const key of group) listener({ kind: 'remove', key });
  }
}
