/**
 * Authorizes requests by their token. The server has checked `Host` and `Origin` before. A page of another site cannot
 * read the token, nor send it in a header: the browser would first ask this server (Fetch Standard, 3.2, CORS
 * preflight), which never agrees.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TOKEN_HEADER } from '../../editor/api.ts';
import { Refused } from './refused.ts';

/** Bytes of a token: 192 bits, too many to guess. */
const BYTES = 24;

/** Creates a URL-safe token, which proves that a request comes from the page that the command opened. */
export function createToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Compares a text with the token, in constant time. */
export function isToken(token: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(token), digest(given));
}

/** @throws Refused `foreign-site`, `wrong-token`. */
export function authorize({ headers }: IncomingMessage, token: string): void {
  // Browsers send the origin of a request (Fetch Metadata); other programs need not.
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    throw new Refused('foreign-site', 'Only the page that edits properties may ask this.');
  }
  if (!isToken(token, headers[TOKEN_HEADER])) {
    throw new Refused(
      'wrong-token',
      'This page has no right to edit: its address lacks the token. Open the address that "catalogue dev" printed.',
    );
  }
}
