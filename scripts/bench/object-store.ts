/**
 * A store that speaks as much of the protocol of S3 as a copy of small objects needs: it keeps them in memory, gives their MD5
 * as tags, knows conditional writes and uploads in parts, and checks no signature. It exists to be fast: a request costs it a tenth of what the
 * quicker of its clients spends on one, so it limits neither of them.
 *
 * Runs as a process of its own, `node --import tsx scripts/bench/object-store.ts`, and prints its port. `GET /` answers with the
 * number of its requests; `DELETE /` removes everything.
 */
import { hash } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';

type Kept = { readonly body: Buffer; readonly tag: string; readonly modified: string };

const HEAD_END = Buffer.from('\r\n\r\n');

/** All that connections share. */
const store = { objects: new Map<string, Kept>(), requests: 0, date: new Date().toUTCString() };
setInterval(() => {
  store.date = new Date().toUTCString();
}, 250).unref();

function serve(socket: Socket): void {
  let pending: Buffer[] = [];
  let size = 0;
  let needed = 0;
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    pending.push(chunk);
    size += chunk.length;
    if (size < needed) return;
    let bytes = pending.length === 1 ? chunk : Buffer.concat(pending);
    for (;;) {
      const end = bytes.indexOf(HEAD_END);
      const head = end < 0 ? '' : bytes.toString('latin1', 0, end);
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      needed = end < 0 ? 0 : end + HEAD_END.length + length;
      if (end < 0 || bytes.length < needed) break;
      store.requests++;
      answer(socket, head, bytes.subarray(end + HEAD_END.length, needed));
      bytes = bytes.subarray(needed);
      needed = 0;
    }
    pending = bytes.length > 0 ? [bytes] : [];
    size = bytes.length;
  });
}

function answer(socket: Socket, head: string, body: Buffer): void {
  const [method = '', target = ''] = head.slice(0, head.indexOf('\r\n')).split(' ');
  const [path = '', query = ''] = target.split('?');
  const present = store.objects.get(path);
  if (path === '/') {
    if (method === 'DELETE') store.objects.clear();
    send(socket, '200 OK', '', String(store.requests));
  } else if (method === 'PUT') {
    const [, part] = /(?:^|&)partNumber=(\d+)/.exec(query) ?? [];
    put(socket, part === undefined ? path : partPath(path, Number(part)), head, body, present);
  } else if (method === 'POST') uploadInParts(socket, path, query);
  else if (method === 'GET' && /(?:^|&)(?:list-type|prefix)=/.test(query)) {
    send(socket, '200 OK', '', '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
  } else if (method === 'DELETE') send(socket, '204 No Content', '', '');
  else if (!present) send(socket, '404 Not Found', '', method === 'HEAD' ? '' : NO_KEY);
  else {
    const { tag, modified, body: kept } = present;
    socket.write(
      `HTTP/1.1 200 OK\r\nDate: ${store.date}\r\nETag: ${tag}\r\nLast-Modified: ${modified}\r\nContent-Length: ${kept.length}\r\n\r\n`,
    );
    if (method === 'GET') socket.write(kept);
  }
}

function partPath(path: string, part: number): string {
  return `${path}?${part}`;
}

/** Begins an upload in parts, or makes one object of its parts. */
function uploadInParts(socket: Socket, path: string, query: string): void {
  if (/(?:^|&)uploads=/.test(query)) {
    const root = 'InitiateMultipartUploadResult';
    send(socket, '200 OK', '', `<${root}><UploadId>1</UploadId></${root}>`);
    return;
  }
  const parts: Buffer[] = [];
  for (let part: Kept | undefined; ; ) {
    part = store.objects.get(partPath(path, parts.length + 1));
    if (!part) break;
    parts.push(part.body);
    store.objects.delete(partPath(path, parts.length));
  }
  const sums = parts.map((part) => hash('md5', part, 'buffer'));
  const tag = `"${hash('md5', Buffer.concat(sums))}-${parts.length}"`;
  store.objects.set(path, { body: Buffer.concat(parts), tag, modified: store.date });
  const root = 'CompleteMultipartUploadResult';
  send(socket, '200 OK', '', `<${root}><ETag>${tag.replaceAll('"', '&quot;')}</ETag></${root}>`);
}

const NO_KEY = '<Error><Code>NoSuchKey</Code></Error>';

function put(socket: Socket, path: string, head: string, body: Buffer, present: Kept | undefined): void {
  const wanted = /\r\nif-match: *([^\r]*)/i.exec(head)?.[1];
  const isRefused = /\r\nif-none-match:/i.test(head)
    ? present !== undefined
    : wanted !== undefined && present?.tag !== wanted;
  if (isRefused) send(socket, '412 Precondition Failed', '', '');
  else {
    const tag = `"${hash('md5', body)}"`;
    store.objects.set(path, { body: Buffer.from(body), tag, modified: store.date });
    send(socket, '200 OK', `ETag: ${tag}\r\n`, '');
  }
}

function send(socket: Socket, status: string, headers: string, body: string): void {
  socket.write(
    `HTTP/1.1 ${status}\r\nDate: ${store.date}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
