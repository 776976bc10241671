import { createHash, hash } from 'node:crypto';
import type { Bucket, Condition, LargeBody, ObjectHeaders, Written } from './bucket.ts';

export type Body = Buffer | LargeBody;

/** Bytes of a part, and of the largest body held in memory. AWS needs at least 5 MiB; R2 needs equal parts. */
export const PART = 8 * 2 ** 20;

/** Most bytes of a response, which may be a stranger's. The archive of a million properties has 500 MB. */
export const MAX_ANSWER = 2 ** 31;
/** Of one object; each part is in memory. */
export const PARTS_IN_FLIGHT = 4;
/** Limit of AWS for one object. */
const MOST_PARTS = 10_000;

export function sizeOf(body: Body): number {
  return Buffer.isBuffer(body) ? body.length : body.size;
}

/** At least the first two bytes, which identify gzip. */
export function startOf(body: Body): Buffer | Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : body.read(0, Math.min(2, body.size));
}

/** In order, numbered from 1. Parts exceed {@link PART} only above 80 GiB. */
export function* partRanges(size: number): Generator<{ number: number; from: number; to: number }> {
  const part = Math.max(PART, Math.ceil(size / MOST_PARTS));
  for (let number = 1, from = 0; from < size; number++, from += part) {
    yield { number, from, to: Math.min(size, from + part) };
  }
}

export async function* partsOf(body: Body): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(body)) yield body;
  else for (const { from, to } of partRanges(body.size)) yield await body.read(from, to);
}

export async function wholeOf(body: Body): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  const parts: Buffer[] = [];
  for await (const part of partsOf(body)) parts.push(part);
  return Buffer.concat(parts);
}

/** ETag of a multipart upload (AWS, "Checking object integrity"). `sums`: the MD5s of its parts. */
export function tagOfParts(sums: readonly Buffer[]): string {
  return `"${hash('md5', Buffer.concat(sums), 'hex')}-${sums.length}"`;
}

/** The body may have been uploaded whole or in parts of {@link PART}. */
export async function matchesETag(tag: string, body: Body): Promise<boolean> {
  const whole = createHash('md5');
  const sums: Buffer[] = [];
  for await (const part of partsOf(body)) {
    whole.update(part);
    if (!Buffer.isBuffer(body)) sums.push(hash('md5', part, 'buffer'));
  }
  const bare = tag.replace(/^W\/|"/g, '');
  return bare === whole.digest('hex') || `"${bare}"` === tagOfParts(sums);
}

/** Reads a large object in parts where the bucket can. Undefined when it is absent. */
export async function bodyOf(bucket: Bucket, key: string): Promise<Body | undefined> {
  const large = await bucket.readLarge?.(key);
  return large && large.size > PART ? large : (await bucket.read(key))?.body;
}

/** Conditions are for small bodies: with one, a large body is read into memory. */
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
