import { hash } from 'node:crypto';

/**
 * Computes the UUID of a name in a namespace (version 5 of RFC 9562, 5.5), which depends on these two alone.
 *
 * @param name any text, encoded as UTF-8.
 * @param namespace a UUID.
 */
export function nameUuid(name: string, namespace: string): string {
  const named = Buffer.allocUnsafe(16 + Buffer.byteLength(name));
  named.write(digitsOf(namespace), 'hex');
  named.write(name, 16);
  // A one-shot hash: a stream, as libraries use, would take longer than everything else about a photo.
  const digest = hash('sha1', named, 'buffer');
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  return uuidOf(digest.toString('hex', 0, 16));
}

/** Removes the hyphens of a UUID. */
export function digitsOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/** Inserts the hyphens into the 32 hexadecimal digits of a UUID. */
export function uuidOf(digits: string): string {
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
