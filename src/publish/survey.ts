import { rootKey } from '../contract/object-keys.ts';
import { EnvironmentError, UsageError } from '../errors/errors.ts';
import { compareDetailFiles, compareReleases } from '../release/compare-releases.ts';
import { digestOf } from '../release/digest.ts';
import { parseWholeRoot } from '../release/read-release.ts';
import { type Release, sharedKeys } from '../release/release.ts';
import type { Bucket, StoredObject } from '../storage/bucket.ts';
import { forEachConcurrently } from '../storage/for-each.ts';
import type { HeldLock } from '../storage/lock.ts';
import type { BucketState } from '../storage/lock-log.ts';
import { concurrencyOf } from '../storage/pace.ts';
import { parseJson } from '../tree/format/chunk.ts';
import { TREE_VERSION } from '../tree/format/root.ts';
import { listCacheLifetime } from './cached-list-lifetime.ts';
import { listReleases, type StoredRelease } from './list-releases.ts';
import type { ReplacedRelease } from './replaced-details.ts';
import {
  readKeptRelease,
  readLiveRelease,
  type SeenCurrentJson,
  undefinedIfDamaged,
} from './stored-release.ts';
import {
  findTimeline,
  isOver,
  type StillCachedRelease,
  type Timeline,
  withLiveRelease,
  withReplaced,
  withStartIfEmpty,
} from './timeline.ts';

export type BucketSurvey = {
  /**
   * The release that `current.json` names. Undefined if the file or the release is missing or damaged, or if the log
   * does not confirm the release. The log confirms a release if it has the digest of this `current.json`, or if an
   * unfinished publish recorded the release. A log without any digest confirms the last release of its timeline; if the
   * timeline is lost, any release.
   */
  readonly live: Release | undefined;
  readonly current: StoredObject | undefined;
  /** `live`; if `live` is undefined, the newest kept release. Guards compare the new release with it. */
  readonly last: Release | undefined;
  /** Releases that may have objects in the bucket: first `last`, then those that unfinished publishes recorded. */
  readonly known: readonly Release[];
  /** Ends with the live release, if it is known. */
  readonly timeline: Timeline;
  /** Replaced releases, latest first. Details of each one are kept while caches may serve its lists. */
  readonly replaced: readonly ReplacedRelease[];
  /** Milliseconds for which caches may go on serving lists after this publish replaces them. */
  readonly listLife: number;
  /** Whether `timeline` differs from the log's timeline, for example because the log lacks the live release. */
  readonly isAmended: boolean;
  readonly listingReason: ListingReason | undefined;
  /** Why it is unknown which releases readers are served; undefined if it is known. */
  readonly doubt: ListingReason | undefined;
  /** By the store's clock. */
  readonly now: Date;
};

const REASONS = {
  'no-release': (name: string) => `There is no live release in ${name}`,
  'damaged-release': (name: string) => `The live release of ${name} is damaged`,
  'foreign-release': (name: string) => `The live release of ${name} is not the one that was published last`,
  unfinished: (name: string) => `An earlier publish to ${name} did not end`,
  'lost-timeline': (name: string) => `The record of when releases of ${name} were live is missing or damaged`,
  'lost-log': (name: string) => `${name} has no log of its last publish`,
};

type ListingReason = keyof typeof REASONS;

export function listingReasonText(reason: ListingReason, name: string): string {
  return `${REASONS[reason](name)}: its objects were listed.`;
}

export function unknownLiveReleaseError(reason: ListingReason, name: string): EnvironmentError {
  return new EnvironmentError(
    reason,
    `${REASONS[reason](name)}: it is not known what readers are served. Publish first: that compares every object.`,
  );
}

export function currentJsonDigest(current: Buffer | undefined): string | null {
  return current ? digestOf(current) : null;
}

/**
 * Call while holding the lock.
 * @param after release to publish. A live release that cannot be compared with it counts as damaged
 * @param seen @default reads `current.json` now
 */
export async function surveyBucket(
  held: HeldLock,
  after?: Release,
  seen?: SeenCurrentJson,
): Promise<BucketSurvey> {
  const { bucket, remains } = held;
  const now = held.time();
  const pointer = await findLive(held, after, seen);
  const { live, current } = pointer;
  const { amended, life } = await amendTimeline(held, pointer, now);
  const last = live ?? (await newestKept(bucket, amended, after));
  const known = last ? [last] : [];
  for (const name of remains.releases) {
    const isKnown = known.some((one) => one.name === name);
    const partial = isKnown ? undefined : await readInPart(bucket, name, [after, ...known], amended);
    if (partial) known.push(partial);
  }
  const { replaced, timeline, isUnreadable } = await findReplaced(
    bucket,
    pointer,
    amended,
    [after, ...known],
    now,
  );
  const doubt = pointer.doubt ?? (isUnreadable ? 'lost-timeline' : undefined);
  return {
    live,
    current,
    last,
    known,
    timeline,
    replaced,
    listLife: Math.max(listCacheLifetime(known), life),
    isAmended: timeline !== pointer.recorded,
    listingReason: doubt ?? (remains.suspect ? 'unfinished' : undefined),
    doubt,
    now,
  };
}

type FoundLive = Pick<BucketSurvey, 'live' | 'current' | 'doubt'> & {
  readonly recorded: Timeline;
  /** True if the log agrees with `current.json` and has a timeline. Also true if the log and the bucket are empty. */
  readonly isSure: boolean;
};

async function findLive(
  { bucket, remains }: HeldLock,
  after: Release | undefined,
  seen: SeenCurrentJson | undefined,
): Promise<FoundLive> {
  const { release, object: current } = await readLiveRelease(bucket, { known: [after] }, seen);
  const named = release && after ? await comparable(release, after) : release;
  const { timeline: recorded, isLost } = findTimeline(remains);
  const isLogged = agreesWithLog(remains, named, current);
  const isLastRecorded =
    remains.current === null && (isLost || recorded.live.at(-1)?.release === named?.name);
  const live = isLogged || isLastRecorded ? named : undefined;
  // True if an interrupted publish began without a log, or if the log is damaged: it is then unknown what the bucket
  // contained before.
  const isUnknown = remains.current === null && remains.suspect;
  const doubt = ((): ListingReason | undefined => {
    if (!named) return current ? 'damaged-release' : 'no-release';
    if (!live) return 'foreign-release';
    if (!isLogged) return 'lost-log';
    if (isLost) return 'lost-timeline';
    return isUnknown ? 'unfinished' : undefined;
  })();
  return { live, current, doubt, recorded, isSure: isLogged && !isLost && !isUnknown };
}

/** `life`: milliseconds for which caches may serve lists of any release that may have been live. */
async function amendTimeline(
  { bucket, remains, latest }: HeldLock,
  { live, current, recorded, isSure }: FoundLive,
  now: Date,
): Promise<{ readonly amended: Timeline; readonly life: number }> {
  // If unsure, treats every kept release as if it had been live, so that the details that its lists name stay.
  const kept = isSure ? [] : await listReleases(bucket, recorded);
  const life = Math.max(remains.readerLife, await keptLife(bucket, kept));
  const names = kept.flatMap(({ name, isRestorable, isUnfinished }) =>
    isRestorable || isUnfinished ? [name] : [],
  );
  const found = withStartIfEmpty(withReplaced(recorded, names, new Date(latest().getTime() + life)), now);
  const amended = live && current ? withLiveRelease(found, live, current.modified ?? now) : found;
  return { amended, life };
}

/**
 * `timeline`: `amended` without the replaced releases that cannot be read, or whose lists no cache can have.
 * `isUnreadable`: whether a replaced release could not be read.
 */
async function findReplaced(
  bucket: Bucket,
  { isSure }: FoundLive,
  amended: Timeline,
  known: readonly (Release | undefined)[],
  now: Date,
): Promise<Pick<BucketSurvey, 'replaced' | 'timeline'> & { readonly isUnreadable: boolean }> {
  const replaced: ReplacedRelease[] = [];
  let isUnreadable = false;
  // Latest first: readers try releases in this order, and an interrupted prune may have removed objects of older
  // ones.
  const endOf = (name: string) => amended.live.findLastIndex(({ release }) => release === name);
  const latestFirst = (one: StillCachedRelease, other: StillCachedRelease) =>
    endOf(other.release) - endOf(one.release) || (one.until < other.until ? 1 : -1);
  for (const one of [...amended.before].sort(latestFirst)) {
    const release = await readInPart(bucket, one.release, known, amended);
    if (!release) isUnreadable = true;
    else if (isSure || (await mayBeServed(bucket, release)))
      replaced.push({ release, isDue: isOver(one.until, now), isDoubtful: !isSure });
  }
  if (replaced.length === amended.before.length) return { replaced, timeline: amended, isUnreadable };
  const names = new Set(replaced.map(({ release }) => release.name));
  const before = amended.before.filter(({ release }) => names.has(release));
  return { replaced, timeline: { ...amended, before }, isUnreadable };
}

/** Releases that `next` replaces while caches may still serve their lists, in the order of `known`. */
export async function findNewlyReplaced(
  bucket: Bucket,
  { known, timeline, now, listLife, doubt }: BucketSurvey,
  next: Release,
): Promise<ReplacedRelease[]> {
  const covered = { release: timeline.live.at(-1)?.release, until: timeline.coveredUntil };
  const isServed = ({ name }: Release) =>
    listLife > 0 ||
    [covered, ...timeline.before].some((one) => one.release === name && !isOver(one.until, now));
  const wasLive = new Set(timeline.live.map(({ release }) => release));
  const replaced: ReplacedRelease[] = [];
  for (const release of known) {
    if (release.name === next.name || !isServed(release)) continue;
    // Without pages, readers get lists only of a live release. With pages, even an unfinished publish may have written
    // lists.
    const isCertain = release.hasPages || wasLive.has(release.name);
    if (isCertain || (doubt && (await mayBeServed(bucket, release))))
      replaced.push({ release, isDue: false, isDoubtful: false });
  }
  return replaced;
}

/**
 * Whether caches may have lists of a release that may never have been live. Without pages, readers are served a release
 * only once all its shared objects exist.
 */
async function mayBeServed(bucket: Bucket, release: Release): Promise<boolean> {
  if (release.hasPages) return true;
  let missing = 0;
  await forEachConcurrently(sharedKeys(release), concurrencyOf(bucket), async (key) => {
    if (!(await bucket.inspect(key))) missing++;
  });
  return missing === 0;
}

/**
 * Returns `release`; undefined if the two cannot be compared, because a leaf that only one of them names is missing or
 * damaged.
 */
async function comparable(release: Release, after: Release): Promise<Release | undefined> {
  const compared = Promise.all([compareReleases(release, after), compareDetailFiles(release, after)]);
  return (await compared.catch(undefinedIfDamaged)) && release;
}

function agreesWithLog(
  { current, releases }: BucketState,
  release?: Release,
  object?: StoredObject,
): boolean {
  const isRecorded = release !== undefined && releases.includes(release.name);
  return isRecorded || currentJsonDigest(object?.body) === current;
}

async function keptLife(bucket: Bucket, kept: readonly StoredRelease[]): Promise<number> {
  const contents: Pick<Release, 'settings'>[] = [];
  for (const { name } of kept) {
    const root = await bucket.read(rootKey(name));
    const parsed = root && parseWholeRoot(root.body, name);
    if (parsed) contents.push(parsed.contents);
  }
  return listCacheLifetime(contents);
}

async function newestKept(bucket: Bucket, timeline: Timeline, after?: Release): Promise<Release | undefined> {
  const names = timeline.live.map(({ release }) => release).reverse();
  const kept = await listReleases(bucket, timeline);
  const others = kept.sort((one, other) => other.published.getTime() - one.published.getTime());
  for (const name of new Set([...names, ...others.map((one) => one.name)])) {
    const release = await readInPart(bucket, name, [after], timeline);
    if (release) return release;
  }
  return undefined;
}

/**
 * Reads a release without its missing leaves. No list names the properties in them, since a publish writes leaves
 * before lists.
 */
function readInPart(
  bucket: Bucket,
  name: string,
  known: readonly (Release | undefined)[],
  timeline: Timeline,
): Promise<Release | undefined> {
  return readKeptRelease(bucket, name, { known, timeline, isPartial: true });
}

/** @throws UsageError `newer-version` if a newer version of this tool published the live release */
export function refuseNewerVersion(name: string, current: Buffer | undefined): void {
  const { version } = (current && (parseJson(current) as { version?: unknown } | undefined)) ?? {};
  if (typeof version !== 'number' || version <= TREE_VERSION) return;
  throw new UsageError(
    'newer-version',
    `The live release of ${name} was published by a later version of catalogue. Publish with that version, or with --allow-older.`,
  );
}
