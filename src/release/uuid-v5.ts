import { hash } from 'node:crypto';

/**
 * Version 5 (RFC 9562, 5.5): depends only on name and namespace.
 * @param namespace a UUID
 */
export function uuidFromName(name: string, namespace: string): string {
  const named = Buffer.allocUnsafe(16 + Buffer.byteLength(name));
  named.write(uuidDigits(namespace), 'hex');
  named.write(name, 16);
  // `createHash`, which libraries use, would take longer than all other work on a photo. Getting the digest
  // as a buffer would take three times as long.
  const digits = hash('sha1', named, 'hex');
  const variant = ((Number.parseInt(digits[16]!, 16) & 0x3) | 0x8).toString(16);
  return uuidFromDigits(`${digits.slice(0, 12)}5${digits.slice(13, 16)}${variant}${digits.slice(17, 32)}`);
}

export function uuidDigits(uuid: string): string {
  return uuid.replaceAll('-', '');
}

export function uuidFromDigits(digits: string): string {
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
