import { hash } from 'node:crypto';

export const DIGEST_LENGTH = 32;

/** Computes the first 128 bits of the SHA-256 (FIPS 180-4), as 32 lower-case hexadecimal digits. */
export function digestOf(bytes: string | NodeJS.ArrayBufferView): string {
  // A slice of the whole digest's text would keep all of it in memory.
  return hash('sha256', bytes, 'buffer').toString('hex', 0, 16);
}
