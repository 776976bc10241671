/** FNV-1a of the UTF-8 bytes, then MurmurHash3's finalizer, which makes each of the 32 bits depend on every byte. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return hashBytes(new TextEncoder().encode(text));
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  return mixed(hash);
}

export function textHashes(length: number, textAt: (index: number) => string): Uint32Array {
  // `Uint32Array.from()` takes twice as long.
  const hashes = new Uint32Array(length);
  for (let index = 0; index < length; index++) hashes[index] = textHash(textAt(index));
  return hashes;
}

/** The {@link textHash} of UUIDs, given as 16 bytes each: converting a million of them to text would take a second. */
export function uuidHashes(ids: Uint8Array): Uint32Array {
  const hashes = new Uint32Array(ids.length / 16);
  for (let index = 0; index < hashes.length; index++) {
    let hash = 0x811c9dc5;
    for (let at = 0; at < 16; at++) {
      const byte = ids[16 * index + at]!;
      // In the text of a UUID, hyphens precede bytes 4, 6, 8 and 10.
      if (at > 2 && at < 11 && at % 2 === 0) hash = Math.imul(hash ^ 0x2d, 0x01000193);
      hash = Math.imul(hash ^ DIGITS[byte >> 4]!, 0x01000193);
      hash = Math.imul(hash ^ DIGITS[byte & 15]!, 0x01000193);
    }
    hashes[index] = mixed(hash);
  }
  return hashes;
}

// Marked as pure, so that bundles for the edge omit it if they do not use it.
const DIGITS = /* @__PURE__ */ Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

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
