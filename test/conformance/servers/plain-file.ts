import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fixture } from '../fixture.ts';

/**
 * Sends a file as servers of plain files do: with its entity tag, in part, unchanged, and with a redirect for a folder.
 *
 * @returns false, with nothing sent, when there is no such file.
 */
export function sendPlainFile(
  { files }: Fixture,
  key: string,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const body = files.get(key);
  if (!body) {
    if (key === '' || ![...files.keys()].some((other) => other.startsWith(`${key}/`))) return false;
    response.writeHead(301, { Location: `http://${headers.host}/${key}/` });
    response.end();
    return true;
  }
  const tag = `"${createHash('md5').update(body).digest('hex')}"`;
  response.setHeader('ETag', tag);
  const send = (status: number, bytes: Buffer, more: Record<string, string> = {}) => {
    response.writeHead(status, { 'Content-Length': bytes.length, ...more });
    response.end(method === 'HEAD' ? undefined : bytes);
  };
  if (headers['if-none-match'] === tag) {
    response.writeHead(304);
    response.end();
    return true;
  }
  const range = method === 'GET' ? headers.range : undefined;
  // A body of several parts: what must not be taken for the file.
  if (range?.includes(',')) {
    const type = 'multipart/byteranges; boundary=x';
    send(206, Buffer.from(`--x\r\n\r\n${body.subarray(0, 2)}\r\n--x--`), { 'Content-Type': type });
    return true;
  }
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  const start = first === '' ? Math.max(0, body.length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? body.length - 1 : Math.min(Number(last), body.length - 1);
  if (first === '' && last === '') send(200, body);
  else if (start >= body.length) send(416, Buffer.alloc(0), { 'Content-Range': `bytes */${body.length}` });
  else if (end < start) send(200, body);
  else {
    const place = `bytes ${start}-${end}/${body.length}`;
    send(206, body.subarray(start, end + 1), { 'Content-Range': place });
  }
  return true;
}
