/** Plans a publish from a listing of all objects, when the bucket may differ from its live release. */
import { headerGroup } from '../contract/headers.ts';
import { CURRENT_KEY, propertyIdOf } from '../contract/object-keys.ts';
import { isDerivedKey, isHistoryKey, isSharedObject, objectKindOf } from '../contract/object-kinds.ts';
import {
  objectAt,
  objectNamed,
  objectsOf,
  type PublishedObject,
  type Release,
  readDetail,
  readIds,
} from '../release/release.ts';
import { bodyMatchesETag } from '../storage/body.ts';
import type { Bucket } from '../storage/bucket.ts';
import { forEachConcurrently } from '../storage/for-each.ts';
import type { Concurrency } from '../storage/pace.ts';
import type { PublishPlan } from './plan.ts';
import type { ReleaseSource } from './release-source.ts';
import { findRemovedPropertyDetails } from './replaced-details.ts';
import { headersFor } from './send-object.ts';
import type { BucketSurvey } from './survey.ts';

export async function planFromListing(
  bucket: Bucket,
  source: ReleaseSource,
  survey: BucketSurvey,
  width: Concurrency,
): Promise<PublishPlan> {
  const { release: after } = source;
  const isOurs = (key: string) =>
    objectKindOf(key) === 'control' || [after, ...survey.known].some((release) => objectNamed(release, key));
  // Must precede the listing: until incomplete uploads are discarded, a late request of an earlier publisher may
  // complete one of them and so change an object.
  await bucket.discardParts?.(isOurs);
  const found = await sortListing(bucket, source, survey);
  await bucket.restoreModes?.((key) => isOurs(key) || key === CURRENT_KEY || isHistoryKey(key));
  const { same, differing, headersToCheck, leftObjects, leftDetails, goneProperties, strangers } = found;
  await forEachConcurrently(headersToCheck, width, async (key) => {
    ((await hasHeaders(bucket, source, key)) ? same : differing).add(key);
  });
  const ids = after.hasPages ? await readIds(after) : [];
  return {
    after,
    *writes(kind) {
      for (const object of objectsOf(after, kind, ids)) if (!same.has(object.key)) yield object;
    },
    isPresent: (key) => same.has(key) || differing.has(key),
    removals: () => [...leftObjects, ...leftDetails],
    goneProperties,
    strangers,
  };
}

type Sorted = {
  readonly same: Set<string>;
  readonly differing: Set<string>;
  /** Keys of objects whose bytes are as expected, but whose headers still have to be checked. */
  readonly headersToCheck: string[];
  /** Keys to remove: lists that the new release lacks, and documents that only an earlier, known release has. */
  readonly leftObjects: string[];
  readonly leftDetails: string[];
  goneProperties: number;
  /**
   * Number of objects that neither the new release nor a known one has. Lists, details, shared objects, the change
   * history and control objects, such as the log, do not count.
   */
  strangers: number;
};

async function sortListing(bucket: Bucket, source: ReleaseSource, survey: BucketSurvey): Promise<Sorted> {
  const { release: after } = source;
  const sorted: Sorted = {
    same: new Set(),
    differing: new Set(),
    headersToCheck: [],
    leftObjects: [],
    leftDetails: [],
    goneProperties: 0,
    strangers: 0,
  };
  const needsHeaderCheck = headerComparison(survey, after);
  const { stayingIds } = await findRemovedPropertyDetails(survey.replaced, after);
  for await (const { key, tag } of bucket.list('')) {
    const kind = objectKindOf(key);
    if (kind === 'current' || kind === 'control' || isHistoryKey(key)) continue;
    const object = await objectAt(after, key);
    if (object) {
      const body = await source.body(object);
      if (!(await bodyMatchesETag(tag, body))) sorted.differing.add(key);
      else if (needsHeaderCheck(key)) sorted.headersToCheck.push(key);
      else sorted.same.add(key);
      source.reuse?.(body);
      continue;
    }
    // A detail that stays for readers of cached lists is not removed yet.
    if (kind === 'detail' && stayingIds.has(propertyIdOf(key))) continue;
    const owner = await ownerOf(survey.known, key);
    const isDetail = isDerivedKey(key) && kind === 'detail';
    // Counts a removed property only if a known release has its detail: otherwise, an earlier publish removed and
    // counted it. If `last` is unknown, counts every removed property.
    const isGone = isDetail && !(await readDetail(after, propertyIdOf(key)));
    if (isGone && (owner || !survey.last)) sorted.goneProperties++;
    if (isDetail) sorted.leftDetails.push(key);
    else if (isDerivedKey(key) || (owner && !isSharedObject(owner))) sorted.leftObjects.push(key);
    else if (!owner && !isSharedObject({ kind })) sorted.strangers++;
  }
  return sorted;
}

async function ownerOf(known: readonly Release[], key: string): Promise<PublishedObject | undefined> {
  for (const release of known) {
    const object = await objectAt(release, key);
    if (object) return object;
  }
  return undefined;
}

function headerComparison({ known, live }: BucketSurvey, after: Release): (key: string) => boolean {
  if (!live) return () => true;
  return (key) => {
    const group = headerGroup(key);
    return known.some((release) => {
      const digest = release.headers[group];
      return digest !== undefined && digest !== after.headers[group];
    });
  };
}

async function hasHeaders(bucket: Bucket, source: ReleaseSource, key: string): Promise<boolean> {
  const info = await bucket.inspect(key);
  if (!info) return false;
  if (!info.headers) return true;
  const object = objectNamed(source.release, key)!;
  const body = await source.body(object);
  const wanted = await headersFor(source, key, body);
  source.reuse?.(body);
  return (
    info.headers.contentType === wanted.contentType &&
    info.headers.cacheControl === wanted.cacheControl &&
    info.headers.contentEncoding === wanted.contentEncoding
  );
}
