/**
 * An entry of the local or the shared image cache: the bytes of the image, then a line of fixed length.
 *
 * ```
 * catalogue-image 2 <SHA-256 of the bytes> <still   |animated> <published name>
 * ```
 *
 * An entry that is damaged, cut off, or under the wrong name is a cache miss: its image is made again.
 */
import { createHash } from 'node:crypto';

export type MadeImage = {
  readonly bytes: Buffer;
  readonly animated: boolean;
};

export type CachedImage = {
  /** SHA-256 of the image's bytes: 64 lower-case hexadecimal digits. */
  readonly digest: string;
  readonly animated: boolean;
};

const TRAILER = /^\ncatalogue-image 2 ([0-9a-f]{64}) (still {3}|animated) (\S+) *\n$/;
const NAME_LENGTH = 37;
export const TRAILER_BYTES = 94 + NAME_LENGTH;

export function packEntry(name: string, { bytes, animated }: MadeImage): Buffer {
  const motion = animated ? 'animated' : 'still   ';
  const trailer = `\ncatalogue-image 2 ${sha256(bytes)} ${motion} ${name.padEnd(NAME_LENGTH)}\n`;
  return Buffer.concat([bytes, Buffer.from(trailer)]);
}

/** Undefined if the entry is damaged, or belongs to another image. */
export function unpackEntry(name: string, entry: Buffer): (MadeImage & CachedImage) | undefined {
  const bytes = entry.subarray(0, Math.max(0, entry.length - TRAILER_BYTES));
  const known = parseTrailer(name, entry.subarray(bytes.length));
  return known && sha256(bytes) === known.digest ? { bytes, ...known } : undefined;
}

export function parseTrailer(name: string, trailer: Buffer): CachedImage | undefined {
  const [, digest, motion, owner] = TRAILER.exec(trailer.toString('latin1')) ?? [];
  return digest === undefined || owner !== name ? undefined : { digest, animated: motion === 'animated' };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
