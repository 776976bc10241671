/** What a bucket holds before a publish: told by its manifest, or found by listing it. */

import { headerGroup } from '../contract/headers.ts';
import { MANIFEST_KEY, PROPERTIES_FOLDER } from '../contract/keys.ts';
import { UsageError } from '../errors.ts';
import { digestOf } from '../release/digest.ts';
import { MANIFEST_VERSION } from '../release/manifest.ts';
import { headersOf, isKept, locate, objectsOf, type Release } from '../release/release.ts';
import { type Bucket, isTagOf, withEncoding } from '../storage/bucket.ts';
import { forEach } from '../storage/for-each.ts';
import type { Lease } from '../storage/lease.ts';
import { isControlKey, isHistoryKey } from '../storage/reserved-keys.ts';
import { readKept, readLive } from './archive/archive.ts';
import { listReleases } from './archive/list.ts';
import { type Plan, planFromManifests } from './plan.ts';
import type { Source } from './source.ts';
import { amended, readTimeline, retiredKeys, type Timeline, withoutRetired } from './timeline.ts';

/** What the holder of the lease finds without listing anything. */
export type Survey = {
  readonly live: Release | undefined;
  /** Tag of the manifest, damaged or not; undefined when there is none. */
  readonly manifestTag: string | undefined;
  /** What guards compare with: the live release, or the newest that is kept where the manifest cannot be read. */
  readonly last: Release | undefined;
  /** The releases of which the bucket may hold parts, the live one first. */
  readonly known: readonly Release[];
  /** With the live release as its last. */
  readonly timeline: Timeline;
  /** Whether the timeline in the bucket does not name the live release. */
  readonly isAmended: boolean;
  /** Why the bucket has to be listed; undefined when the manifest is enough. */
  readonly reason: ListingReason | undefined;
  /** The store's time of the survey. */
  readonly now: Date;
};

/** Why a bucket has to be listed. */
type ListingReason = 'asked' | 'no-manifest' | 'damaged-manifest' | 'unfinished' | 'foreign-manifest';

/** The digest by which the lease names a manifest. */
export function manifestDigest(manifest: Buffer | undefined): string | null {
  return manifest ? digestOf(manifest) : null;
}

/** Surveys a bucket under its lease. */
export async function surveyBucket({ bucket, remains, time }: Lease): Promise<Survey> {
  const { release: live, object } = await readLive(bucket);
  const found = await readTimeline(bucket);
  const now = time();
  const timeline = live && object ? await amended(bucket, found, live, object, now) : found;
  const last = live ?? (await newestKept(bucket, timeline));
  const known = last ? [last] : [];
  for (const name of remains.releases) {
    const release = known.some((one) => one.name === name) ? undefined : await readKept(bucket, name);
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
    isAmended: timeline !== found,
    reason: reason(),
    now,
  };
}

/** The newest release of which the bucket keeps a manifest that can be read. */
async function newestKept(bucket: Bucket, timeline: Timeline): Promise<Release | undefined> {
  const names = timeline.live.map(({ release }) => release).reverse();
  const kept = await listReleases(bucket);
  const others = kept.sort((one, other) => other.published.getTime() - one.published.getTime());
  for (const name of new Set([...names, ...others.map((one) => one.name)])) {
    const release = await readKept(bucket, name);
    if (release) return release;
  }
  return undefined;
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
  if (typeof version !== 'number' || version <= MANIFEST_VERSION) return;
  throw new UsageError(
    'newer-manifest',
    `The manifest in ${name} was written by a later version of catalogue. Publish with that version, or with --allow-older.`,
  );
}

/** Plans by the manifests, or by a listing when these cannot tell. */
export function planAgainst(
  bucket: Bucket,
  source: Source,
  survey: Survey,
  { listing, concurrency }: { listing: boolean; concurrency: number },
): Promise<Plan> | Plan {
  if (listing || !survey.live) return planFromListing(bucket, source, survey, concurrency);
  return planFromManifests(survey.live, source.release);
}

/** Compares every object that the bucket lists with what the release has under its key. */
async function planFromListing(
  bucket: Bucket,
  source: Source,
  survey: Survey,
  concurrency: number,
): Promise<Plan> {
  const { release: after } = source;
  const owners = [...survey.known, after];
  const retired = retiredKeys(survey.timeline);
  const same = new Set<string>();
  const differing = new Set<string>();
  const leftLists: string[] = [];
  const leftDetails: string[] = [];
  const doubtful: string[] = [];
  const mayDiffer = doubtfulGroups(survey, after);
  let strangers = 0;
  for await (const { key, tag } of bucket.list('')) {
    if (key === MANIFEST_KEY || isControlKey(key) || isHistoryKey(key)) continue;
    const object = locate(after, key);
    if (object) {
      if (!isTagOf(tag, await source.body(object))) differing.add(key);
      else if (mayDiffer(key)) doubtful.push(key);
      else same.add(key);
      continue;
    }
    const owner = owners.map((release) => locate(release, key)).find((found) => found !== undefined);
    // What is kept for readers is removed when its time has come.
    if (key.startsWith(`${PROPERTIES_FOLDER}/`) && retired.has(key)) continue;
    if (!owner) strangers++;
    else if (owner.kind === 'detail') leftDetails.push(key);
    else if (!isKept(owner)) leftLists.push(key);
  }
  await forEach(doubtful, concurrency, async (key) => {
    (await hasHeaders(bucket, source, key)) ? same.add(key) : differing.add(key);
  });
  return {
    after,
    *writes(kind) {
      for (const object of objectsOf(after, kind)) if (!same.has(object.key)) yield object;
    },
    isPresent: (key) => same.has(key) || differing.has(key),
    removals: () => [...leftLists, ...leftDetails],
    goneProperties: leftDetails.length,
    strangers,
  };
}

/** Groups whose headers in the bucket may not be those of the release. */
function doubtfulGroups({ known, live }: Survey, after: Release): (key: string) => boolean {
  if (!live) return () => true;
  const digests = (release: Release) => release.manifest.headers ?? {};
  return (key) => {
    const group = headerGroup(key);
    return known.some((release) => {
      const digest = digests(release)[group];
      return digest !== undefined && digest !== digests(after)[group];
    });
  };
}

async function hasHeaders(bucket: Bucket, source: Source, key: string): Promise<boolean> {
  const info = await bucket.inspect(key);
  if (!info) return false;
  if (!info.headers) return true;
  const object = locate(source.release, key)!;
  const wanted = withEncoding(headersOf(source.release, key), await source.body(object));
  return (
    info.headers.contentType === wanted.contentType &&
    info.headers.cacheControl === wanted.cacheControl &&
    info.headers.contentEncoding === wanted.contentEncoding
  );
}
