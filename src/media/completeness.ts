/** Whether an image file reaches its own end, as its structure says: a few bytes read, nothing decoded. */

/**
 * Whether a WebP file holds as many bytes as its header promises (RFC 9649, section 2.4). The decoder of the image
 * library accepts a WebP cut off anywhere.
 */
export function isWholeWebp(head: Buffer, size: number): boolean {
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return false;
  return head.toString('latin1', 8, 12) === 'WEBP' && head.readUInt32LE(4) + 8 <= size;
}
