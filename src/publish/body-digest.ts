/** Digests of objects, small or large, as a manifest names them. */
import { createHash } from 'node:crypto';
import { digestOfParts } from '../release/digest.ts';
import { documentDigest, type Manifest } from '../release/manifest.ts';
import { type Body, PART } from '../storage/body.ts';
import type { LargeBody } from '../storage/bucket.ts';

/** The digest that a manifest gives to a document with these bytes (`documentDigest`). */
export async function bodyDigest(
  manifest: Pick<Manifest, 'parts'>,
  key: string,
  body: Body,
): Promise<string> {
  if (Buffer.isBuffer(body)) return documentDigest(manifest, key, body);
  const { parts = {} } = manifest;
  const lengths = Object.hasOwn(parts, key) ? parts[key]! : [];
  const isInParts = lengths.reduce((sum, length) => sum + length, 0) === body.size;
  if (!isInParts) return digestOfRange(body, 0, body.size);
  const digests: string[] = [];
  let end = 0;
  for (const length of lengths) {
    digests.push(await digestOfRange(body, end, end + length));
    end += length;
  }
  return digestOfParts(digests);
}

async function digestOfRange(body: LargeBody, from: number, to: number): Promise<string> {
  const sum = createHash('sha256');
  for (let start = from; start < to; start += PART)
    sum.update(await body.read(start, Math.min(to, start + PART)));
  return sum.digest().toString('hex', 0, 16);
}
