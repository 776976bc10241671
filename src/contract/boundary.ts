/** Where the sequence, and the downloads made of it, are cut: a function of the content alone. */

/** Length of the longest chunk, in records: see {@link endsChunk}. */
export const MAX_CHUNK = 8192;
/** One record in so many ends a chunk; a power of two. */
export const MEAN_CHUNK = 256;

/**
 * A hash of a text, 32 bits: FNV-1a of its UTF-8 bytes, then the finalizer of MurmurHash3, after which every bit
 * depends on every byte.
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return hashBytes(new TextEncoder().encode(text));
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  return mixed(hash);
}

function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return mixed(hash);
}

function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * Whether a record ends a chunk: when the hash of its id has its low bits zero, whatever stands around it. So a
 * record that comes, goes or changes touches one chunk, and a second one where it is itself an end; nothing has to
 * fall into step again, as it would with a least size.
 *
 * @param length records of the chunk with this one. At {@link MAX_CHUNK} the chunk ends in any case, so that no
 * object is without bounds; a chunk gets there once in 10^14.
 */
export function endsChunk(id: string, length: number): boolean {
  return (textHash(id) & (MEAN_CHUNK - 1)) === 0 || length >= MAX_CHUNK;
}
