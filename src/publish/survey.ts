/** What a publisher finds in a bucket before it plans, without a listing. */

import { EnvironmentError, UsageError } from '../errors.ts';
import { digestOf } from '../release/digest.ts';
import { MANIFEST_VERSIONS, type Manifest } from '../release/manifest.ts';
import type { Release } from '../release/release.ts';
import type { Bucket, StoredObject } from '../storage/bucket.ts';
import type { Lease } from '../storage/lease.ts';
import type { Remains } from '../storage/lease-record.ts';
import { readKept, readKeptManifest, readLive } from './archive/archive.ts';
import { listReleases } from './archive/list.ts';
import { readerLife } from './reader-life.ts';
import { amended, findTimeline, type Timeline, withCached, withoutRetired } from './timeline.ts';

/** What a bucket holds, and what readers may still be served, by its manifest, its lease and its timeline. */
export type BucketSurvey = {
  /** Undefined when its manifest is absent, damaged, or from elsewhere. */
  readonly live: Release | undefined;
  /** Tag of the manifest, damaged or not; undefined when it is absent. */
  readonly manifestTag: string | undefined;
  /** What guards compare with: the live release, or the newest that is kept where that is not known. */
  readonly last: Release | undefined;
  /** The releases that the bucket may hold in part, the live one first. */
  readonly known: readonly Release[];
  /** With the live release as its last, if that is known. */
  readonly timeline: Timeline;
  /** Tag of the object that has the timeline, damaged or not; undefined when it is absent. */
  readonly timelineTag: string | undefined;
  /** Whether the bucket has another timeline: it does not name the live release, or cannot be relied on. */
  readonly isAmended: boolean;
  /** Why the bucket has to be listed; undefined when the manifest is enough. */
  readonly reason: ListingReason | undefined;
  /** Why it is not known which releases readers may still be served; undefined when it is. */
  readonly doubt: ListingReason | undefined;
  /** The store's time of the survey. */
  readonly now: Date;
};

/** Why a bucket has to be listed. */
const REASONS = {
  'no-manifest': (name: string) => `There is no manifest in ${name}`,
  'damaged-manifest': (name: string) => `The manifest in ${name} is damaged`,
  'foreign-manifest': (name: string) => `The manifest in ${name} is not the one that was published last`,
  unfinished: (name: string) => `An earlier publish to ${name} did not end`,
  'lost-timeline': (name: string) => `The record of when releases of ${name} were live is missing or damaged`,
  'lost-lease': (name: string) => `The lock of ${name} was removed or damaged`,
};

type ListingReason = keyof typeof REASONS;

/** Says why the bucket of this name is listed. */
export function reasonText(reason: ListingReason, name: string): string {
  return `${REASONS[reason](name)}: its objects were listed.`;
}

/** The refusal of a command that removes what readers might still be served. */
export function doubtError(doubt: ListingReason, name: string): EnvironmentError {
  return new EnvironmentError(
    doubt,
    `${REASONS[doubt](name)}: it is not known what readers are served. Publish first: that compares every object.`,
  );
}

/** The digest by which the lease names a manifest. */
export function manifestDigest(manifest: Buffer | undefined): string | null {
  return manifest ? digestOf(manifest) : null;
}

/**
 * Surveys a bucket under its lease.
 *
 * @param after the release to publish: pieces of its sequence are not read from the bucket. @default all are read
 */
export async function surveyBucket(
  { bucket, remains, time, latest }: Lease,
  after?: Release,
): Promise<BucketSurvey> {
  const { release: present, object } = await readLive(bucket, { known: [after] });
  const { timeline: remembered, isLost, tag: timelineTag } = await findTimeline(bucket);
  const now = time();
  const isNamed = isNamedBy(remains, present, object);
  const isLastLive = remains.manifest === null && remembered.live.at(-1)?.release === present?.name;
  const live = isNamed || isLastLive ? present : undefined;
  // Else any release that is kept may have been live, or in part: what stays for its readers is found in the listing.
  const found =
    isNamed && !isLost ? remembered : await doubtful(bucket, { ...remembered, retired: [] }, latest());
  const timeline = live && object ? await amended(bucket, found, live, object, now) : found;
  const last = live ?? (await newestKept(bucket, timeline, after));
  const known = last ? [last] : [];
  for (const name of remains.releases) {
    const release = known.some((one) => one.name === name)
      ? undefined
      : await readInPart(bucket, name, [after, ...known]);
    if (release) known.push(release);
  }
  const doubt = (): ListingReason | undefined => {
    if (!present) return object ? 'damaged-manifest' : 'no-manifest';
    if (!live) return 'foreign-manifest';
    if (isLost) return 'lost-timeline';
    return isNamed ? undefined : 'lost-lease';
  };
  // What a release in part may list again is not one that no list names.
  const isListed = (id: string) => known.some(({ places }) => places.has(id));
  return {
    live,
    manifestTag: object?.tag,
    last,
    known,
    timeline: withoutRetired(timeline, isListed),
    timelineTag,
    isAmended: timeline !== remembered,
    reason: doubt() ?? (remains.suspect ? 'unfinished' : undefined),
    doubt: doubt(),
    now,
  };
}

/** Whether a manifest is the one that the last holder of the lease left, or of a release that may be there in part. */
function isNamedBy({ manifest, releases }: Remains, release?: Release, object?: StoredObject): boolean {
  const isInPart = release !== undefined && releases.includes(release.name);
  return isInPart || manifestDigest(object?.body) === manifest;
}

/** The timeline if caches may serve lists of every release that the bucket keeps. */
async function doubtful(bucket: Bucket, timeline: Timeline, now: Date): Promise<Timeline> {
  const kept: { manifest: Manifest }[] = [];
  for (const { name } of await listReleases(bucket)) {
    const manifest = await readKeptManifest(bucket, name);
    if (manifest) kept.push({ manifest });
  }
  return withCached(timeline, now, readerLife(kept));
}

/** The newest release whose manifest the bucket keeps, and that can be read. */
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

/**
 * A release whose objects may have arrived in part. Pieces of its sequence are written before anything that names its
 * properties: those of a piece that is missing are in no list.
 */
function readInPart(
  bucket: Bucket,
  name: string,
  known: readonly (Release | undefined)[],
): Promise<Release | undefined> {
  return readKept(bucket, name, { known, isPartial: true });
}

/**
 * Refuses to replace what a later version of the tool wrote: nothing can be compared with it.
 *
 * @throws UsageError `newer-manifest`.
 */
export function guardVersion(name: string, manifest: Buffer | undefined): void {
  let version: unknown;
  try {
    ({ version } = JSON.parse(manifest?.toString('utf8') ?? '{}') as { version?: unknown });
  } catch {
    return;
  }
  if (typeof version !== 'number' || version <= MANIFEST_VERSIONS.pieces) return;
  throw new UsageError(
    'newer-manifest',
    `The manifest in ${name} was written by a later version of catalogue. Publish with that version, or with --allow-older.`,
  );
}
