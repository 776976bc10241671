/** Digests by which releases are compared. */
import { createHash } from 'node:crypto';

/** The first 128 bits of the SHA-256 (FIPS 180-4) of some bytes, as 32 lower-case hexadecimal digits. */
export function digestOf(bytes: string | NodeJS.ArrayBufferView): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
