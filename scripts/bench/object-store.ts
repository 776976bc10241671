/**
 * A local S3 server that uses a tenth of its clients' time. Runs as a process with {@link StoreSettings} as JSON
 * argument and prints its port. `GET /?traffic` returns {@link StoreTraffic}; `DELETE /` removes all objects.
 */
import { hash } from 'node:crypto';
import { ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';

type Kept = {
  readonly size: number;
  readonly read: () => Buffer;
  readonly tag: string;
  readonly modified: string;
};

export type StoreSettings = {
  /** File for the objects' bytes; memory then has only keys. @default all in memory */
  readonly file?: string;
  /** Milliseconds until each response. @default 0 */
  readonly latency?: number;
  /**
   * Above `rate` requests per second, this share is refused; a tenth of the rate is allowed as a burst. @default none
   */
  readonly slowDown?: { readonly rate: number; readonly share: number };
};

export type StoreTraffic = {
  readonly requests: number;
  readonly refused: number;
  /** Written objects and parts, and their bytes. */
  readonly writes: number;
  readonly bytes: number;
};

const HEAD_END = Buffer.from('\r\n\r\n');

const store = {
  objects: new Map<string, Kept>(),
  requests: 0,
  refused: 0,
  writes: 0,
  bytes: 0,
  /** Sorted keys; undefined after a change. */
  keys: undefined as readonly string[] | undefined,
  date: new Date().toUTCString(),
};
const { file, latency = 0, slowDown }: StoreSettings = JSON.parse(process.argv[2] ?? '{}');
const keep = file === undefined ? keepInMemory : keepInFile(file);
const isTooFast = slowDown ? createTokens(slowDown) : () => false;
setInterval(() => {
  store.date = new Date().toUTCString();
}, 250).unref();

function createTokens({ rate, share }: NonNullable<StoreSettings['slowDown']>): () => boolean {
  let tokens = rate / 10;
  let last = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(rate / 10, tokens + ((now - last) / 1000) * rate) - 1;
    last = now;
    if (tokens >= 0) return false;
    tokens = 0;
    return Math.random() < share;
  };
}

type Keep = (body: Buffer) => () => Buffer;

function keepInMemory(body: Buffer): () => Buffer {
  const copy = Buffer.from(body);
  return () => copy;
}

function keepInFile(path: string): Keep {
  const file = openSync(path, 'w+');
  ftruncateSync(file);
  let end = 0;
  return (body) => {
    const start = end;
    for (let done = 0; done < body.length; )
      done += writeSync(file, body, done, body.length - done, start + done);
    end += body.length;
    const { length } = body;
    return () => {
      const bytes = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) done += readSync(file, bytes, done, length - done, start + done);
      return bytes;
    };
  };
}

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
      const body = bytes.subarray(end + HEAD_END.length, needed);
      if (latency === 0) answer(socket, head, body);
      else setTimeout(answer, latency, socket, head, body);
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
    if (method === 'DELETE') {
      store.objects.clear();
      store.keys = undefined;
    }
    const { requests, refused, writes, bytes } = store;
    const traffic: StoreTraffic = { requests, refused, writes, bytes };
    send(socket, '200 OK', '', query === 'traffic' ? JSON.stringify(traffic) : String(requests));
  } else if (isTooFast()) {
    store.refused++;
    send(socket, '503 Slow Down', '', '<Error><Code>SlowDown</Code></Error>');
  } else if (method === 'PUT') {
    const [, part] = /(?:^|&)partNumber=(\d+)/.exec(query) ?? [];
    put(socket, part === undefined ? path : partPath(path, Number(part)), head, body, present);
  } else if (method === 'POST' && /(?:^|&)delete=?(?:&|$)/.test(query)) removeMany(socket, path, body);
  else if (method === 'POST') uploadInParts(socket, path, query);
  else if (method === 'GET' && /(?:^|&)(?:list-type|prefix)=/.test(query)) list(socket, path, query);
  else if (method === 'DELETE') {
    remove(path);
    send(socket, '204 No Content', '', '');
  } else if (!present) send(socket, '404 Not Found', '', method === 'HEAD' ? '' : NO_KEY);
  else {
    const { tag, modified, size, read } = present;
    socket.write(
      `HTTP/1.1 200 OK\r\nDate: ${store.date}\r\nETag: ${tag}\r\nLast-Modified: ${modified}\r\nContent-Length: ${size}\r\n\r\n`,
    );
    if (method === 'GET') socket.write(read());
  }
}

function remove(path: string): void {
  if (store.objects.delete(path)) store.keys = undefined;
}

function removeMany(socket: Socket, path: string, body: Buffer): void {
  const bucket = path.replace(/\/?$/, '/');
  for (const [, text = ''] of body.toString('utf8').matchAll(/<Key>([^<]*)<\/Key>/g)) {
    const key = text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    remove(`${bucket}${encodeKey(key)}`);
  }
  send(socket, '200 OK', '', '<DeleteResult/>');
}

/** Keys are percent-encoded, as in request paths. */
function list(socket: Socket, path: string, query: string): void {
  const asked = new URLSearchParams(query);
  const bucket = path.replace(/\/?$/, '/');
  const prefix = `${bucket}${encodeKey(asked.get('prefix') ?? '')}`;
  const token = asked.get('continuation-token');
  const after =
    token === null ? `${bucket}${encodeKey(asked.get('start-after') ?? '')}` : `${bucket}${token}`;
  const limit = Math.min(Number(asked.get('max-keys') ?? 1000), 1000);
  store.keys ??= [...store.objects.keys()].sort();
  const { keys } = store;
  const contents: string[] = [];
  let last = '';
  let isTruncated = false;
  for (let place = firstAbove(keys, after > prefix ? after : prefix); place < keys.length; place++) {
    const key = keys[place]!;
    if (key === after) continue;
    if (!key.startsWith(prefix)) break;
    isTruncated = contents.length === limit;
    if (isTruncated) break;
    const { tag, size, modified } = store.objects.get(key)!;
    last = key.slice(bucket.length);
    contents.push(
      `<Contents><Key>${last}</Key><LastModified>${new Date(modified).toISOString()}</LastModified><ETag>${tag.replaceAll('"', '&quot;')}</ETag><Size>${size}</Size></Contents>`,
    );
  }
  const next = isTruncated ? `<NextContinuationToken>${last}</NextContinuationToken>` : '';
  const body = `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
  send(socket, '200 OK', '', body);
}

/** Index of the first key that is equal or greater. */
function firstAbove(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function encodeKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}

function partPath(path: string, part: number): string {
  return `${path}?${part}`;
}

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
    parts.push(part.read());
    store.objects.delete(partPath(path, parts.length));
    store.keys = undefined;
  }
  const sums = parts.map((part) => hash('md5', part, 'buffer'));
  const whole = Buffer.concat(parts);
  const tag = `"${hash('md5', Buffer.concat(sums))}-${parts.length}"`;
  set(path, { size: whole.length, read: keep(whole), tag, modified: store.date });
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
    store.writes++;
    store.bytes += body.length;
    set(path, { size: body.length, read: keep(body), tag, modified: store.date });
    send(socket, '200 OK', `ETag: ${tag}\r\n`, '');
  }
}

function set(path: string, object: Kept): void {
  if (!store.objects.has(path)) store.keys = undefined;
  // A copy: a slice would keep the whole request head in memory.
  store.objects.set(Buffer.from(path).toString(), object);
}

function send(socket: Socket, status: string, headers: string, body: string): void {
  socket.write(
    `HTTP/1.1 ${status}\r\nDate: ${store.date}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
