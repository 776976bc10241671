/** A store in memory that speaks the protocol of S3 over HTTP, judges by a clock of its own, and goes wrong when asked. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signerOf, refusalOf as unsigned } from './signature.ts';

/** An object. */
export type Stored = {
  readonly body: Buffer;
  readonly tag: string;
  /** Milliseconds since 1970 on the clock of the store. */
  readonly modified: number;
  readonly headers: Readonly<Record<string, string>>;
};

/** A request that has come in. */
export type Arrival = {
  /** The account of the process that sent it. */
  readonly sender: string;
  /** How many requests its sender has sent, this one included. */
  readonly number: number;
  readonly method: string;
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly changes: boolean;
};

/** What goes wrong with a request. */
export type Fault = {
  /** It is held on the way, and judged afterwards. */
  readonly late?: Promise<unknown>;
  /** It is judged, and takes effect afterwards. */
  readonly slow?: Promise<unknown>;
  /** The connection is cut: before the request takes effect, or after it. */
  readonly cut?: 'request' | 'answer';
};

/** One key that was changed. */
export type Effect = {
  readonly sender: string;
  readonly key: string;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
};

/** A bucket on the server. */
export type StoreBucket = {
  readonly name: string;
  readonly objects: Map<string, Stored>;
  /** The present on the clock of the store. */
  readonly now: () => number;
  onArrival: (arrival: Arrival) => Fault | undefined;
  onEffect: (effect: Effect) => void;
  /** Writes and removals that were refused because they had expired. */
  expired: number;
};

/** The server. */
export type StoreServer = {
  readonly endpoint: string;
  /** @param shift milliseconds by which the clock of this bucket's store is ahead. */
  readonly open: (name: string, shift: number, objects?: ReadonlyMap<string, Stored>) => StoreBucket;
  readonly drop: (bucket: StoreBucket) => void;
  readonly stop: () => Promise<void>;
};

type Reply = {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
};

/** @param clock the true time of the trial. @param mayBeLate whether expired requests are taken, as no store should. */
export async function startStore(clock: () => number, mayBeLate: boolean): Promise<StoreServer> {
  const buckets = new Map<string, StoreBucket>();
  const counts = new Map<string, number>();

  const arrive = (incoming: IncomingMessage): Arrived => {
    const { pathname, searchParams: query } = new URL(incoming.url ?? '', 'http://store.example');
    const [, name = '', ...parts] = pathname.split('/');
    const bucket = buckets.get(name);
    const sender = signerOf(query);
    if (!bucket || !sender) throw new Error(`no bucket or no signer: ${pathname}`);
    const key = parts.map(decodeURIComponent).join('/');
    const method = incoming.method ?? '';
    const number = (counts.get(sender) ?? 0) + 1;
    counts.set(sender, number);
    const changes = method !== 'GET' && method !== 'HEAD';
    return { bucket, query, arrival: { sender, number, method, key, changes } };
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { bucket, query, arrival } = arrive(incoming);
    const { sender, method, key, changes } = arrival;
    const fault = bucket.onArrival(arrival);
    // A held request is whole, whatever becomes of its sender.
    const held = fault && (await bodyOf(incoming));
    await fault?.late;
    if (fault?.cut === 'request') return void incoming.socket.destroy();
    const refusal = unsigned(incoming, query, bucket.now(), mayBeLate);
    if (changes && refusal?.message === 'Request has expired') bucket.expired++;
    const body = held ?? (await bodyOf(incoming));
    await fault?.slow;
    const reply = refusal
      ? errorReply(refusal.status, refusal.code, refusal.message)
      : carryOut(bucket, { sender, method, key, query, headers: incoming.headers, body });
    if (fault?.cut === 'answer') return void incoming.socket.destroy();
    send(outgoing, reply, bucket.now(), method === 'HEAD');
  };

  const server = createServer((incoming, outgoing) => {
    // A process that is killed leaves requests in the middle of a body: those never happened.
    answer(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open(name, shift, objects) {
      const bucket = newBucket(name, () => Math.floor(clock() + shift), objects);
      buckets.set(name, bucket);
      return bucket;
    },
    drop: (bucket) => void buckets.delete(bucket.name),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Arrived = {
  readonly bucket: StoreBucket;
  readonly query: URLSearchParams;
  readonly arrival: Arrival;
};

function newBucket(
  name: string,
  now: () => number,
  objects: ReadonlyMap<string, Stored> | undefined,
): StoreBucket {
  return {
    name,
    objects: new Map(objects),
    now,
    onArrival: () => undefined,
    onEffect: () => {},
    expired: 0,
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: Reply, now: number, isHead: boolean) {
  const bytes = Buffer.from(body ?? '');
  outgoing.sendDate = false;
  const own = { 'content-length': bytes.length, date: new Date(now).toUTCString() };
  outgoing.writeHead(status, { ...own, ...headers });
  outgoing.end(isHead ? undefined : bytes);
}

type Judged = {
  readonly sender: string;
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
};

function carryOut(bucket: StoreBucket, request: Judged): Reply {
  const { method, key, query, headers, body, sender } = request;
  const md5 = headers['content-md5'];
  if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64')) {
    return errorReply(400, 'BadDigest', 'The Content-MD5 does not match.');
  }
  if (key === '') {
    if (method === 'HEAD') return { status: 200 };
    if (method === 'GET' && query.get('list-type') === '2') return list(bucket, query);
    if (method === 'POST' && query.has('delete')) return removeMany(bucket, sender, body);
  }
  if (method === 'PUT') return put(bucket, request);
  if (method === 'DELETE') {
    change(bucket, sender, key, undefined);
    return { status: 204 };
  }
  if (method === 'GET' || method === 'HEAD') {
    const object = bucket.objects.get(key);
    if (!object) return errorReply(404, 'NoSuchKey', 'There is no such object.');
    const modified = new Date(object.modified).toUTCString();
    return {
      status: 200,
      headers: {
        ...object.headers,
        etag: object.tag,
        'last-modified': modified,
        'content-length': String(object.body.length),
      },
      body: object.body,
    };
  }
  return errorReply(501, 'NotImplemented', `${method} is not known.`);
}

function put(bucket: StoreBucket, { sender, key, headers, body }: Judged): Reply {
  const before = bucket.objects.get(key);
  const match = headers['if-match'];
  if (match !== undefined && !before) return errorReply(404, 'NoSuchKey', 'There is no such object.');
  if ((headers['if-none-match'] === '*' && before) || (match !== undefined && match !== before?.tag)) {
    return errorReply(412, 'PreconditionFailed', 'The condition does not hold.');
  }
  const tag = `"${createHash('md5').update(body).digest('hex')}"`;
  const kept = ['content-type', 'cache-control', 'content-encoding'].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  change(bucket, sender, key, { body, tag, modified: bucket.now(), headers: Object.fromEntries(kept) });
  return { status: 200, headers: { etag: tag } };
}

function removeMany(bucket: StoreBucket, sender: string, body: Buffer): Reply {
  for (const [, text = ''] of body.toString('utf8').matchAll(/<Key>([^<]*)<\/Key>/g)) {
    const key = text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    change(bucket, sender, key, undefined);
  }
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: '<DeleteResult/>' };
}

function change(bucket: StoreBucket, sender: string, key: string, after: Stored | undefined): void {
  const before = bucket.objects.get(key);
  if (after) bucket.objects.set(key, after);
  else bucket.objects.delete(key);
  if (before || after) bucket.onEffect({ sender, key, before, after });
}

function list(bucket: StoreBucket, query: URLSearchParams): Reply {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  // A short page has the continuation of listings tried as well.
  const limit = Math.min(Number(query.get('max-keys') ?? 1000), 100);
  const found = [...bucket.objects].filter(([key]) => key.startsWith(prefix) && key > after).sort(byKey);
  const page = found.slice(0, limit);
  const contents = page.map(
    ([key, { tag, body, modified }]) =>
      `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${new Date(modified).toISOString()}</LastModified><ETag>${tag.replace(/"/g, '&quot;')}</ETag><Size>${body.length}</Size></Contents>`,
  );
  const next = found.length > limit ? page.at(-1)?.[0] : undefined;
  const rest = next ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
  const body = `<?xml version="1.0"?><ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${next !== undefined}</IsTruncated>${rest}${contents.join('')}</ListBucketResult>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function errorReply(status: number, code: string, message: string): Reply {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
