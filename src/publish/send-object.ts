import { type PublishedObject, storedHeadersOf } from '../release/release.ts';
import { bodySize, firstBytesOf, type ObjectBody, writeBody } from '../storage/body.ts';
import { type Bucket, type ObjectHeaders, withContentEncoding } from '../storage/bucket.ts';
import type { ReleaseSource } from './release-source.ts';

export async function headersFor(
  { release }: ReleaseSource,
  key: string,
  body: ObjectBody,
): Promise<ObjectHeaders> {
  return withContentEncoding(storedHeadersOf(release, key), await firstBytesOf(body));
}

/** Returns the object's size in bytes. @param at key to write to */
export async function sendObject(
  bucket: Bucket,
  source: ReleaseSource,
  object: PublishedObject,
  at = object.key,
): Promise<number> {
  const body = await source.body(object);
  await writeBody(bucket, at, body, await headersFor(source, object.key, body));
  const size = bodySize(body);
  source.reuse?.(body);
  return size;
}
