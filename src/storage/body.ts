/** The bytes of an object: in memory, or read in parts while they are sent. */
import { createHash, hash } from 'node:crypto';
import type { Bucket, Condition, LargeBody, ObjectHeaders, Written } from './bucket.ts';

/** The bytes of an object. */
export type Body = Buffer | LargeBody;

/**
 * Bytes of a part, and of the largest body that is held in memory. The least that AWS takes is 5 MiB; R2 wants parts of
 * one size.
 */
export const PART = 8 * 2 ** 20;
/** Parts of one object at most (AWS, "Amazon S3 multipart upload limits"). */
const MOST_PARTS = 10_000;

/** Number of bytes. */
export function sizeOf(body: Body): number {
  return Buffer.isBuffer(body) ? body.length : body.size;
}

/** The first bytes, by which compressed ones are known. */
export function startOf(body: Body): Buffer | Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : body.read(0, Math.min(2, body.size));
}

/** The ranges of the parts of so many bytes, in order. Parts are larger than {@link PART} above 80 GiB alone. */
export function* partRanges(size: number): Generator<{ number: number; from: number; to: number }> {
  const part = Math.max(PART, Math.ceil(size / MOST_PARTS));
  for (let number = 1, from = 0; from < size; number++, from += part) {
    yield { number, from, to: Math.min(size, from + part) };
  }
}

/** The bytes in pieces of at most a part. */
export async function* partsOf(body: Body): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(body)) yield body;
  else for (const { from, to } of partRanges(body.size)) yield await body.read(from, to);
}

/** All bytes in memory, for a place that takes no parts. */
export async function wholeOf(body: Body): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  const parts: Buffer[] = [];
  for await (const part of partsOf(body)) parts.push(part);
  return Buffer.concat(parts);
}

/** The tag of an object that was sent in parts with these MD5 sums (AWS, "Checking object integrity"). */
export function tagOfParts(sums: readonly Buffer[]): string {
  return `"${hash('md5', Buffer.concat(sums), 'hex')}-${sums.length}"`;
}

/** Whether a tag is the one of these bytes, sent whole or in our parts. */
export async function hasTag(tag: string, body: Body): Promise<boolean> {
  const whole = createHash('md5');
  const sums: Buffer[] = [];
  for await (const part of partsOf(body)) {
    whole.update(part);
    if (!Buffer.isBuffer(body)) sums.push(hash('md5', part, 'buffer'));
  }
  const bare = tag.replace(/^W\/|"/g, '');
  return bare === whole.digest('hex') || `"${bare}"` === tagOfParts(sums);
}

/** The bytes of an object; a large one is read in parts where the bucket can do so. Undefined when it is absent. */
export async function bodyOf(bucket: Bucket, key: string): Promise<Body | undefined> {
  const large = await bucket.readLarge?.(key);
  return large && large.size > PART ? large : (await bucket.read(key))?.body;
}

/** Writes an object, in parts where its body is large and the bucket takes parts. A condition is for a small body. */
export async function writeBody(
  bucket: Bucket,
  key: string,
  body: Body,
  headers: ObjectHeaders,
  condition?: Condition,
): Promise<Written> {
  if (Buffer.isBuffer(body)) return await bucket.write(key, body, headers, condition);
  if (condition || !bucket.writeLarge) return bucket.write(key, await wholeOf(body), headers, condition);
  return bucket.writeLarge(key, body, headers);
}
