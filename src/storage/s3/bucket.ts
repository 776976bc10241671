/** A bucket in AWS S3, or in any store that speaks its protocol. */
import { createHash } from 'node:crypto';
import {
  type Bucket,
  BucketError,
  type Condition,
  ConditionFailed,
  isHash,
  isTagOf,
  type ObjectHeaders,
} from '../bucket.ts';
import { findCredentials, findRegion } from './account.ts';
import { addressOf } from './address.ts';
import { type Answer, type Connection, openConnection, type Request } from './connection.ts';
import { type Asked, failureOf, NotFound, notAStore, refusalOf } from './errors.ts';
import { createSigner } from './signature.ts';
import { escapeXml, readDeleteResult, readListing } from './xml.ts';

/** How to reach a bucket. */
export type S3Options = {
  readonly bucket: string;
  /** Start of every key, without a slash at the end; empty for none. */
  readonly prefix: string;
  /** URL of a server that speaks the protocol. @default `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, else AWS */
  readonly endpoint?: string | undefined;
  /** @default from the environment or the profile; else, with an endpoint, `us-east-1`, which every other server takes */
  readonly region?: string | undefined;
  /** Requests in flight at most. @default 32 */
  readonly connections?: number | undefined;
  /** Milliseconds without an answer after which a request has failed. @default 60000 */
  readonly timeout?: number | undefined;
  /** Keys that one request lists at most. @default 1000 */
  readonly listed?: number | undefined;
};

/** A bucket that holds connections. */
export type OpenBucket = { readonly bucket: Bucket; readonly close: () => void };

/** Objects that one request can remove. */
const REMOVED_AT_ONCE = 1000;
/** Codes of failures to remove that go away. */
const PASSING = new Set(['InternalError', 'SlowDown', 'ServiceUnavailable']);

/** Sends a request, and returns the answer when it is a success. */
type Ask = (request: Request, isConditional?: boolean) => Promise<Answer>;

/** Opens a bucket. Nothing is asked of the server yet. */
export function openS3(options: S3Options): OpenBucket {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const endpoint = options.endpoint ?? (AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL || undefined);
  const { prefix, listed = 1000 } = options;
  const start = prefix === '' ? '' : `${prefix}/`;
  const name = `s3://${options.bucket}${prefix && `/${prefix}`}`;
  const store = lazily(() => connect({ ...options, endpoint }));
  const ask: Ask = async (request, isConditional = false) => {
    const where = request.key === undefined ? name : `${name}/${request.key.slice(start.length)}`;
    const { connection, region } = await store.open(name);
    const asked: Asked = { where, isConditional, region };
    const answer = await connection.send(request).catch((error: unknown) => {
      request.limit?.signal.throwIfAborted();
      throw failureOf(error, asked);
    });
    if (answer.status < 200 || answer.status > 299) throw refusalOf(answer, asked);
    return answer;
  };
  /** A success has a tag: what has none is not the answer of a store. */
  const tagged = (answer: Answer, key: string): string => {
    const { etag } = answer.headers;
    if (!etag) throw notAStore(answer, `${name}/${key}`);
    return etag;
  };

  const put = async (
    key: string,
    body: Buffer,
    headers: ObjectHeaders,
    limit: Request['limit'],
    condition = {},
  ) => {
    const sent = {
      'content-type': headers.contentType,
      'cache-control': headers.cacheControl,
      ...(headers.contentEncoding ? { 'content-encoding': headers.contentEncoding } : {}),
      // AWS keeps it with the object; other servers may not know this header.
      ...(endpoint ? {} : { 'x-amz-checksum-sha256': createHash('sha256').update(body).digest('base64') }),
      ...condition,
    };
    const isConditional = Object.keys(condition).length > 0;
    const answer = await ask({ method: 'PUT', key: start + key, headers: sent, body, limit }, isConditional);
    const tag = tagged(answer, key);
    const encryption = answer.headers['x-amz-server-side-encryption'];
    const isHashed = encryption === undefined || encryption === 'AES256';
    if (isHashed && isHash(tag) && !isTagOf(tag, body)) {
      throw new BucketError('bucket-failed', `${name}/${key} arrived damaged.`, true);
    }
    return { tag, time: dateOf(answer, 'date') };
  };

  let isPlain = false;
  const replace = async (
    key: string,
    body: Buffer,
    headers: ObjectHeaders,
    tag: string,
    limit: Request['limit'],
  ) => {
    const plain = tag.replace(/"/g, '');
    // What was sent, not what another write has found out since.
    const sent = isPlain ? plain : tag;
    try {
      return await put(key, body, headers, limit, { 'if-match': sent });
    } catch (error) {
      if (!(error instanceof ConditionFailed) || sent === plain) throw error;
      // Ceph compares with the tag without its quotes, which others refuse.
      if ((await bucket.inspect(key, limit))?.tag !== tag) throw error;
      const written = await put(key, body, headers, limit, { 'if-match': plain });
      isPlain = true;
      return written;
    }
  };

  const bucket: Bucket = {
    name,
    async read(key, limit) {
      const answer = await ask({ method: 'GET', key: start + key, limit }).catch(absent);
      return (
        answer && {
          body: answer.body,
          tag: tagged(answer, key),
          modified: dateOf(answer, 'last-modified'),
          time: dateOf(answer, 'date'),
        }
      );
    },
    async inspect(key, limit) {
      const answer = await ask({ method: 'HEAD', key: start + key, limit }).catch(absent);
      if (!answer) return undefined;
      const { headers } = answer;
      const kept: Partial<ObjectHeaders> = {
        ...(headers['content-type'] ? { contentType: headers['content-type'] } : {}),
        ...(headers['cache-control'] ? { cacheControl: headers['cache-control'] } : {}),
        ...(headers['content-encoding'] ? { contentEncoding: headers['content-encoding'] } : {}),
      };
      const modified = dateOf(answer, 'last-modified') ?? new Date(0);
      return { tag: tagged(answer, key), size: Number(headers['content-length']), modified, headers: kept };
    },
    write(key, body, headers, condition, limit) {
      if (!condition || 'absent' in condition) return put(key, body, headers, limit, absence(condition));
      return replace(key, body, headers, condition.tag, limit);
    },
    async *list(keyPrefix, after, limit) {
      let next: string | undefined;
      do {
        const query = {
          'list-type': '2',
          'encoding-type': 'url',
          prefix: start + keyPrefix,
          'max-keys': String(listed),
          ...(next ? { 'continuation-token': next } : after ? { 'start-after': start + after } : {}),
        };
        const answer = await ask({ method: 'GET', query, limit });
        const page = readListing(answer.body);
        if (!page) throw notAStore(answer, name);
        for (const object of page.objects) yield { ...object, key: object.key.slice(start.length) };
        next = page.next;
      } while (next);
    },
    async remove(keys, limit) {
      for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
        await remove(keys.slice(from, from + REMOVED_AT_ONCE), limit);
      }
    },
  };

  /** Whether the store removes many objects with one request, as far as is known. */
  let removesMany = true;
  const remove = async (keys: readonly string[], limit: Request['limit']) => {
    if (removesMany) {
      try {
        return await removeTogether(
          ask,
          name,
          keys.map((key) => start + key),
          limit,
        );
      } catch (error) {
        // Some stores remove one at a time (Google's), or take no expiring request of this kind. If there is another
        // cause, the next request finds it too.
        if (!(error instanceof BucketError) || error.isTransient) throw error;
        removesMany = false;
      }
    }
    for (const key of keys) {
      const answer = await ask({ method: 'DELETE', key: start + key, limit }).catch(absent);
      if (answer && answer.status !== 204) throw notAStore(answer, `${name}/${key}`);
    }
  };

  return { bucket, close: store.close };
}

async function removeTogether(ask: Ask, name: string, keys: readonly string[], limit: Request['limit']) {
  const objects = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join('');
  const body = Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${objects}<Quiet>true</Quiet></Delete>`,
  );
  const headers = { 'content-type': 'application/xml' };
  const answer = await ask({ method: 'POST', query: { delete: '' }, headers, body, limit });
  const errors = readDeleteResult(answer.body);
  if (!errors) throw notAStore(answer, name);
  const first = errors.find(({ code }) => code !== 'NoSuchKey');
  if (!first) return;
  throw new BucketError(
    first.code === 'AccessDenied' ? 'bucket-denied' : 'bucket-failed',
    `${name} did not remove ${first.key}: ${first.code} ${first.message}`.trim(),
    PASSING.has(first.code),
  );
}

/** A connection that is opened by the first request, since the region may have to be read from a file. */
function lazily(open: () => Promise<{ connection: Connection; region: string }>) {
  let opened: ReturnType<typeof open> | undefined;
  return {
    open(name: string) {
      opened ??= open().catch((error: unknown) => {
        throw failureOf(error, { where: name, isConditional: false, region: '' });
      });
      return opened;
    },
    close: () => void opened?.then(({ connection }) => connection.close()).catch(() => {}),
  };
}

async function connect({ bucket, endpoint, region, connections = 32, timeout = 60_000 }: S3Options) {
  const found = region ?? (await findRegion()) ?? (endpoint ? 'us-east-1' : undefined);
  if (!found) {
    throw new BucketError(
      'bucket-region',
      `There is no region for s3://${bucket}. Name it with --region or AWS_REGION.`,
      false,
    );
  }
  const connection = openConnection({
    address: addressOf(bucket, found, endpoint),
    signer: createSigner('s3', found),
    credentials: findCredentials(),
    connections,
    timeout,
  });
  return { connection, region: found };
}

/** No object, when that is what the failure says; a bucket that does not exist is another matter. */
function absent(failure: unknown): undefined {
  if (failure instanceof NotFound) return undefined;
  throw failure;
}

function absence(condition: Condition | undefined): Record<string, string> {
  return condition ? { 'if-none-match': '*' } : {};
}

function dateOf({ headers }: Answer, name: string): Date | undefined {
  const time = Date.parse(headers[name] ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
