import { createHash, hash } from 'node:crypto';
import type { Bucket, LargeBody, ObjectHeaders, WriteCondition, WriteResult } from './bucket.ts';

export type ObjectBody = Buffer | LargeBody;

/** Bytes of one part of a multipart upload. AWS requires at least 5 MiB, and R2 requires parts of equal size. */
export const PART_SIZE = 8 * 2 ** 20;

/** Guards against untrusted servers. Larger objects are read in ranges ({@link Bucket.readLarge}). */
export const MAX_RESPONSE_BYTES = 2 ** 31;

/** Number of parts of one object that are uploaded at the same time. Each is held in memory. */
export const PARTS_IN_FLIGHT = 4;

/** AWS's limit for one object. */
const MAX_PARTS = 10_000;

export function bodySize(body: ObjectBody): number {
  return Buffer.isBuffer(body) ? body.length : body.size;
}

/** At least the first two bytes, which identify gzip. */
export function firstBytesOf(body: ObjectBody): Buffer | Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : body.read(0, Math.min(2, body.size));
}

/** In order, numbered from 1. Only a body above 78 GiB has parts larger than {@link PART_SIZE}. */
export function* partRanges(size: number): Generator<{ number: number; from: number; to: number }> {
  const part = Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS));
  for (let number = 1, from = 0; from < size; number++, from += part) {
    yield { number, from, to: Math.min(size, from + part) };
  }
}

export async function* readParts(body: ObjectBody): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(body)) yield body;
  else for (const { from, to } of partRanges(body.size)) yield await body.read(from, to);
}

export async function readWholeBody(body: ObjectBody): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  const parts: Buffer[] = [];
  for await (const part of readParts(body)) parts.push(part);
  return Buffer.concat(parts);
}

/** As AWS computes it ("Checking object integrity"). `sums`: the MD5 of each part. */
export function multipartETag(sums: readonly Buffer[]): string {
  return `"${hash('md5', Buffer.concat(sums), 'hex')}-${sums.length}"`;
}

/** Works for a body that was uploaded whole, or in parts of {@link PART_SIZE}. */
export async function bodyMatchesETag(tag: string, body: ObjectBody): Promise<boolean> {
  const whole = createHash('md5');
  const sums: Buffer[] = [];
  for await (const part of readParts(body)) {
    whole.update(part);
    if (!Buffer.isBuffer(body)) sums.push(hash('md5', part, 'buffer'));
  }
  const bare = tag.replace(/^W\/|"/g, '');
  return bare === whole.digest('hex') || `"${bare}"` === multipartETag(sums);
}

/**
 * Reads the object. If it is larger than {@link PART_SIZE} and the bucket has ranged reads, only opens it. Undefined if
 * the object is absent.
 */
export async function readObjectBody(bucket: Bucket, key: string): Promise<ObjectBody | undefined> {
  const large = await bucket.readLarge?.(key);
  return large && large.size > PART_SIZE ? large : (await bucket.read(key))?.body;
}

/** A large body is read into memory if there is a condition, or if the bucket has no multipart uploads. */
export async function writeBody(
  bucket: Bucket,
  key: string,
  body: ObjectBody,
  headers: ObjectHeaders,
  condition?: WriteCondition,
): Promise<WriteResult> {
  if (Buffer.isBuffer(body)) return await bucket.write(key, body, headers, condition);
  if (condition || !bucket.writeLarge)
    return bucket.write(key, await readWholeBody(body), headers, condition);
  return bucket.writeLarge(key, body, headers);
}
