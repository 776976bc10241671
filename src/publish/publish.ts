/** Brings a release to a bucket: only what changed, in a safe order, and never two at once. */
import { CURRENT_KEY, MANIFEST_KEY, PROPERTIES_FOLDER } from '../contract/layout.ts';
import { EnvironmentError } from '../report/failure.ts';
import { writeArchive } from './archive.ts';
import { type Bucket, type Condition, ConditionFailed, withEncoding } from './bucket.ts';
import { CONTROL_HEADERS, releaseManifestKey } from './control.ts';
import { type GuardOptions, guardContent, guardPlan } from './guard.ts';
import { type HistoryKeys, writeHistory } from './history.ts';
import type { Invalidator } from './invalidation.ts';
import { isHeld, type Lock, type LockOptions, lockedError, takeLock } from './lock.ts';
import { allWrites, isEmpty, PHASES, type Plan } from './plan.ts';
import { type PublishListener, type Traffic, withTraffic } from './progress.ts';
import { countObjects, headersOf, isKept, locate, type PublishedObject, type Release } from './release.ts';
import type { Source } from './source.ts';
import { listingReason, planAgainst, type Survey, surveyBucket } from './survey.ts';
import { forEach, groups } from './transfer.ts';

/** How to publish. */
export type PublishOptions = GuardOptions & {
  /** Compares with a listing of the bucket, and repairs what differs. @default false */
  readonly verify?: boolean | undefined;
  /** How to take the lock; `isExclusive: false` for a store without conditional writes. */
  readonly lock?: LockOptions | undefined;
  /** Requests in flight at most. @default 32 */
  readonly concurrency?: number | undefined;
  /** Caches that are told what changed, after it changed. @default none */
  readonly invalidators?: readonly Invalidator[] | undefined;
  readonly listener?: PublishListener | undefined;
};

/** What came of it. */
export type PublishResult = {
  /** `unchanged`: the bucket held the release, and nothing was written. */
  readonly outcome: 'published' | 'unchanged';
  /** The bucket. */
  readonly target: string;
  readonly release: string;
  /** The release that was live before; null when there was none. */
  readonly previous: string | null;
  readonly written: Traffic['written'];
  readonly removed: number;
  /** Objects of the release that were there and stayed. */
  readonly unchanged: number;
  readonly bytes: number;
  /** Paths and prefixes that caches were told of, by cache. */
  readonly invalidated: Readonly<Record<string, readonly string[]>>;
  readonly seconds: number;
};

const REMOVED_AT_ONCE = 1000;

/**
 * Publishes a release.
 *
 * Objects that others refer to are written before those that refer to them, the manifest last, and only then is
 * anything removed. An interrupted publish is resumed by publishing again, the same release or another one.
 *
 * @throws UsageError when a guard refuses, before anything is written; EnvironmentError when the bucket fails, is
 * locked, or somebody took the lock.
 */
export async function publishRelease(
  target: Bucket,
  source: Source,
  options: PublishOptions = {},
): Promise<PublishResult> {
  const started = performance.now();
  const { bucket, traffic } = withTraffic(target);
  const { listener = () => {}, concurrency = 32, invalidators = [] } = options;
  const { release } = source;
  guardContent(release);
  listener({ kind: 'stage', stage: 'compare' });
  let survey = await surveyBucket(bucket);
  const isExclusive = options.lock?.isExclusive ?? true;
  if (survey.lock && isHeld(survey.lock) && isExclusive && !options.lock?.force) {
    throw lockedError(bucket, survey.lock);
  }
  let planned = await planChecked(bucket, source, survey, options);
  const result = (outcome: PublishResult['outcome'], invalidated: PublishResult['invalidated'] = {}) => ({
    outcome,
    target: bucket.name,
    release: release.name,
    previous: survey.live?.name ?? null,
    written: traffic.written,
    removed: traffic.removed,
    unchanged:
      countObjects(release) +
      1 +
      traffic.written.history -
      Object.values(traffic.written).reduce((sum, count) => sum + count, 0),
    bytes: traffic.bytes,
    invalidated,
    seconds: (performance.now() - started) / 1000,
  });
  if (planned.isDone) return result('unchanged');

  const lock = await takeLock(bucket, namesOf(survey, release.name), options.lock);
  let hasBegun = lock.found !== undefined;
  try {
    const current = await surveyBucket(bucket);
    if (current.manifestTag !== survey.manifestTag || lock.found?.tag !== survey.lock?.tag) {
      // Somebody published between the look and the lock.
      survey = { ...current, lock: lock.found };
      planned = await planChecked(bucket, source, survey, options);
      if (planned.isDone) {
        await lock.release();
        return result('unchanged');
      }
      await lock.update(namesOf(survey, release.name));
    }
    hasBegun = true;
    const { plan } = planned;
    const history = await apply({ bucket, source, plan, survey, lock, listener, concurrency });
    const invalidated: Record<string, readonly string[]> = {};
    for (const invalidator of invalidators) {
      listener({ kind: 'stage', stage: 'invalidate' });
      invalidated[invalidator.name] = await invalidator.invalidate(survey.known, release, [
        ...history.written,
        ...history.removed,
      ]);
    }
    await lock.release();
    return result('published', invalidated);
  } catch (error) {
    if (hasBegun) await lock.abandon();
    else await lock.release().catch(() => {});
    throw error;
  }
}

function namesOf({ known }: Survey, name: string): string[] {
  return [...known.map((release) => release.name), name];
}

/** Plans, and refuses whatever has to be refused. */
async function planChecked(
  bucket: Bucket,
  source: Source,
  survey: Survey,
  options: PublishOptions,
): Promise<{ plan: Plan; isDone: boolean }> {
  const { listener = () => {}, concurrency = 32 } = options;
  const reason = listingReason(survey) ?? (options.verify ? 'asked' : undefined);
  if (reason && reason !== 'asked') listener({ kind: 'note', text: LISTED[reason](bucket.name) });
  const plan = await planAgainst(bucket, source, survey, { listing: reason !== undefined, concurrency });
  if (plan.strangers) {
    const text = `${plan.strangers} ${plan.strangers === 1 ? 'object' : 'objects'} in ${bucket.name} belong to no known release, and stay as they are.`;
    listener({ kind: 'note', text });
  }
  const isLive = isManifestOf(survey.live, source.release);
  if (isEmpty(plan) && isLive && !survey.lock) return { plan, isDone: true };
  guardPlan(survey.live, plan, options);
  listener({ kind: 'stage', stage: 'check' });
  await source.check(allWrites(plan));
  return { plan: source.isKept ? withoutKept(plan) : plan, isDone: false };
}

const LISTED = {
  'no-manifest': (name: string) => `There is no manifest in ${name}: its objects were listed.`,
  'damaged-manifest': (name: string) => `The manifest in ${name} is damaged: its objects were listed.`,
  unfinished: (name: string) => `An earlier publish to ${name} did not end: its objects were listed.`,
};

/** What the bucket keeps of every release is not sent to it, unless its headers differ. */
function withoutKept(plan: Plan): Plan {
  return {
    ...plan,
    *writes(kind) {
      for (const object of plan.writes(kind)) if (!isKept(object) || plan.isPresent(object.key)) yield object;
    },
  };
}

type Work = {
  readonly bucket: Bucket;
  readonly source: Source;
  readonly plan: Plan;
  readonly survey: Survey;
  readonly lock: Lock;
  readonly listener: PublishListener;
  readonly concurrency: number;
};

async function apply(work: Work): Promise<HistoryKeys> {
  const { bucket, source, plan, survey, lock, listener, concurrency } = work;
  const { release } = source;
  const names = [...plan.writes('current')];
  const current = names.length > 0 ? await bucket.inspect(CURRENT_KEY) : undefined;
  // Whoever comes after an interruption has to know what may have arrived.
  lock.assertHeld();
  await bucket.write(releaseManifestKey(release.name), release.bytes, CONTROL_HEADERS);

  listener({ kind: 'stage', stage: 'write' });
  let total = 0;
  for (const _object of allWrites(plan)) total++;
  let done = 0;
  const write = async (object: PublishedObject, condition?: Condition) => {
    const body = await source.body(object);
    lock.assertHeld();
    await bucket.write(object.key, body, withEncoding(headersOf(release, object.key), body), condition);
    listener({ kind: 'write', key: object.key, isNew: !plan.isPresent(object.key), size: body.length });
    listener({ kind: 'progress', done: ++done, total });
  };
  let history: HistoryKeys = { written: [], removed: [] };
  for (const kinds of PHASES) {
    // Whoever reads of a property finds it, and no document names the release before the history does.
    if (kinds.includes('document')) {
      history = await writeHistory({ bucket, source, live: survey.live, lock, listener });
    }
    const phase = function* () {
      for (const kind of kinds) yield* plan.writes(kind);
    };
    await forEach(phase(), concurrency, (object) => write(object));
  }
  await writeArchive(bucket, source, survey.live, lock.assertHeld);
  await replaceManifest(work);
  for (const object of names) {
    const condition = current ? { tag: current.tag } : { absent: true as const };
    await unlessReplaced(bucket, write(object, lock.isExclusive ? condition : undefined));
  }

  listener({ kind: 'stage', stage: 'remove' });
  const owners = survey.known;
  const isDetail = (key: string) => key.startsWith(`${PROPERTIES_FOLDER}/`);
  // Lists first: no reader may find a property in a list that has gone.
  for (const ofDetails of [false, true]) {
    const keys = function* () {
      for (const key of plan.removals()) if (isDetail(key) === ofDetails) yield key;
    };
    for (const group of groups(keys(), REMOVED_AT_ONCE)) {
      lock.assertHeld();
      const foreign = group.find(
        (key) => locate(release, key) || !owners.some((owner) => locate(owner, key)),
      );
      if (foreign) throw new Error(`${foreign} was to be removed, and is not ours to remove`);
      await bucket.remove(group);
      for (const key of group) listener({ kind: 'remove', key });
    }
  }
  if (history.removed.length > 0) {
    lock.assertHeld();
    await bucket.remove(history.removed);
    for (const key of history.removed) listener({ kind: 'remove', key });
  }
  return history;
}

/** @throws EnvironmentError `manifest-changed` when a write found another object than was there before. */
async function unlessReplaced(bucket: Bucket, written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new EnvironmentError(
      'manifest-changed',
      `Somebody else replaced the manifest of ${bucket.name} while this publish ran. Run the command again: it goes on from what arrived.`,
    );
  }
}

/** Whether the live manifest is this one. Another commit with the same release has another one. */
function isManifestOf(live: Release | undefined, release: Release): boolean {
  return live?.bytes.equals(release.bytes) ?? false;
}

/** From here on the release is live; where it is packed, its lists are when this is told by the object at `CURRENT_KEY`. */
async function replaceManifest({ bucket, source, survey, lock, listener }: Work): Promise<void> {
  const { release } = source;
  if (isManifestOf(survey.live, release)) return;
  lock.assertHeld();
  const condition =
    survey.manifestTag === undefined ? { absent: true as const } : { tag: survey.manifestTag };
  const headers = headersOf(release, MANIFEST_KEY);
  await unlessReplaced(
    bucket,
    bucket.write(MANIFEST_KEY, release.bytes, headers, lock.isExclusive ? condition : undefined),
  );
  listener({
    kind: 'write',
    key: MANIFEST_KEY,
    isNew: survey.manifestTag === undefined,
    size: release.bytes.length,
  });
}
