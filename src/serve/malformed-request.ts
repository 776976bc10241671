/** Answers requests that Node.js rejects while parsing, which never reach a handler. */
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { COMMON_HEADERS, type Header, NO_STORE, PROBLEM_TYPE, problemHeaders } from '../contract/headers.ts';
import { problemKey } from '../contract/object-keys.ts';
import { serverProblemJson } from '../targets/shared/server-problems.ts';

const STATUSES: Readonly<Record<string, number>> = {
  HPE_INVALID_METHOD: 405,
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** For a server's event `clientError`: sends a problem document and closes the connection. */
export function createClientErrorHandler(
  root: string,
): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  const notAllowed = readFileSync(join(root, problemKey('method-not-allowed')), 'utf8');
  return (error, socket) => {
    // A closed connection cannot be answered.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = STATUSES[error.code ?? ''] ?? 400;
    const body = status === 405 ? notAllowed : serverProblemJson(status);
    const headers: Header[] = [
      ...COMMON_HEADERS,
      ...problemHeaders(status),
      ['Content-Type', PROBLEM_TYPE],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Cache-Control', NO_STORE],
      ['Connection', 'close'],
    ];
    const lines = headers.map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  };
}
