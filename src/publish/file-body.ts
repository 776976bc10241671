/** Reads files to send: a small one at once, a large one in parts, while it is sent. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { digestOf, digestOfParts } from '../release/digest.ts';
import { documentDigest, type Manifest } from '../release/manifest.ts';
import { type Body, PART } from '../storage/body.ts';
import type { LargeBody } from '../storage/bucket.ts';

/**
 * The bytes of a file; undefined when there is none. A synchronous read of a small file takes a tenth of the processor time of
 * an asynchronous one.
 *
 * @param changed the error for a large file that changed after this call.
 */
export function readBody(path: string, changed: () => Error): Body | undefined {
  const file = openIfPresent(path);
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    return found.size > PART ? largeBody(path, found, changed) : readRange(file, 0, found.size);
  } finally {
    closeSync(file);
  }
}

function largeBody(path: string, found: Stats, changed: () => Error): LargeBody {
  return {
    size: found.size,
    async read(from, to) {
      const file = openIfPresent(path);
      if (file === undefined) throw changed();
      try {
        const now = fstatSync(file);
        const isSame = now.size === found.size && now.mtimeMs === found.mtimeMs && now.ino === found.ino;
        const bytes = readRange(file, from, to);
        if (!isSame || bytes.length < to - from) throw changed();
        return bytes;
      } finally {
        closeSync(file);
      }
    },
  };
}

/** The bytes from one place up to another one, or to the end of the file. */
function readRange(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(file, bytes, length, bytes.length - length, from + length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

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
  if (to - from <= PART) return digestOf(await body.read(from, to));
  const sum = createHash('sha256');
  for (let start = from; start < to; start += PART)
    sum.update(await body.read(start, Math.min(to, start + PART)));
  return sum.digest().toString('hex', 0, 16);
}
