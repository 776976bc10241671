/** Google Cloud Storage in memory. Strict: refuses everything undocumented, and wrong or expired signatures. */
import { createHmac, hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { Bucket } from '../../src/storage/bucket.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import { openS3Bucket } from '../../src/storage/s3/bucket.ts';
import type { S3Options } from '../../src/storage/s3/store.ts';
import { serveLoopback } from './loopback.ts';

type Stored = {
  body: Buffer;
  generation: string;
  modified: Date;
  headers: Record<string, string>;
};

export type Google = {
  endpoint: string;
  requests: string[];
  objects: Map<string, Stored>;
  /** Milliseconds by which later requests are delayed. */
  delay: number;
  /** Minimum milliseconds between writes of the same object; earlier writes are refused. Google's value is 1000. */
  pause: number;
  open: (prefix?: string, options?: Partial<S3Options>) => Bucket;
};

const SECRET = 'test-secret';
const BUCKET = 'stays';

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message = '',
  ) {
    super(message);
  }
}

/** Serves one empty bucket and sets the credentials' environment variables. */
export async function serveGoogle(): Promise<Google> {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = SECRET;
  const objects = new Map<string, Stored>();
  const requests: string[] = [];
  let generation = BigInt(Date.now()) * 1000n;
  const nextGeneration = () => String(++generation);

  const endpoint = await serveLoopback(async (incoming, outgoing) => {
    const body = await bodyOf(incoming);
    if (google.delay > 0) await sleep(google.delay);
    const arrived = Date.now();
    const { pathname, searchParams } = new URL(incoming.url!, 'http://store');
    const path = decodeURIComponent(pathname);
    outgoing.on('finish', () => requests.push(`${incoming.method} ${path.slice(1)} ${outgoing.statusCode}`));
    try {
      assertSigned(incoming, pathname, searchParams, arrived);
      const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
      if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket');
      if (key === '') answerBucket(objects, searchParams, incoming, outgoing);
      else {
        const last = objects.get(key)?.modified.getTime() ?? 0;
        if (incoming.method === 'PUT' && Date.now() - last < google.pause) throw new Refusal(429, 'SlowDown');
        answerObject(objects, nextGeneration, key, body, incoming, outgoing);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const text = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${error.code}</Code><Message>${error.message}</Message></Error>`;
      outgoing.writeHead(error.status, { 'content-type': 'application/xml; charset=UTF-8' });
      outgoing.end(incoming.method === 'HEAD' ? undefined : text);
    }
  });

  let prefixes = 0;
  const google: Google = {
    endpoint,
    requests,
    objects,
    delay: 0,
    pause: 0,
    open(prefix = `p${prefixes++}`, options = {}) {
      const { bucket, close } = openS3Bucket({ scheme: 'gs', bucket: BUCKET, prefix, endpoint, ...options });
      onTestFinished(close);
      return withRetry(bucket, options.retry);
    },
  };
  return google;
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function assertSigned(
  { method, headers }: IncomingMessage,
  path: string,
  query: URLSearchParams,
  now: number,
): void {
  if (method === 'POST')
    throw new Refusal(400, 'InvalidArgument', 'POST of a signed URL is for resumable uploads');
  const asked = (name: string) => query.get(`X-Goog-${name}`) ?? '';
  const foreign = [...Object.keys(headers), ...query.keys()].find((name) => /^x-amz-/i.test(name));
  if (foreign) throw new Refusal(400, 'MalformedSecurityHeader', `${foreign} beside a signature of Google's`);
  if (asked('Algorithm') !== 'GOOG4-HMAC-SHA256') throw new Refusal(403, 'AccessDenied', 'no signature');
  const names = asked('SignedHeaders').split(';');
  for (const name of Object.keys(headers))
    if (/^(?:host|x-goog-.*)$/.test(name) && !names.includes(name))
      throw new Refusal(400, 'MalformedSecurityHeader', `${name} is not signed`);
  const stamp = asked('Date');
  const [key, ...scope] = asked('Credential').split('/');
  const scopeText = `${stamp.slice(0, 8)}/auto/storage/goog4_request`;
  if (key !== 'test-key' || scope.join('/') !== scopeText)
    throw new Refusal(403, 'AccessDenied', 'credential');
  const rest = [...query].filter(([name]) => name !== 'X-Goog-Signature');
  const canonicalQuery = rest
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
  // Google's front end changes this header before it checks the signature.
  const received = { ...headers, 'accept-encoding': `${headers['accept-encoding'] ?? ''},gzip(gfe)` };
  const lines = names.map(
    (name) => `${name}:${String(received[name as keyof typeof received] ?? '').trim()}\n`,
  );
  const digest = String(headers['x-goog-content-sha256'] ?? 'UNSIGNED-PAYLOAD');
  const canonical = [method, path, canonicalQuery, lines.join(''), names.join(';'), digest].join('\n');
  const text = ['GOOG4-HMAC-SHA256', stamp, scopeText, hash('sha256', canonical)].join('\n');
  const signingKey = scopeText
    .split('/')
    .reduce<Buffer | string>(
      (from, part) => createHmac('sha256', from).update(part).digest(),
      `GOOG4${SECRET}`,
    );
  const expected = createHmac('sha256', signingKey).update(text).digest('hex');
  if (asked('Signature') !== expected) throw new Refusal(403, 'SignatureDoesNotMatch');
  const signed = Date.parse(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (now > signed + 1000 * Number(asked('Expires'))) throw new Refusal(400, 'ExpiredToken');
  if (signed > now + 900_000) throw new Refusal(403, 'RequestTimeTooSkewed');
}

function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function answerBucket(
  objects: Map<string, Stored>,
  query: URLSearchParams,
  { method }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  if (method === 'HEAD') return void outgoing.writeHead(200).end();
  if (method !== 'GET' || query.get('list-type') !== '2') throw new Refusal(400, 'InvalidArgument');
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const after =
    token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0)
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const page = keys.slice(0, Number(query.get('max-keys') ?? 1000));
  const contents = page.map((key) => {
    const { body, generation, modified } = objects.get(key)!;
    return `<Contents><Key>${encodeURIComponent(key)}</Key><Generation>${generation}</Generation><MetaGeneration>1</MetaGeneration><LastModified>${modified.toISOString()}</LastModified><ETag>"${hash('md5', body)}"</ETag><Size>${body.length}</Size></Contents>`;
  });
  const isCut = page.length < keys.length;
  const next = isCut
    ? `<NextContinuationToken>${Buffer.from(page.at(-1)!).toString('base64url')}</NextContinuationToken>`
    : '';
  const text = `<?xml version='1.0' encoding='UTF-8'?><ListBucketResult xmlns='http://doc.s3.amazonaws.com/2006-03-01'><EncodingType>url</EncodingType>${next}<IsTruncated>${isCut}</IsTruncated>${contents.join('')}</ListBucketResult>`;
  outgoing.writeHead(200, { 'content-type': 'application/xml; charset=UTF-8' }).end(text);
}

function answerObject(
  objects: Map<string, Stored>,
  nextGeneration: () => string,
  key: string,
  body: Buffer,
  { method, headers: asked }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const present = objects.get(key);
  if (method === 'PUT') {
    if (asked['if-match'] ?? asked['if-none-match'])
      throw new Refusal(400, 'InvalidArgument', 'not for writing');
    const wanted = asked['x-goog-if-generation-match'];
    if (wanted !== undefined && !/^\d+$/.test(String(wanted))) throw new Refusal(400, 'InvalidArgument');
    if (wanted !== undefined && wanted !== (present?.generation ?? '0'))
      throw new Refusal(412, 'PreconditionFailed');
    const sum = asked['content-md5'];
    if (sum !== undefined && sum !== hash('md5', body, 'base64')) throw new Refusal(400, 'BadDigest');
    const headers: Record<string, string> = {};
    for (const name of ['content-type', 'cache-control', 'content-encoding'])
      if (asked[name]) headers[name] = String(asked[name]);
    const generation = nextGeneration();
    objects.set(key, { body, generation, modified: new Date(), headers });
    outgoing.writeHead(200, { etag: `"${hash('md5', body)}"`, 'x-goog-generation': generation }).end();
    return;
  }
  if (!present) throw new Refusal(404, 'NoSuchKey');
  if (method === 'DELETE') {
    objects.delete(key);
    outgoing.writeHead(204).end();
    return;
  }
  if (method !== 'GET' && method !== 'HEAD') throw new Refusal(405, 'MethodNotAllowed');
  answerBytes(present, asked, method === 'HEAD', outgoing);
}

function answerBytes(
  { body, generation, modified, headers }: Stored,
  asked: IncomingMessage['headers'],
  isHead: boolean,
  outgoing: ServerResponse,
): void {
  const common = {
    ...headers,
    etag: `"${hash('md5', body)}"`,
    'x-goog-generation': generation,
    'x-goog-stored-content-length': String(body.length),
    'last-modified': modified.toUTCString(),
  };
  if (headers['content-encoding'] === 'gzip' && !/gzip/.test(String(asked['accept-encoding'] ?? ''))) {
    outgoing
      .writeHead(200, { ...common, 'content-encoding': undefined })
      .end(isHead ? undefined : gunzipSync(body));
    return;
  }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(asked.range ?? '') ?? [];
  const part = from === undefined ? body : body.subarray(Number(from), Number(to) + 1);
  outgoing.writeHead(from === undefined ? 200 : 206, { ...common, 'content-length': part.length });
  outgoing.end(isHead ? undefined : part);
}
