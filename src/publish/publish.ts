/** Brings a release to a bucket: only what changed, in a safe order, and never two at once. */

import { countObjects, isKept, isManifestOf, type Release } from '../release/release.ts';
import type { Bucket, StoredObject } from '../storage/bucket.ts';
import { type Lease, type LeaseOptions, takeLease } from '../storage/lease.ts';
import { type FoundLease, isAtRest, readLease } from '../storage/lease-record.ts';
import { apply } from './apply.ts';
import { readLive } from './archive/archive.ts';
import { allWrites, isEmpty, type Plan } from './plan.ts';
import { type PublishListener, type Traffic, withTraffic } from './progress.ts';
import type { Invalidator } from './purge/purge.ts';
import { type GuardOptions, guardContent, guardPlan } from './refusals.ts';
import type { Source } from './source.ts';
import { guardVersion, manifestDigest, planAgainst, type Survey, surveyBucket } from './survey.ts';
import { dueIds, firstDue } from './timeline.ts';

/** How to publish. */
export type PublishOptions = GuardOptions & {
  /** Compares with a listing of the bucket, and repairs what differs. @default false */
  readonly verify?: boolean | undefined;
  /** How to take the lease; `isExclusive: false` for a store without conditional writes. */
  readonly lock?: LeaseOptions | undefined;
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
  /** Details that are kept for a while, since caches may serve lists that name them. */
  readonly retired: number;
  /** Objects of the release that were there and stayed. */
  readonly unchanged: number;
  readonly bytes: number;
  /** Paths and prefixes that caches were told of, by cache. */
  readonly invalidated: Readonly<Record<string, readonly string[]>>;
  readonly seconds: number;
};

/**
 * Publishes a release.
 *
 * Objects that others refer to are written before those that refer to them, the manifest last, and only then is
 * anything removed. An interrupted publish is resumed by publishing again, the same release or another one.
 *
 * @throws UsageError when a guard refuses, before anything is written; EnvironmentError when the bucket fails, is
 * locked, or the lock was lost.
 */
export async function publishRelease(
  target: Bucket,
  source: Source,
  options: PublishOptions = {},
): Promise<PublishResult> {
  const started = performance.now();
  const { bucket, traffic } = withTraffic(target);
  const { listener = () => {} } = options;
  guardContent(source.release);
  listener({ kind: 'stage', stage: 'compare' });
  const seen = await look(bucket);
  if (!options.allowOlder) guardVersion(bucket.name, seen.manifest?.body);
  const summary = (outcome: PublishResult['outcome'], done: Partial<Done> = {}): PublishResult =>
    resultOf(bucket, source, traffic, outcome, done, started);
  if (isUnchanged(seen, source, options)) return summary('unchanged', { previous: source.release.name });

  const note = (text: string) => listener({ kind: 'note', text });
  const isUsed = seen.manifest !== undefined;
  const releases = [...(seen.live ? [seen.live.name] : []), source.release.name];
  const lease = await takeLease(bucket, { note, isUsed, seen, releases, ...options.lock });
  try {
    const done = await bring(lease, source, options);
    await lease.finish({ manifest: manifestDigest(source.release.bytes), due: firstDue(done.timeline) });
    return summary(done.outcome, done);
  } catch (error) {
    await lease.abandon();
    throw error;
  }
}

/** What two requests say of a bucket before its lease is taken: enough to answer "unchanged", or "locked". */
type Look = {
  readonly lease: FoundLease | undefined;
  readonly manifest: StoredObject | undefined;
  readonly live: Release | undefined;
};

async function look(bucket: Bucket): Promise<Look> {
  const lease = await readLease(bucket);
  const { release: live, object: manifest } = await readLive(bucket);
  return { lease, manifest, live };
}

/** Whether the bucket was, when its lease was read, exactly this release, with nothing left to be done. */
function isUnchanged({ lease, manifest }: Look, { release }: Source, { verify }: PublishOptions): boolean {
  if (!lease || !manifest || verify || !isAtRest(lease.record)) return false;
  const { record } = lease;
  const now = manifest.time ?? new Date();
  const isDue = record.due !== null && Date.parse(record.due) <= now.getTime();
  return !isDue && record.manifest === manifestDigest(manifest.body) && manifest.body.equals(release.bytes);
}

type Done = {
  readonly outcome: PublishResult['outcome'];
  readonly previous: string | null;
  readonly invalidated: PublishResult['invalidated'];
  readonly retired: number;
  readonly timeline: Survey['timeline'];
};

/** Surveys, plans, guards and writes; all of it under one lease, so no plan is older than what it is made for. */
async function bring(lease: Lease, source: Source, options: PublishOptions): Promise<Done> {
  const { listener = () => {}, concurrency = 32, invalidators = [] } = options;
  const survey = await surveyBucket(lease);
  const previous = survey.live?.name ?? null;
  const plan = await planChecked(lease, source, survey, options);
  if (!plan) {
    return { outcome: 'unchanged', previous, invalidated: {}, retired: 0, timeline: survey.timeline };
  }
  const applied = await apply({ lease, source, plan, survey, listener, concurrency });
  const invalidated: Record<string, readonly string[]> = {};
  for (const invalidator of invalidators) {
    listener({ kind: 'stage', stage: 'invalidate' });
    invalidated[invalidator.name] = await invalidator.invalidate(
      survey.known,
      source.release,
      applied.otherKeys,
    );
  }
  const { retired, timeline } = applied;
  return { outcome: 'published', previous, invalidated, retired, timeline };
}

/** Plans, and refuses what has to be refused; undefined when there is nothing to do. */
async function planChecked(
  { bucket, remains }: Lease,
  source: Source,
  survey: Survey,
  options: PublishOptions,
): Promise<Plan | undefined> {
  const { listener = () => {}, concurrency = 32 } = options;
  const reason = survey.reason ?? (options.verify ? 'asked' : undefined);
  if (reason && reason !== 'asked') listener({ kind: 'note', text: LISTED[reason](bucket.name) });
  const plan = await planAgainst(bucket, source, survey, { listing: reason !== undefined, concurrency });
  if (plan.strangers) {
    const text = `${plan.strangers} ${plan.strangers === 1 ? 'object' : 'objects'} in ${bucket.name} belong to no known release, and stay as they are.`;
    listener({ kind: 'note', text });
  }
  const isLive = isManifestOf(survey.live, source.release);
  const isDue = dueIds(survey.timeline, survey.now).length > 0;
  if (isEmpty(plan) && isLive && !remains.suspect && !survey.isAmended && !isDue) return undefined;
  guardPlan(survey.last, plan, options);
  listener({ kind: 'stage', stage: 'check' });
  await source.check(allWrites(plan));
  return source.isKept ? withoutKept(plan) : plan;
}

const LISTED = {
  'no-manifest': (name: string) => `There is no manifest in ${name}: its objects were listed.`,
  'damaged-manifest': (name: string) => `The manifest in ${name} is damaged: its objects were listed.`,
  'foreign-manifest': (name: string) =>
    `The manifest in ${name} is not the one that was published last: its objects were listed.`,
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

function resultOf(
  bucket: Bucket,
  { release }: Source,
  traffic: Traffic,
  outcome: PublishResult['outcome'],
  { previous = null, invalidated = {}, retired = 0 }: Partial<Done>,
  started: number,
): PublishResult {
  const { written, removed, bytes } = traffic;
  const sum = Object.values(written).reduce((total, count) => total + count, 0);
  return {
    outcome,
    target: bucket.name,
    release: release.name,
    previous,
    written,
    removed,
    retired,
    unchanged: countObjects(release) + 1 + written.history - sum,
    bytes,
    invalidated,
    seconds: (performance.now() - started) / 1000,
  };
}
