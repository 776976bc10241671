/** Checks that an image file is complete by its structure, without decoding it. */

/**
 * Tells whether a WebP file has the length in its header (RFC 9649, section 2.4). The image library decodes a WebP cut
 * off anywhere without an error.
 */
export function isWholeWebp(head: Buffer, size: number): boolean {
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return false;
  return head.toString('latin1', 8, 12) === 'WEBP' && head.readUInt32LE(4) + 8 <= size;
}
