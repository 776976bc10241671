/** The secret that proves that a request comes from the page that the command opened. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Bytes of a token: 192 bits, which no one guesses. */
const BYTES = 24;

/** Makes a token that can stand in a URL. */
export function createToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether a text is the token, in a time that does not depend on how much of it is right. */
export function isToken(token: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(token), digest(given));
}
