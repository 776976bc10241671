/**
 * Every request except `enter` must have the session's token in a cookie, which scripts cannot read. Browsers also send
 * the cookie from pages at other ports of this host (RFC 6265bis, 5.2: cookies do not separate ports), so
 * `Sec-Fetch-Site` is checked. The server has checked `Host` and `Origin` before.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { PAGE_PATH, TOKEN_HEADER } from '../../editor/api.ts';
import { RefusedRequest } from './refused-request.ts';

const BYTES = 24;

export function createToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Compares in constant time, so that response times do not reveal the token. */
export function matchesToken(token: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(token), digest(given));
}

/** All ports of a host share their cookies, so the name contains the port. */
export function tokenCookie(host: string | undefined, token: string): string {
  return `catalogue-edit${/:(\d+)$/.exec(host ?? '')?.[1] ?? ''}=${token}`;
}

/** Returns the `Set-Cookie` header. @throws RefusedRequest `foreign-site`, `wrong-token` */
export function exchangeTokenForCookie({ headers }: IncomingMessage, token: string): string {
  checkSite(headers);
  if (!matchesToken(token, headers[TOKEN_HEADER])) throw wrongToken();
  return `${tokenCookie(headers.host, token)}; Path=${PAGE_PATH}; HttpOnly; SameSite=Strict`;
}

/**
 * @param isPage whether the request is for the page or one of its files; links on other sites are allowed to open the
 * page
 * @throws RefusedRequest `foreign-site`, `wrong-token`
 */
export function authorize({ headers }: IncomingMessage, token: string, isPage: boolean): void {
  if (!isPage || headers['sec-fetch-dest'] !== 'document') checkSite(headers);
  const [name = ''] = tokenCookie(headers.host, '').split('=');
  const cookies = (headers.cookie ?? '').split(/; */).filter((cookie) => cookie.startsWith(`${name}=`));
  // Another program at this host may have set cookies of this name.
  if (!cookies.some((cookie) => matchesToken(token, cookie.slice(name.length + 1)))) throw wrongToken();
}

/** Refuses requests from pages of other sites. Programs other than browsers need not send `Sec-Fetch-Site`. */
function checkSite({ 'sec-fetch-site': site }: IncomingMessage['headers']): void {
  if (site !== undefined && site !== 'same-origin')
    throw new RefusedRequest('foreign-site', 'Only the page that edits properties may ask this.');
}

const wrongToken = () =>
  new RefusedRequest(
    'wrong-token',
    'This page has no right to edit yet. Open the whole address that "catalogue dev" printed, up to its last letter.',
  );
