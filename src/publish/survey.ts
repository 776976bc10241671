/** What a publisher finds in a bucket before it plans, without a listing. */

import { UsageError } from '../errors.ts';
import { digestOf } from '../release/digest.ts';
import { MANIFEST_VERSIONS } from '../release/manifest.ts';
import type { Release } from '../release/release.ts';
import type { Bucket } from '../storage/bucket.ts';
import type { Lease } from '../storage/lease.ts';
import { readKept, readLive } from './archive/archive.ts';
import { listReleases } from './archive/list.ts';
import { amended, findTimeline, type Timeline, withoutRetired } from './timeline.ts';

/** What a bucket holds, by its manifest, its lease and its timeline. */
export type BucketSurvey = {
  readonly live: Release | undefined;
  /** Tag of the manifest, damaged or not; undefined when it is absent. */
  readonly manifestTag: string | undefined;
  /** What guards compare with: the live release, or the newest that is kept where the manifest cannot be read. */
  readonly last: Release | undefined;
  /** The releases that the bucket may hold in part, the live one first. */
  readonly known: readonly Release[];
  /** With the live release as its last. */
  readonly timeline: Timeline;
  /** Tag of the object that has the timeline, damaged or not; undefined when it is absent. */
  readonly timelineTag: string | undefined;
  /** Whether the timeline in the bucket does not name the live release. */
  readonly isAmended: boolean;
  /** Why the bucket has to be listed; undefined when the manifest is enough. */
  readonly reason: ListingReason | undefined;
  /** The store's time of the survey. */
  readonly now: Date;
};

/** Why a bucket has to be listed. */
const REASONS = {
  'no-manifest': (name: string) => `There is no manifest in ${name}`,
  'damaged-manifest': (name: string) => `The manifest in ${name} is damaged`,
  'foreign-manifest': (name: string) => `The manifest in ${name} is not the one that was published last`,
  unfinished: (name: string) => `An earlier publish to ${name} did not end`,
};

type ListingReason = keyof typeof REASONS;

/** Says why the bucket of this name is listed. */
export function reasonText(reason: ListingReason, name: string): string {
  return `${REASONS[reason](name)}: its objects were listed.`;
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
export async function surveyBucket({ bucket, remains, time }: Lease, after?: Release): Promise<BucketSurvey> {
  const { release: live, object } = await readLive(bucket, { known: [after] });
  const { timeline: found, tag: timelineTag } = await findTimeline(bucket);
  const now = time();
  const timeline = live && object ? await amended(bucket, found, live, object, now) : found;
  const last = live ?? (await newestKept(bucket, timeline, after));
  const known = last ? [last] : [];
  for (const name of remains.releases) {
    const release = known.some((one) => one.name === name)
      ? undefined
      : await readInPart(bucket, name, [after, ...known]);
    if (release) known.push(release);
  }
  const reason = (): ListingReason | undefined => {
    if (!live) return object ? 'damaged-manifest' : 'no-manifest';
    if (remains.suspect) return 'unfinished';
    return manifestDigest(object?.body) === remains.manifest ? undefined : 'foreign-manifest';
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
    isAmended: timeline !== found,
    reason: reason(),
    now,
  };
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
