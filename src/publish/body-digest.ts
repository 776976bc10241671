import { createHash } from 'node:crypto';
import { digestOf } from '../release/digest.ts';
import { type ObjectBody, readParts } from '../storage/body.ts';

/** Returns the same as `digestOf`, but holds only one part of a large body in memory. */
export async function bodyDigest(body: ObjectBody): Promise<string> {
  if (Buffer.isBuffer(body)) return digestOf(body);
  const sum = createHash('sha256');
  for await (const part of readParts(body)) sum.update(part);
  return sum.digest().toString('hex', 0, 16);
}
