/** Digests by which releases are compared. */
import { hash } from 'node:crypto';

/** Hexadecimal digits of a digest. */
export const DIGEST_LENGTH = 32;

/** The first 128 bits of the SHA-256 (FIPS 180-4) of some bytes, as 32 lower-case hexadecimal digits. */
export function digestOf(bytes: string | NodeJS.ArrayBufferView): string {
  // Cut out of all digits, a text would hold on to them.
  return hash('sha256', bytes, 'buffer').toString('hex', 0, 16);
}
