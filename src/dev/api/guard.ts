/**
 * Decides who may ask. The server has judged `Host` and `Origin` before. A page of another site cannot read the token, nor
 * send it in a header: for that the browser asks this server first (Fetch Standard, 3.2, CORS preflight), which never agrees.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TOKEN_HEADER } from '../../editor/api.ts';
import { Refused } from './refused.ts';

/** Bytes of a token: 192 bits, which no one guesses. */
const BYTES = 24;

/** Makes a token that can stand in a URL: it proves that a request comes from the page that the command opened. */
export function createToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether a text is the token, in a time that does not depend on how much of it is right. */
export function isToken(token: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(token), digest(given));
}

/** @throws Refused `foreign-site`, `wrong-token`. */
export function authorize({ headers }: IncomingMessage, token: string): void {
  // Browsers say where a request comes from (Fetch Metadata); other programs need not.
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
