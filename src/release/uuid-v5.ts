/** UUIDs that are made of names. */
import { hash } from 'node:crypto';

/**
 * The UUID of a name in a namespace: the same one for the same two, always (version 5 of RFC 9562, 5.5).
 *
 * @param name any text; its UTF-8 bytes count.
 * @param namespace a UUID.
 */
export function nameUuid(name: string, namespace: string): string {
  const named = Buffer.allocUnsafe(16 + Buffer.byteLength(name));
  named.write(digitsOf(namespace), 'hex');
  named.write(name, 16);
  // At once: as a stream, a library's way, it would take longer than everything else about a photo.
  const digest = hash('sha1', named, 'buffer');
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  return uuidOf(digest.toString('hex', 0, 16));
}

/** The 32 hexadecimal digits of a UUID. */
export function digitsOf(uuid: string): string {
  return uuid.replaceAll('-', '');
}

/** The spelling of a UUID with these 32 hexadecimal digits. */
export function uuidOf(digits: string): string {
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
