/** What a bucket holds before a publish: told by its manifest, or found by listing it. */
import { headerGroup } from '../contract/headers.ts';
import { MANIFEST_KEY } from '../contract/layout.ts';
import { readKept, readLive } from './archive.ts';
import { type Bucket, isTagOf, withEncoding } from './bucket.ts';
import { isControlKey, isHistoryKey } from './control.ts';
import { type FoundLock, readLock } from './lock.ts';
import { type Plan, planFromManifests } from './plan.ts';
import { headersOf, isKept, locate, objectsOf, type Release } from './release.ts';
import type { Source } from './source.ts';
import { forEach } from './transfer.ts';

/** What the bucket tells without being listed. */
export type Survey = {
  readonly live: Release | undefined;
  /** Tag of the manifest, damaged or not; undefined when there is none. */
  readonly manifestTag: string | undefined;
  /** A lock that somebody holds, or an unfinished publish left. */
  readonly lock: FoundLock | undefined;
  /** The releases of which the bucket may hold parts, the live one first. */
  readonly known: readonly Release[];
};

/** Why a bucket has to be listed. */
export type ListingReason = 'asked' | 'no-manifest' | 'damaged-manifest' | 'unfinished';

/** Reads manifest and lock. */
export async function surveyBucket(bucket: Bucket): Promise<Survey> {
  const { release: live, tag: manifestTag } = await readLive(bucket);
  const lock = await readLock(bucket);
  const known = live ? [live] : [];
  for (const name of lock?.record.releases ?? []) {
    const release = name === live?.name ? undefined : await readKept(bucket, name);
    if (release) known.push(release);
  }
  return { live, manifestTag, lock, known };
}

/** Why the bucket has to be listed; undefined when its manifest tells enough. */
export function listingReason({ live, manifestTag, lock }: Survey): ListingReason | undefined {
  if (!live) return manifestTag === undefined ? 'no-manifest' : 'damaged-manifest';
  return lock ? 'unfinished' : undefined;
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
