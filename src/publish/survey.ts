import { rootKey } from '../contract/object-keys.ts';
import { EnvironmentError, UsageError } from '../errors/errors.ts';
import { parseJson } from '../packed/format/chunk.ts';
import { PACKED_VERSION } from '../packed/format/root.ts';
import { compareDetailFiles, compareReleases } from '../release/compare-releases.ts';
import { digestOf } from '../release/digest.ts';
import { parseWholeRoot } from '../release/read.ts';
import { type Release, readDetail } from '../release/release.ts';
import type { Bucket, StoredObject } from '../storage/bucket.ts';
import type { HeldLock } from '../storage/lock.ts';
import type { BucketState } from '../storage/lock-log.ts';
import { readKeptRelease, readLiveRelease, undefinedIfDamaged } from './kept-release.ts';
import { readerLife } from './reader-life.ts';
import { listReleases } from './releases.ts';
import {
  findTimeline,
  recordCachedLists,
  recordLiveRelease,
  type Timeline,
  withoutRetired,
  withStartTime,
} from './timeline.ts';

export type BucketSurvey = {
  /**
   * The release that `current.json` names. Undefined when it is missing, damaged, or not one that the log or the
   * timeline names.
   */
  readonly live: Release | undefined;
  readonly hasCurrent: boolean;
  /** The live release, else the newest kept one. Guards compare the new release with it. */
  readonly last: Release | undefined;
  /** Releases that may be in the bucket partially, first the live one, else the newest kept one. */
  readonly known: readonly Release[];
  /** Ends with the live release. */
  readonly timeline: Timeline;
  readonly stored: Timeline['retired'];
  /** Milliseconds for which caches may serve the lists that are now replaced. */
  readonly listLife: number;
  /** Whether `timeline` differs from the recorded one, which lacks the live release or is unreliable. */
  readonly isAmended: boolean;
  readonly listingReason: ListingReason | undefined;
  /** Why it is unknown which releases readers get; undefined when known. */
  readonly unknownReason: ListingReason | undefined;
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

export function currentDigest(current: Buffer | undefined): string | null {
  return current ? digestOf(current) : null;
}

/**
 * Call while holding the lock.
 * @param after release to publish. A live release that cannot be compared with it counts as damaged
 * @param seen `current.json`, if nobody can have changed it since it was read. @default it is read now
 */
export async function surveyBucket(
  { bucket, remains, time, latest }: HeldLock,
  after?: Release,
  seen?: { readonly current: StoredObject | undefined },
): Promise<BucketSurvey> {
  const { release, object } = await readLiveRelease(bucket, { known: [after] }, seen);
  const named = release && after ? await comparable(release, after) : release;
  const { timeline: recorded, isLost, stored } = await findTimeline(bucket, remains);
  const now = time();
  const isLogged = isNamedInLog(remains, named, object);
  const isLastRecorded =
    remains.current === null && (isLost || recorded.live.at(-1)?.release === named?.name);
  const live = isLogged || isLastRecorded ? named : undefined;
  // An interrupted publish began without a log, so it is unknown what the bucket had before.
  const isUnknown = remains.current === null && remains.suspect;
  const unknownReason = ((): ListingReason | undefined => {
    if (!named) return object ? 'damaged-release' : 'no-release';
    if (!live) return 'foreign-release';
    if (!isLogged) return 'lost-log';
    if (isLost) return 'lost-timeline';
    return isUnknown ? 'unfinished' : undefined;
  })();
  // If unsure, assumes that any kept release was live. The listing then finds the details to keep.
  const isSure = isLogged && !isLost && !isUnknown;
  const life = Math.max(remains.readerLife, isSure ? 0 : await keptLife(bucket, recorded));
  const sure = isSure ? recorded : recordCachedLists({ ...recorded, retired: [] }, latest(), life);
  const found = withStartTime(sure, now);
  const timeline = live && object ? recordLiveRelease(found, live, object.modified ?? now) : found;
  const last = live ?? (await newestKept(bucket, timeline, after));
  const known = last ? [last] : [];
  for (const name of remains.releases) {
    const partial = known.some((one) => one.name === name)
      ? undefined
      : await readInPart(bucket, name, [after, ...known], timeline);
    if (partial) known.push(partial);
  }
  // A property that a possibly partial release contains again is not retired.
  const listed = new Set<string>();
  for (const id of timeline.retired.flatMap(({ ids }) => ids))
    for (const one of known)
      if (one.hasPages && (await readDetail(one, id).catch(undefinedIfDamaged))) listed.add(id);
  const isListed = (id: string) => listed.has(id);
  return {
    live,
    hasCurrent: object !== undefined,
    last,
    known,
    timeline: withoutRetired(timeline, isListed),
    stored,
    listLife: Math.max(readerLife(known), life),
    isAmended: timeline !== recorded,
    listingReason: unknownReason ?? (remains.suspect ? 'unfinished' : undefined),
    unknownReason,
    now,
  };
}

/** Undefined when a leaf that differs is missing or damaged. */
async function comparable(release: Release, after: Release): Promise<Release | undefined> {
  const compared = Promise.all([compareReleases(release, after), compareDetailFiles(release, after)]);
  return (await compared.catch(undefinedIfDamaged)) && release;
}

function isNamedInLog({ current, releases }: BucketState, release?: Release, object?: StoredObject): boolean {
  const isInPart = release !== undefined && releases.includes(release.name);
  return isInPart || currentDigest(object?.body) === current;
}

async function keptLife(bucket: Bucket, timeline: Timeline): Promise<number> {
  const kept: Pick<Release, 'settings'>[] = [];
  for (const { name } of await listReleases(bucket, timeline)) {
    const root = await bucket.read(rootKey(name));
    const parsed = root && parseWholeRoot(root.body, name);
    if (parsed) kept.push(parsed.contents);
  }
  return readerLife(kept);
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

/** Skips missing leaves: no list has their properties, since leaves are written before lists. */
function readInPart(
  bucket: Bucket,
  name: string,
  known: readonly (Release | undefined)[],
  timeline: Timeline,
): Promise<Release | undefined> {
  return readKeptRelease(bucket, name, { known, timeline, isPartial: true });
}

/**
 * Refuses to replace a release of a newer version of this tool.
 * @throws UsageError `newer-version`
 */
export function refuseNewerRelease(name: string, current: Buffer | undefined): void {
  const { version } = (current && (parseJson(current) as { version?: unknown } | undefined)) ?? {};
  if (typeof version !== 'number' || version <= PACKED_VERSION) return;
  throw new UsageError(
    'newer-version',
    `The live release of ${name} was published by a later version of catalogue. Publish with that version, or with --allow-older.`,
  );
}
