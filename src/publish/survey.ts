import { EnvironmentError, UsageError } from '../errors/errors.ts';
import { compareDetailFiles, compareReleases } from '../release/compare-releases.ts';
import { digestOf } from '../release/digest.ts';
import { MANIFEST_VERSION, type Manifest } from '../release/manifest.ts';
import { type Release, readDetail } from '../release/release.ts';
import type { Bucket, StoredObject } from '../storage/bucket.ts';
import type { HeldLock } from '../storage/lock.ts';
import type { BucketState } from '../storage/lock-log.ts';
import { readKeptManifest, readKeptRelease, readLiveRelease, undefinedIfDamaged } from './archive/archive.ts';
import { listReleases } from './archive/list.ts';
import { readerLife } from './reader-life.ts';
import {
  findTimeline,
  recordCachedLists,
  type Timeline,
  withLiveRelease,
  withoutRetired,
  withStartTime,
} from './timeline.ts';

export type BucketSurvey = {
  /**
   * The release of the manifest. Until `current.json` names it too, readers of packed lists get the one before.
   * Undefined when the manifest is missing, damaged, or not one that the log or the timeline names.
   */
  readonly live: Release | undefined;
  readonly hasManifest: boolean;
  /** The live release, else the newest kept one. Guards compare the new release with it. */
  readonly last: Release | undefined;
  /** Releases that may be in the bucket partially, first the live one, else the newest kept one. */
  readonly known: readonly Release[];
  /** Ends with the live release, unless a publish was stopped between the manifest and `current.json`. */
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
  'no-manifest': (name: string) => `There is no manifest in ${name}`,
  'damaged-manifest': (name: string) => `The live release of ${name} is damaged`,
  'foreign-manifest': (name: string) => `The manifest in ${name} is not the one that was published last`,
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

export function manifestDigest(manifest: Buffer | undefined): string | null {
  return manifest ? digestOf(manifest) : null;
}

/**
 * Call while holding the lock.
 * @param after release to publish. A live release that cannot be compared with it counts as damaged
 * @param seen the manifest, if nobody can have changed it since it was read. @default it is read now
 */
export async function surveyBucket(
  { bucket, remains, time, latest }: HeldLock,
  after?: Release,
  seen?: { readonly manifest: StoredObject | undefined },
): Promise<BucketSurvey> {
  const { release, object } = await readLiveRelease(bucket, { known: [after] }, seen);
  const named = release && after ? await comparable(release, after) : release;
  const { timeline: recorded, isLost, stored } = await findTimeline(bucket, remains);
  const now = time();
  const isLogged = isNamedInLog(remains, named, object);
  const isLastRecorded =
    remains.manifest === null && (isLost || recorded.live.at(-1)?.release === named?.name);
  const live = isLogged || isLastRecorded ? named : undefined;
  // An interrupted publish began without a log, so it is unknown what the bucket had before.
  const isUnknown = remains.manifest === null && remains.suspect;
  const unknownReason = ((): ListingReason | undefined => {
    if (!named) return object ? 'damaged-manifest' : 'no-manifest';
    if (!live) return 'foreign-manifest';
    if (!isLogged) return 'lost-log';
    if (isLost) return 'lost-timeline';
    return isUnknown ? 'unfinished' : undefined;
  })();
  // If unsure, assumes that any kept release was live. The listing then finds the details to keep.
  const isSure = isLogged && !isLost && !isUnknown;
  const life = Math.max(remains.readerLife, isSure ? 0 : await keptLife(bucket));
  const sure = isSure ? recorded : recordCachedLists({ ...recorded, retired: [] }, latest(), life);
  const found = withStartTime(sure, now);
  const timeline = live && object ? await withLiveRelease(bucket, found, live, object, now) : found;
  const last = live ?? (await newestKept(bucket, timeline, after));
  const known = last ? [last] : [];
  for (const name of remains.releases) {
    const partial = known.some((one) => one.name === name)
      ? undefined
      : await readInPart(bucket, name, [after, ...known]);
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
    hasManifest: object !== undefined,
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

function isNamedInLog(
  { manifest, releases }: BucketState,
  release?: Release,
  object?: StoredObject,
): boolean {
  const isInPart = release !== undefined && releases.includes(release.name);
  return isInPart || manifestDigest(object?.body) === manifest;
}

async function keptLife(bucket: Bucket): Promise<number> {
  const kept: { manifest: Manifest }[] = [];
  for (const { name } of await listReleases(bucket)) {
    const manifest = await readKeptManifest(bucket, name);
    if (manifest) kept.push({ manifest });
  }
  return readerLife(kept);
}

async function newestKept(bucket: Bucket, timeline: Timeline, after?: Release): Promise<Release | undefined> {
  const names = timeline.live.map(({ release }) => release).reverse();
  const kept = await listReleases(bucket);
  const others = kept.sort((one, other) => other.published.getTime() - one.published.getTime());
  for (const name of new Set([...names, ...others.map((one) => one.name)])) {
    const release = await readInPart(bucket, name, [after]);
    if (release) return release;
  }
  return undefined;
}

/** Skips missing leaves: no list has their properties, since leaves are written before lists. */
function readInPart(
  bucket: Bucket,
  name: string,
  known: readonly (Release | undefined)[],
): Promise<Release | undefined> {
  return readKeptRelease(bucket, name, { known, isPartial: true });
}

/**
 * Refuses to replace a manifest of a newer version of this tool.
 * @throws UsageError `newer-manifest`
 */
export function refuseNewerManifest(name: string, manifest: Buffer | undefined): void {
  let version: unknown;
  try {
    ({ version } = JSON.parse(manifest?.toString('utf8') ?? '{}') as { version?: unknown });
  } catch {
    return;
  }
  if (typeof version !== 'number' || version <= MANIFEST_VERSION) return;
  throw new UsageError(
    'newer-manifest',
    `The manifest in ${name} was written by a later version of catalogue. Publish with that version, or with --allow-older.`,
  );
}
