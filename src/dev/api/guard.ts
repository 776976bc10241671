/**
 * Authorizes requests below `/_edit/` by a cookie with the session's token, which no script can read. A page gets it for
 * the token in its address. The server has checked `Host` and `Origin` before.
 *
 * Browsers send the cookie with requests of pages at other ports of the same host, since these are of the same site (RFC
 * 6265bis, 5.2): `Sec-Fetch-Site` refuses them.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PAGE_PATH, TOKEN_HEADER } from '../../editor/api.ts';
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

/** Returns the cookie, as `Cookie` sends it. Ports of a host share cookies, so the name has the port. */
export function tokenCookie(host: string | undefined, token: string): string {
  return `catalogue-edit${/:(\d+)$/.exec(host ?? '')?.[1] ?? ''}=${token}`;
}

/** Returns a `Set-Cookie` for a request with the token. @throws Refused `foreign-site`, `wrong-token`. */
export function enter({ headers }: IncomingMessage, token: string): string {
  checkSite(headers);
  if (!isToken(token, headers[TOKEN_HEADER])) throw wrongToken();
  return `${tokenCookie(headers.host, token)}; Path=${PAGE_PATH}; HttpOnly; SameSite=Strict`;
}

/** @throws Refused `foreign-site`, `wrong-token`. @param isPage whether links may lead here. */
export function authorize({ headers }: IncomingMessage, token: string, isPage: boolean): void {
  if (!isPage || headers['sec-fetch-dest'] !== 'document') checkSite(headers);
  const [name = ''] = tokenCookie(headers.host, '').split('=');
  const cookies = (headers.cookie ?? '').split(/; */).filter((cookie) => cookie.startsWith(`${name}=`));
  // Another program of this host can add cookies of this name.
  if (!cookies.some((cookie) => isToken(token, cookie.slice(name.length + 1)))) throw wrongToken();
}

/** Browsers send the origin of a request (Fetch Metadata); other programs need not. */
function checkSite({ 'sec-fetch-site': site }: IncomingMessage['headers']): void {
  if (site !== undefined && site !== 'same-origin')
    throw new Refused('foreign-site', 'Only the page that edits properties may ask this.');
}

const wrongToken = () =>
  new Refused(
    'wrong-token',
    'This page has no right to edit yet. Open the whole address that "catalogue dev" printed, up to its last letter.',
  );
