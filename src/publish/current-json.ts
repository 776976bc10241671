import { CURRENT_KEY } from '../contract/object-keys.ts';
import { digestOf } from '../release/digest.ts';
import { type Release, storedHeadersOf } from '../release/release.ts';
import { serializeCurrent } from '../release/root-contents.ts';
import type { Bucket } from '../storage/bucket.ts';
import type { RemovedPropertyDetails } from './replaced-details.ts';

type CurrentObject = { readonly bytes: Buffer; readonly digest: string };

/**
 * In `current.json`, `before` names the earlier releases in which readers find details of removed properties. It is
 * empty for a release with pages, since those details then stay as files.
 */
export function currentJsonOf(
  { name: release, build, hasPages }: Release,
  { releases }: Pick<RemovedPropertyDetails, 'releases'>,
): CurrentObject {
  const bytes = serializeCurrent({ release, build, before: hasPages ? [] : releases });
  return { bytes, digest: digestOf(bytes) };
}

/** Makes the release live. Returns when that happened, by the store's clock; undefined if the store reports no time. */
export async function writeCurrentJson(
  bucket: Bucket,
  release: Release,
  { bytes }: CurrentObject,
): Promise<Date | undefined> {
  return (await bucket.write(CURRENT_KEY, bytes, storedHeadersOf(release, CURRENT_KEY))).time;
}
