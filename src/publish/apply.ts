/** Carries out a plan, in an order that appears atomic to readers. */

import { isDerivedKey, KINDS, kindOf, PHASES, type ReleaseKind } from '../contract/kinds.ts';
import { CURRENT_KEY, idOf, KEPT_RELEASES_KEY, MANIFEST_KEY, propertyKey } from '../contract/object-keys.ts';
import { EnvironmentError } from '../errors/errors.ts';
import {
  goneIds,
  headersOf,
  isManifestOf,
  keptKeys,
  objectAt,
  type PublishedObject,
  type Release,
} from '../release/release.ts';
import { sizeOf, startOf, writeBody } from '../storage/body.ts';
import {
  type Bucket,
  BucketError,
  type Condition,
  ConditionFailed,
  ifTagIs,
  type Written,
  withEncoding,
} from '../storage/bucket.ts';
import { forEach, groups } from '../storage/for-each.ts';
import type { Lease } from '../storage/lease.ts';
import type { Width } from '../storage/pace.ts';
import { releaseObjectsKey } from '../storage/reserved-keys.ts';
import { keptRelease, readKept, writeArchive } from './archive/archive.ts';
import { listReleases } from './archive/list.ts';
import { writeKeptReleases } from './kept-releases.ts';
import { allWrites, type Plan } from './plan.ts';
import type { PublishListener } from './progress.ts';
import { readerLife } from './reader-life.ts';
import { writeHistory } from './record-history.ts';
import type { Signature } from './sign.ts';
import type { Source } from './source.ts';
import type { BucketSurvey } from './survey.ts';
import {
  dueIds,
  recordCachedLists,
  recordLiveRelease,
  recordOf,
  retiredKeys,
  type Timeline,
  withoutPruned,
  withoutRetired,
  withRetired,
  writeRetired,
} from './timeline.ts';

export type Work = {
  readonly lease: Lease;
  readonly source: Source;
  readonly plan: Plan;
  readonly survey: BucketSurvey;
  /** Release that a rollback restores, which resumes with it when interrupted and run again; null for any other command. */
  readonly goal?: string | null | undefined;
  readonly signature?: Signature | undefined;
  /** Days for which readers are promised a replaced release; undefined to promise nothing. */
  readonly keptDays?: number | undefined;
  readonly listener: PublishListener;
  readonly width: Width;
};

export type AppliedPlan = {
  readonly timeline: Timeline;
  /** Number of details that no list names, kept for readers of cached lists. */
  readonly retired: number;
  /** Changed keys that belong to no release, or to none any more. */
  readonly otherKeys: readonly string[];
};

/**
 * First phase of documents that name the release. They follow its history, so that readers of the history find downloads of
 * that release or a later one. The manifest comes after them, then `current`, and removals last.
 */
const NAMING = KINDS.problem.phase;

const REMOVED_AT_ONCE = 1000;

/** Writes the objects, makes the release live, then removes old objects. */
export async function apply(work: Work): Promise<AppliedPlan> {
  const { lease, source, plan, survey, goal, signature, keptDays, listener } = work;
  const { bucket, isExclusive } = lease;
  const { release } = source;
  const names = [...plan.writes('current')];
  const current = names.length > 0 ? await bucket.inspect(CURRENT_KEY) : undefined;
  // A publish after an interruption has to know which releases may have arrived in part.
  const partial = [...survey.known.map(({ name }) => name), release.name];
  await lease.begin({
    releases: partial,
    goal: goal ?? null,
    readerLife: readerLife([release]),
    timeline: recordOf(survey.timeline).timeline,
    ...(signature && { number: signature.number }),
  });
  await writeArchive(bucket, source, survey.live);

  listener({ kind: 'stage', stage: 'write' });
  const write = createWriter(work);
  for (const kinds of PHASES.slice(0, NAMING)) await writePhase(work, kinds, write);
  // The history must name the release before any document does.
  const { live: before, reason } = survey;
  const isDoubtful = reason !== undefined;
  const history = await writeHistory({ bucket, source, live: before, isDoubtful, isExclusive, listener });
  for (const kinds of PHASES.slice(NAMING, -1)) await writePhase(work, kinds, write);
  const retiring = await writeRetiring(work);
  const statement = await signature?.write();
  let time = await replaceManifest(work);
  for (const object of names) {
    const condition = isExclusive ? ifTagIs(current?.tag) : undefined;
    const written = await unlessReplaced(work, object.key, write(object, condition));
    // Without pages, lists are those of the root that it names.
    if (!release.hasPages) time = written.time ?? time;
  }

  listener({ kind: 'stage', stage: 'remove' });
  const whole = [...survey.known.map(({ name }) => name), release.name];
  const live = recordLiveRelease(withoutPruned(survey.timeline, whole), release.name, time ?? lease.time());
  const { timeline, removed } = await removeGone(work, live, retiring).catch(throwThatLive);
  await writeRetired(bucket, timeline, survey.stored);
  if (keptDays !== undefined)
    await writeKeptReleases(bucket, release, timeline, {
      number: signature?.number,
      days: keptDays,
      now: lease.time(),
    });
  if (history.removed.length > 0) {
    await bucket.remove(history.removed).catch(throwThatLive);
    for (const key of history.removed) listener({ kind: 'remove', key });
  }
  return {
    timeline,
    retired: retiredKeys(timeline).size,
    // A renewed statement, or the statement of a release that is live again, replaces an older one.
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

type Write = (object: PublishedObject, condition?: Condition) => Promise<Written>;

function createWriter({ lease: { bucket }, source, plan, listener }: Work): Write {
  let total = 0;
  for (const _object of allWrites(plan)) total++;
  let done = 0;
  return async (object, condition) => {
    const body = await source.body(object);
    const headers = withEncoding(headersOf(source.release, object.key), await startOf(body));
    const written = await writeBody(bucket, object.key, body, headers, condition);
    listener({ kind: 'write', key: object.key, isNew: !plan.isPresent(object.key), size: sizeOf(body) });
    source.reuse?.(body);
    listener({ kind: 'progress', done: ++done, total });
    return written;
  };
}

async function writePhase({ plan, width }: Work, kinds: readonly ReleaseKind[], write: Write): Promise<void> {
  await forEach(allWrites(plan, kinds), width, (object) => write(object));
}

async function unlessReplaced<T>({ lease }: Work, key: string, written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new EnvironmentError(
      'manifest-changed',
      `Something other than catalogue replaced ${key} of ${lease.bucket.name} while this publish ran. Run the command again: it goes on from what arrived.`,
    );
  }
}

/**
 * Writes the manifest, which makes the release live; lists of the packed layout become live with the object at
 * `CURRENT_KEY`. Returns the store's time.
 */
async function replaceManifest(work: Work): Promise<Date | undefined> {
  const { source, survey, lease, listener } = work;
  const { bucket, isExclusive } = lease;
  const { release } = source;
  if (isManifestOf(survey.live, release)) return undefined;
  const { manifestTag: tag } = survey;
  const condition = isExclusive ? ifTagIs(tag) : undefined;
  const written = bucket.write(MANIFEST_KEY, release.bytes, headersOf(release, MANIFEST_KEY), condition);
  const { time } = await unlessReplaced(work, MANIFEST_KEY, written);
  listener({ kind: 'write', key: MANIFEST_KEY, isNew: tag === undefined, size: release.bytes.length });
  return time;
}

/**
 * Removes objects that the release lacks: lists at once, details once no cache may serve a list that names them.
 * Returns the timeline, with the details still to be removed, and the removed keys.
 */
async function removeGone(
  work: Work,
  timeline: Timeline,
  retiring: readonly string[],
): Promise<{ timeline: Timeline; removed: readonly string[] }> {
  const { lease, source, plan, survey } = work;
  const { release } = source;
  await removeKeys(work, removals(plan, false));
  const gone = [...new Set([...Array.from(removals(plan, true), idOf), ...retiring])];
  const latest = lease.latest();
  const cached = recordCachedLists(timeline, latest, survey.listLife);
  const end = new Date(cached.cached ?? 0);
  const isCached = end > latest;
  // Details that parts have now need no file. Pieces that the live release has, too, may not be loaded.
  const unlisted = new Set(retiring);
  const isListed = (id: string) => !unlisted.has(id) && release.places.has(id);
  const ofThis = new Set(gone);
  const due = [
    ...gone.filter((id) => !isCached || isListed(id)),
    // A property may have come back meanwhile, and go again now.
    ...dueIds(survey.timeline, survey.now).filter((id) => !ofThis.has(id)),
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
 * Writes the details of properties that no list will name any more, and that only parts have, as files: caches may serve
 * lists that name them. Returns their ids.
 */
async function writeRetiring({ lease: { bucket }, source, survey, width }: Work): Promise<string[]> {
  const { release } = source;
  const written = new Set<string>();
  for await (const before of servedReleases(bucket, survey, width)) {
    if (before.hasPages) continue;
    const { detail } = keptRelease(bucket, before);
    const gone = goneIds(before, release).filter((id) => !written.has(id));
    // A release is archived until it is pruned.
    if (gone.length === 0 || !(await bucket.inspect(releaseObjectsKey(before.name)))) continue;
    await forEach(gone, width, async (id) => {
      const text = await detail(id).catch(undefinedIfDamaged);
      // Readers cannot read it either.
      if (text === undefined) return;
      const key = propertyKey(id);
      await bucket.write(key, Buffer.from(text), headersOf(release, key));
      written.add(id);
    });
  }
  return [...written];
}

/** Yields the releases whose lists caches may serve; where that is unknown, every kept one that is whole. */
async function* servedReleases(
  bucket: Bucket,
  { known, doubt, timeline }: BucketSurvey,
  width: Width,
): AsyncGenerator<Release, undefined> {
  const wasLive = new Set(timeline.live.map(({ release }) => release));
  for (const release of known)
    if (wasLive.has(release.name) || (doubt && (await isWhole(bucket, release, width)))) yield release;
  for (const { name, isRestorable } of doubt ? await listReleases(bucket) : []) {
    const isDone = !isRestorable || known.some((one) => one.name === name);
    const release = isDone ? undefined : await readKept(bucket, name, { known, isPartial: true });
    if (release && (await isWhole(bucket, release, width))) yield release;
  }
  return undefined;
}

async function isWhole(bucket: Bucket, { manifest }: Release, width: Width): Promise<boolean> {
  let missing = 0;
  await forEach(keptKeys(manifest), width, async (key) => {
    if (!(await bucket.inspect(key))) missing++;
  });
  return missing === 0;
}

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof EnvironmentError) || error.code !== 'release-damaged') throw error;
}

function* removals(plan: Plan, ofDetails: boolean): Generator<string> {
  for (const key of plan.removals()) if ((kindOf(key) === 'detail') === ofDetails) yield key;
}

async function removeKeys({ lease, source, survey, listener }: Work, keys: Iterable<string>): Promise<void> {
  const retired = retiredKeys(survey.timeline);
  const isOurs = (key: string) =>
    retired.has(key) || isDerivedKey(key) || survey.known.some((owner) => objectAt(owner, key));
  for (const group of groups(keys, REMOVED_AT_ONCE)) {
    const foreign = group.find((key) => objectAt(source.release, key) || !isOurs(key));
    if (foreign) throw new Error(`${foreign} was to be removed, and is not ours to remove`);
    await lease.bucket.remove(group);
    for (const key of group) listener({ kind: 'remove', key });
  }
}
