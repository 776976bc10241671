import { hash } from 'node:crypto';

export const DIGEST_LENGTH = 32;

const whole = Buffer.alloc(64);

/** Computes the first 128 bits of the SHA-256 (FIPS 180-4), as 32 lower-case hexadecimal digits. */
export function digestOf(bytes: string | NodeJS.ArrayBufferView): string {
  // A digest as a buffer takes twice as long. A slice of the whole digest's text would keep all of it in memory.
  whole.write(hash('sha256', bytes, 'hex'), 'latin1');
  return whole.toString('latin1', 0, DIGEST_LENGTH);
}
