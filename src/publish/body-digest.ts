import { createHash } from 'node:crypto';
import { digestOf } from '../release/digest.ts';
import { type ObjectBody, PART_SIZE } from '../storage/body.ts';

/** Equals `digestOf` of all bytes, but holds only one part of a large body in memory. */
export async function bodyDigest(body: ObjectBody): Promise<string> {
  if (Buffer.isBuffer(body)) return digestOf(body);
  const sum = createHash('sha256');
  for (let start = 0; start < body.size; start += PART_SIZE)
    sum.update(await body.read(start, Math.min(body.size, start + PART_SIZE)));
  return sum.digest().toString('hex', 0, 16);
}
