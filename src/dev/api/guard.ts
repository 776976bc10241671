/**
 * Decides who may ask. The server has judged `Host` and `Origin` before. A page of another site cannot read the token, nor
 * send it in a header: for that the browser asks this server first (Fetch Standard, 3.2, CORS preflight), which never agrees.
 */
import type { IncomingMessage } from 'node:http';
import { TOKEN_HEADER } from '../../editor/api.ts';
import { Refused } from './refused.ts';
import { isToken } from './token.ts';

/** @throws Refused `foreign-site`, `wrong-token`. */
export function judgeSender({ headers }: IncomingMessage, token: string): void {
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
