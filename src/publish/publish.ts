import { isDeepStrictEqual } from 'node:util';
import { CURRENT_KEY, DATA_FOLDER } from '../contract/object-keys.ts';
import { countObjects, type Release } from '../release/release.ts';
import { parseCurrent } from '../release/root-contents.ts';
import type { Bucket, StoredObject } from '../storage/bucket.ts';
import {
  type HeldLock,
  type LockOptions,
  readLogWithInstant,
  type SeenLog,
  takeLock,
} from '../storage/lock.ts';
import { hasObjectsBesideLog, isAtRest } from '../storage/lock-log.ts';
import { thisMachine } from '../storage/machine.ts';
import { concurrencyOf } from '../storage/pace.ts';
import { countText } from '../text/amounts.ts';
import { type AppliedPlan, applyPlan } from './apply.ts';
import { listCacheLifetime } from './cached-list-lifetime.ts';
import { planFromListing } from './listing-plan.ts';
import {
  allWrites,
  isEmptyPlan,
  KINDS_TO_CHECK,
  type PublishPlan,
  planFromReleases,
  withoutNewSharedObjects,
} from './plan.ts';
import { type PurgeCachesOptions, purgeCaches, type StaleContent } from './purge/purge-caches.ts';
import { stalePrefixesBetween } from './purge/stale-prefixes.ts';
import { assertNotEmpty, type GuardOptions, guardPlan } from './refusals.ts';
import type { ReleaseSource } from './release-source.ts';
import { needsNoSignature, type PreparedSignature, prepareSignature, type SigningOptions } from './sign.ts';
import {
  type BucketSurvey,
  currentJsonDigest,
  listingReasonText,
  refuseNewerVersion,
  surveyBucket,
} from './survey.ts';
import { timelineForLog } from './timeline.ts';
import { type TrafficCount, totalWritten, withTrafficCount } from './traffic-count.ts';

export type PublishOptions = GuardOptions &
  PurgeCachesOptions & {
    /** Compares with a listing of the bucket and repairs differences. @default false */
    readonly verify?: boolean | undefined;
    /** Give `isExclusive: false` for a store without conditional writes. */
    readonly lock?: LockOptions | undefined;
    readonly signing?: SigningOptions | undefined;
    /** Days for which readers are promised that a replaced release stays. @default no promise */
    readonly keptDays?: number | undefined;
    /** Maximum number of concurrent requests. @default adapted by the bucket's `pace`; 32 if it has none */
    readonly concurrency?: number | undefined;
    /** Purges everything, even if nothing is published. @default false */
    readonly purge?: boolean | undefined;
  };

export type PublishResult = {
  /** `unchanged`: the release was live already; nothing was written, except to the log. */
  readonly outcome: 'published' | 'unchanged';
  readonly bucket: string;
  readonly release: string;
  /** Name of the release that was live before; null if there was none, or if it is unknown. */
  readonly previous: string | null;
  readonly written: TrafficCount['written'];
  readonly removed: number;
  /** Number of removed properties whose details stay, for readers of cached lists. */
  readonly retired: number;
  /** Number of objects that needed no write. */
  readonly unchanged: number;
  readonly bytes: number;
  /** For each cache by name: purged prefixes as its API writes them, or changed keys of a key value store. */
  readonly invalidated: Readonly<Record<string, readonly string[]>>;
  readonly seconds: number;
};

/**
 * Writes each object before any object that names it to readers, and `current.json` last. Then removes old objects.
 * After an interruption, publish again: this release or another one.
 * @throws UsageError when a guard refuses (before any object of the release is written) and in other cases, such as a
 * damaged build; EnvironmentError when the bucket or a purge fails, the bucket is locked, or the lock is lost
 */
export async function publishRelease(
  destination: Bucket,
  wanted: ReleaseSource | ChooseSource,
  options: PublishOptions = {},
): Promise<PublishResult> {
  const started = performance.now();
  const { bucket, traffic } = withTrafficCount(destination);
  const { listener = () => {}, lock = {} } = options;
  const source = typeof wanted === 'function' ? undefined : wanted;
  if (source) assertNotEmpty(source.release);
  listener({ kind: 'stage', stage: 'compare' });
  const seen = await lookAt(bucket, lock);
  if (!options.allowOlder && seen.live === undefined) refuseNewerVersion(bucket.name, seen.current?.body);
  const result = (release: Release, done: Done) => createResult(bucket, release, traffic, done, started);
  if (source && (await isUnchanged(bucket, seen, source.release, options)))
    return result(source.release, { outcome: 'unchanged', previous: source.release.name });

  const note = (text: string) => listener({ kind: 'note', text });
  // If the bucket has objects, requests of an earlier publisher may be in flight even without a log.
  const isUsed = async () =>
    seen.current !== undefined || (await hasObjectsBesideLog(bucket, `${DATA_FOLDER}/`));
  // The entry that takes the lock also records the live and the new release, which saves another entry of the log. This
  // requires that the live release is known for certain: the log must agree with `current.json`.
  const isKnown = seen.log.lastEntry?.current === currentJsonDigest(seen.current?.body);
  const releases = isKnown ? [seen.live, source?.release.name].filter((name) => name !== undefined) : [];
  const cached = source ? listCacheLifetime([source.release]) : 0;
  const held = await takeLock(bucket, { note, ...lock, isUsed, seen, releases, readerLife: cached });
  try {
    // The release is chosen and the plan is made while the lock is held, so both stay valid.
    const chosen = typeof wanted === 'function' ? await wanted(held) : { source: wanted, goal: null };
    const { release } = chosen.source;
    const survey = await surveyBucket(held, release, held.isAsSeen ? seen : undefined);
    const previous = survey.live?.name ?? null;
    const signature = await prepareSignature(held, release, options.signing, note);
    const plan = await makePlan(held, chosen.source, survey, options, signature);
    const applied = plan && (await applyChecked(plan, held, { ...chosen, signature }, survey, options));
    const invalidated = await purgeCaches(await staleIn(release, survey, applied, options), options);
    const { timeline } = applied ?? survey;
    const current = applied?.digest ?? currentJsonDigest(survey.current?.body);
    await held.finish({ current, ...timelineForLog(timeline) });
    const outcome = applied ? 'published' : 'unchanged';
    return result(release, { outcome, previous, invalidated, retired: applied?.retired });
  } catch (error) {
    await held.abandon();
    throw error;
  }
}

/**
 * Called while the lock is held. `goal`: name of the chosen release if the user started a rollback without naming one;
 * otherwise null.
 */
type ChooseSource = (held: HeldLock) => Promise<Chosen>;

type Chosen = { readonly source: ReleaseSource; readonly goal: string | null };

/** Read before the lock is taken, so that a publish without changes takes no lock. */
type Look = SeenLog & {
  readonly current: StoredObject | undefined;
  /** Name of the live release; undefined when `current.json` is missing or damaged. */
  readonly live: string | undefined;
};

async function lookAt(bucket: Bucket, { host = thisMachine() }: LockOptions): Promise<Look> {
  const log = await readLogWithInstant(bucket, host);
  const current = await bucket.read(CURRENT_KEY);
  return { ...log, current, live: current && parseCurrent(current.body)?.release };
}

async function isUnchanged(
  bucket: Bucket,
  { log, current }: Look,
  release: Release,
  options: PublishOptions,
): Promise<boolean> {
  const { verify, signing } = options;
  if (!log.lastEntry || !current || verify || !isAtRest(log)) return false;
  const { due, current: digest, number } = log.lastEntry;
  const now = current.time ?? new Date();
  if (digest !== currentJsonDigest(current.body) || (due !== null && Date.parse(due) <= now.getTime()))
    return false;
  const live = parseCurrent(current.body);
  if (live?.release !== release.name || !isDeepStrictEqual(live.build, release.build)) return false;
  const isSigned = await needsNoSignature(bucket, release, signing, number, now);
  return isSigned && !(await isPurgeDue(release, options));
}

async function makePlan(
  { bucket, remains }: HeldLock,
  source: ReleaseSource,
  survey: BucketSurvey,
  { verify, listener = () => {}, concurrency }: PublishOptions,
  signature: PreparedSignature | undefined,
): Promise<PublishPlan | undefined> {
  const { listingReason, live, replaced, isAmended } = survey;
  const isFirst = listingReason === 'no-release' && !survey.last;
  if (listingReason)
    listener({
      kind: 'note',
      text: isFirst ? `First publication to ${bucket.name}.` : listingReasonText(listingReason, bucket.name),
    });
  const plan =
    listingReason || verify || !live
      ? await planFromListing(bucket, source, survey, concurrencyOf(bucket, concurrency))
      : await planFromReleases(live, source.release);
  if (plan.strangers) {
    const text = `${countText(plan.strangers, 'object')} in ${bucket.name} that the catalogue did not write: publishing leaves them as they are.`;
    listener({ kind: 'note', text });
  }
  const isDue = replaced.some((one) => one.isDue);
  const isSame = live?.name === source.release.name && isDeepStrictEqual(live.build, source.release.build);
  return isEmptyPlan(plan) && isSame && !signature && !remains.suspect && !isAmended && !isDue
    ? undefined
    : plan;
}

async function applyChecked(
  plan: PublishPlan,
  held: HeldLock,
  { source, goal, signature }: Chosen & { readonly signature: PreparedSignature | undefined },
  survey: BucketSurvey,
  options: PublishOptions,
): Promise<AppliedPlan> {
  const { listener = () => {}, concurrency, keptDays } = options;
  const width = concurrencyOf(held.bucket, concurrency);
  await guardPlan(survey.last, plan, options);
  listener({ kind: 'stage', stage: 'check' });
  await source.check(allWrites(plan, KINDS_TO_CHECK));
  const work = { held, source, survey, goal, signature, keptDays, listener, width };
  return applyPlan({ ...work, plan: source.isFromBucket ? withoutNewSharedObjects(plan) : plan });
}

async function isPurgeDue(release: Release, { purge, purgers = [] }: PublishOptions): Promise<boolean> {
  if (purge) return true;
  for (const { isStale } of purgers) if (await isStale?.(release)) return true;
  return false;
}

async function staleIn(
  release: Release,
  { known, listingReason }: BucketSurvey,
  applied: AppliedPlan | undefined,
  options: PublishOptions,
): Promise<StaleContent> {
  if (!applied) return { release, paths: (await isPurgeDue(release, options)) ? undefined : [] };
  // If the bucket had to be listed, it is unknown what caches hold, so everything is purged.
  const isUnknown = options.purge || listingReason !== undefined;
  return {
    release,
    paths: isUnknown ? undefined : await stalePrefixesBetween(known, release, applied.otherKeys),
  };
}

type Done = Pick<PublishResult, 'outcome' | 'previous'> & {
  readonly invalidated?: PublishResult['invalidated'] | undefined;
  readonly retired?: number | undefined;
};

function createResult(
  { name }: Bucket,
  release: Release,
  traffic: TrafficCount,
  { outcome, previous, invalidated = {}, retired = 0 }: Done,
  started: number,
): PublishResult {
  const { written, removed, bytes } = traffic;
  return {
    outcome,
    bucket: name,
    release: release.name,
    previous,
    written,
    removed,
    retired,
    unchanged: countObjects(release) + written.history - totalWritten(traffic),
    bytes,
    invalidated,
    seconds: (performance.now() - started) / 1000,
  };
}
