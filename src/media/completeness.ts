/** Whether an image file reaches its own end, told from its structure alone: a few bytes read, nothing decoded. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Whether a WebP file holds as many bytes as its header promises (RFC 9649, section 2.4). The decoder of the image
 * library accepts a WebP cut off anywhere.
 */
export function isWholeWebp(head: Buffer, size: number): boolean {
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return false;
  return head.toString('latin1', 8, 12) === 'WEBP' && head.readUInt32LE(4) + 8 <= size;
}

type ReadAt = (at: number, length: number) => Buffer;

/** From the start marker to the end marker (ITU-T T.81, annex B). Encoded pixels never contain an end marker. */
function isWholeJpeg(read: ReadAt, size: number): boolean {
  return (
    size > 4 &&
    read(0, 3).equals(Buffer.from('ffd8ff', 'hex')) &&
    read(size - 2, 2).equals(Buffer.from('ffd9', 'hex'))
  );
}

/** A file type box, then boxes whose lengths add up to the file's (ISO/IEC 14496-12, section 4.2). */
function isWholeAvif(read: ReadAt, size: number): boolean {
  let boxes = 0;
  for (let at = 0; at < size; boxes++) {
    const box = read(at, 8);
    const length = box.length === 8 ? box.readUInt32BE(0) : 0;
    if (length < 8 || (boxes === 0) !== (box.toString('latin1', 4, 8) === 'ftyp')) return false;
    at += length;
    if (at > size) return false;
  }
  return boxes > 1;
}

/**
 * Whether a JPEG, WebP or AVIF file that we once wrote is still whole: its beginning and its end are there.
 *
 * @param path the file; its format is told by its extension (`.jpg`, `.webp`, `.avif`)
 * @returns false when there is no such file
 * @throws the file system's error when it is there and cannot be read
 */
export function isWholeImage(path: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  try {
    const { size } = fstatSync(descriptor);
    const read: ReadAt = (at, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at));
    };
    if (path.endsWith('.jpg')) return isWholeJpeg(read, size);
    return path.endsWith('.webp') ? isWholeWebp(read(0, 12), size) && size > 12 : isWholeAvif(read, size);
  } finally {
    closeSync(descriptor);
  }
}
