import { MANIFEST_KEY } from '../contract/object-keys.ts';
import { parseManifest } from '../release/read.ts';
import { countObjects, isManifestOf, type Release } from '../release/release.ts';
import type { Bucket, StoredObject } from '../storage/bucket.ts';
import { type Lease, type LeaseOptions, takeLease } from '../storage/lease.ts';
import { type FoundLease, isAtRest, readLease } from '../storage/lease-record.ts';
import { thisMachine } from '../storage/machine.ts';
import { widthOf } from '../storage/pace.ts';
import { plural } from '../text/words.ts';
import { type AppliedPlan, apply } from './apply.ts';
import { planFromListing } from './listing-plan.ts';
import { allWrites, CHECKED_KINDS, isEmpty, type Plan, planFromReleases, withoutShared } from './plan.ts';
import { type Traffic, withTraffic } from './progress.ts';
import { type Purging, purgeCaches, type Stale, stalePaths } from './purge/purge.ts';
import { readerLife } from './reader-life.ts';
import { type GuardOptions, guardContent, guardPlan } from './refusals.ts';
import { isSigned, prepareSignature, type Signature, type Signing } from './sign.ts';
import type { Source } from './source.ts';
import { type BucketSurvey, guardVersion, manifestDigest, reasonText, surveyBucket } from './survey.ts';
import { beginTimeline, dueIds, recordOf } from './timeline.ts';

export type PublishOptions = GuardOptions &
  Purging & {
    /** Compares with a listing of the bucket and repairs differences. @default false */
    readonly verify?: boolean | undefined;
    /** Use `isExclusive: false` for a store without conditional writes. */
    readonly lock?: LeaseOptions | undefined;
    readonly signing?: Signing | undefined;
    /** Days for which a replaced release stays available. @default no promise */
    readonly keptDays?: number | undefined;
    /** Maximum of concurrent requests. @default the bucket's pace; without one, 32 */
    readonly concurrency?: number | undefined;
    /** Purges everything, even if nothing is published. @default false */
    readonly purge?: boolean | undefined;
  };

export type PublishResult = {
  /** `unchanged`: the release was live already; nothing was written. */
  readonly outcome: 'published' | 'unchanged';
  readonly bucket: string;
  readonly release: string;
  /** The previous live release; null if there was none. */
  readonly previous: string | null;
  readonly written: Traffic['written'];
  readonly removed: number;
  /** Number of details kept for now, as caches may serve lists naming them. */
  readonly retired: number;
  /** Number of objects that needed no write. */
  readonly unchanged: number;
  readonly bytes: number;
  /** Purged paths and prefixes, by cache name. */
  readonly invalidated: Readonly<Record<string, readonly string[]>>;
  readonly seconds: number;
};

/**
 * Writes each object before others refer to it, the manifest and `current.json` last; then removes old objects. After an interruption,
 * publish again, the same release or another one.
 * @throws UsageError when a guard refuses, before anything is written; EnvironmentError when the bucket fails or is
 * locked, or the lock is lost
 */
export async function publishRelease(
  destination: Bucket,
  wanted: Source | Choose,
  options: PublishOptions = {},
): Promise<PublishResult> {
  const started = performance.now();
  const { bucket, traffic } = withTraffic(destination);
  const { listener = () => {}, lock = {} } = options;
  const source = typeof wanted === 'function' ? undefined : wanted;
  if (source) guardContent(source.release);
  listener({ kind: 'stage', stage: 'compare' });
  const seen = await look(bucket);
  if (!options.allowOlder && seen.live === undefined) guardVersion(bucket.name, seen.manifest?.body);
  const result = (release: Release, done: Done) => createResult(bucket, release, traffic, done, started);
  const { signing } = options;
  if (
    source &&
    isUnchanged(seen, source.release, options) &&
    (await isSigned(
      bucket,
      source.release,
      signing,
      seen.lease?.record.number,
      seen.manifest?.time ?? new Date(),
    )) &&
    !(await isPurgeDue(source.release, options))
  )
    return result(source.release, { outcome: 'unchanged', previous: source.release.name });

  const note = (text: string) => listener({ kind: 'note', text });
  const isUsed = async () => !(await claimFirst(bucket, seen, lock));
  // Recording these releases when taking the lease saves a renewal. Not if somebody else wrote the manifest: then the
  // live release is not certain.
  const isKnown = seen.lease && seen.lease.record.manifest === manifestDigest(seen.manifest?.body);
  const releases = isKnown ? [seen.live, source?.release.name].filter((name) => name !== undefined) : [];
  const lease = await takeLease(bucket, {
    note,
    isUsed,
    seen,
    releases,
    readerLife: readerLife(source ? [source.release] : []),
    ...lock,
  });
  try {
    // Chosen and planned while the lease is held, so both stay valid.
    const chosen = typeof wanted === 'function' ? await wanted(lease) : { source: wanted, goal: null };
    const { release } = chosen.source;
    const survey = await surveyBucket(lease, release);
    const previous = survey.live?.name ?? null;
    const signature = await prepareSignature(lease, release, signing, note);
    const plan = await makePlan(lease, chosen.source, survey, options, signature);
    const applied = plan && (await applyChecked(plan, lease, { ...chosen, signature }, survey, options));
    const invalidated = await purgeCaches(await staleIn(release, survey, applied, options), options);
    const { timeline } = applied ?? survey;
    await lease.finish({ manifest: manifestDigest(release.bytes), ...recordOf(timeline) });
    const outcome = applied ? 'published' : 'unchanged';
    return result(release, { outcome, previous, invalidated, retired: applied?.retired });
  } catch (error) {
    await lease.abandon();
    throw error;
  }
}

/**
 * Called while the lease is held. `goal`: target of an unfinished rollback to a release that was not named, otherwise
 * null.
 */
export type Choose = (lease: Lease) => Promise<Chosen>;

type Chosen = { readonly source: Source; readonly goal: string | null };

/**
 * Whether nobody ever published to the bucket, so that no earlier request can be in flight. If several publishers start
 * at once, exactly one gets true, even if the lock is deleted meanwhile: it creates the timeline.
 */
async function claimFirst(bucket: Bucket, { lease, manifest }: Look, lock: LeaseOptions): Promise<boolean> {
  if (lease || manifest) return false;
  const { isExclusive = true, host = thisMachine() } = lock;
  return !isExclusive || (await beginTimeline(bucket, host.unique()));
}

/** What is read before the lease is taken: enough to answer "unchanged" or "locked". */
type Look = {
  readonly lease: FoundLease | undefined;
  readonly manifest: StoredObject | undefined;
  /** Undefined when the manifest is missing or damaged. */
  readonly live: string | undefined;
};

async function look(bucket: Bucket): Promise<Look> {
  const lease = await readLease(bucket);
  const manifest = await bucket.read(MANIFEST_KEY);
  return { lease, manifest, live: manifest && parseManifest(manifest.body)?.release };
}

function isUnchanged({ lease, manifest }: Look, release: Release, { verify }: PublishOptions): boolean {
  if (!lease || !manifest || verify || !isAtRest(lease.record)) return false;
  const { record } = lease;
  const now = manifest.time ?? new Date();
  const isDue = record.due !== null && Date.parse(record.due) <= now.getTime();
  return !isDue && record.manifest === manifestDigest(manifest.body) && manifest.body.equals(release.bytes);
}

async function makePlan(
  { bucket, remains }: Lease,
  source: Source,
  survey: BucketSurvey,
  { verify, listener = () => {}, concurrency }: PublishOptions,
  signature: Signature | undefined,
): Promise<Plan | undefined> {
  const { reason, live, timeline, now, isAmended } = survey;
  const isFirst = reason === 'no-manifest' && !survey.last;
  if (reason)
    listener({
      kind: 'note',
      text: isFirst ? `First publication to ${bucket.name}.` : reasonText(reason, bucket.name),
    });
  const plan =
    reason || verify || !live
      ? await planFromListing(bucket, source, survey, widthOf(bucket, concurrency))
      : await planFromReleases(live, source.release);
  if (plan.strangers) {
    const text = `${plural(plan.strangers, 'object')} in ${bucket.name} that the catalogue did not write: publishing leaves them as they are.`;
    listener({ kind: 'note', text });
  }
  const isAsPublished = isEmpty(plan) && isManifestOf(live, source.release);
  const isDue = dueIds(timeline, now).length > 0;
  return isAsPublished && !signature && !remains.suspect && !isAmended && !isDue ? undefined : plan;
}

async function applyChecked(
  plan: Plan,
  lease: Lease,
  { source, goal, signature }: Chosen & { readonly signature: Signature | undefined },
  survey: BucketSurvey,
  options: PublishOptions,
): Promise<AppliedPlan> {
  const { listener = () => {}, concurrency, keptDays } = options;
  const width = widthOf(lease.bucket, concurrency);
  await guardPlan(survey.last, plan, options);
  listener({ kind: 'stage', stage: 'check' });
  await source.check(allWrites(plan, CHECKED_KINDS));
  const work = { lease, source, survey, goal, signature, keptDays, listener, width };
  return apply({ ...work, plan: source.isArchive ? withoutShared(plan) : plan });
}

async function isPurgeDue(release: Release, { purge, invalidators = [] }: PublishOptions): Promise<boolean> {
  if (purge) return true;
  for (const { isStale } of invalidators) if (await isStale?.(release)) return true;
  return false;
}

async function staleIn(
  release: Release,
  { known, reason }: BucketSurvey,
  applied: AppliedPlan | undefined,
  options: PublishOptions,
): Promise<Stale> {
  if (!applied) return { release, paths: (await isPurgeDue(release, options)) ? undefined : [] };
  // An interrupted publish may have changed more than is known.
  const isUnknown = options.purge || reason !== undefined;
  return { release, paths: isUnknown ? undefined : await stalePaths(known, release, applied.otherKeys) };
}

type Done = Pick<PublishResult, 'outcome' | 'previous'> & {
  readonly invalidated?: PublishResult['invalidated'] | undefined;
  readonly retired?: number | undefined;
};

function createResult(
  { name }: Bucket,
  release: Release,
  { written, removed, bytes }: Traffic,
  { outcome, previous, invalidated = {}, retired = 0 }: Done,
  started: number,
): PublishResult {
  const sum = Object.values(written).reduce((total, count) => total + count, 0);
  return {
    outcome,
    bucket: name,
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
