import { hash } from 'node:crypto';
import {
  type Bucket,
  BucketError,
  type ObjectHeaders,
  type OpenedBucket,
  objectReplacedError,
  type RemoveResult,
  type WriteResult,
} from '../bucket.ts';
import { batches } from '../for-each.ts';
import { MD5_HEADER, type StoreRequest, type StoreResponse } from '../http/connection.ts';
import { invalidStoreResponseError, undefinedIfNotFound } from '../http/errors.ts';
import { escapeXml, readDeleteResult, readListing, readText } from '../http/xml.ts';
import { removeEach } from '../remove-each.ts';
import type { RetryOptions } from '../retrying-bucket.ts';
import { AS_STORED_HEADERS, IF_ABSENT_HEADERS } from './google.ts';
import { objectHeaders } from './headers.ts';
import { createMultipartWriter, createPartsDiscarder } from './multipart-upload.ts';
import { openS3Store, type S3Options, type S3Store } from './store.ts';

const REMOVED_AT_ONCE = 1000;
const TRANSIENT_CODES = new Set(['InternalError', 'SlowDown', 'ServiceUnavailable']);

export function openS3Bucket(options: S3Options): OpenedBucket {
  const store = openS3Store(options);
  return { bucket: bucketIn(store, options), close: store.close };
}

function bucketIn(
  store: S3Store,
  { listed = 1000, retry = {} }: Pick<S3Options, 'listed' | 'retry'>,
): Bucket {
  const { name, keyPrefix, isGoogle } = store;
  const unsignedHeaders = isGoogle ? AS_STORED_HEADERS : undefined;
  const bucket: Bucket = {
    name,
    limited(limit) {
      const ask: S3Store['ask'] = (request, isConditional) => store.ask({ ...request, limit }, isConditional);
      return bucketIn({ ...store, ask }, { listed, retry: { ...retry, limit } });
    },
    async read(key) {
      const answer = await store
        .ask({ method: 'GET', key: keyPrefix + key, unsignedHeaders })
        .catch(undefinedIfNotFound);
      if (!answer) return undefined;
      const { body, time } = answer;
      return { body, tag: tagIn(store, answer, key), modified: modifiedIn(answer), time };
    },
    async readLarge(key) {
      const info = await bucket.inspect(key);
      return info && { size: info.size, read: (from, to) => readRange(store, key, info.tag, from, to) };
    },
    async inspect(key) {
      const answer = await store
        .ask({ method: 'HEAD', key: keyPrefix + key, unsignedHeaders })
        .catch(undefinedIfNotFound);
      if (!answer) return undefined;
      const { 'content-length': length, 'x-goog-stored-content-length': stored = length } = answer.headers;
      const size = Number(stored);
      const modified = modifiedIn(answer) ?? new Date(0);
      return { tag: tagIn(store, answer, key), size, modified, headers: headersIn(answer) };
    },
    write: (key, body, headers, condition) => putObject(store, key, body, headers, condition !== undefined),
    writeLarge: isGoogle ? undefined : createMultipartWriter(store, retry, (key) => bucket.inspect(key)),
    discardParts: isGoogle ? undefined : createPartsDiscarder(store, retry),
    keepsVersions: async () => {
      if (isGoogle) return undefined;
      const answer = await store.ask({ method: 'GET', query: { versioning: '' } }).catch(() => undefined);
      // Suspended versioning counts too, since earlier versions stay.
      return answer && readText(answer.body, 'VersioningConfiguration', 'Status') !== '';
    },
    list: (prefix, after) => listPages(store, listed, prefix, after),
    remove: createRemove(store, retry),
  };
  return bucket;
}

async function readRange(
  store: S3Store,
  key: string,
  tag: string,
  from: number,
  to: number,
): Promise<Buffer> {
  const headers = { range: `bytes=${from}-${to - 1}` };
  const unsignedHeaders = store.isGoogle ? AS_STORED_HEADERS : undefined;
  const request: StoreRequest = { method: 'GET', key: store.keyPrefix + key, headers, unsignedHeaders };
  const answer = await store.ask(request).catch(undefinedIfNotFound);
  if (!answer || tagIn(store, answer, key) !== tag) throw objectReplacedError(`${store.name}/${key}`);
  // A server without range requests answers with the whole object.
  const bytes = answer.status === 206 ? answer.body : answer.body.subarray(from, to);
  if (bytes.length !== to - from) throw invalidStoreResponseError(answer, `${store.name}/${key}`);
  return bytes;
}

async function putObject(
  store: S3Store,
  key: string,
  body: Buffer,
  kept: ObjectHeaders,
  isNew: boolean,
): Promise<WriteResult> {
  const digest = hash('md5', body, 'buffer');
  const { isGoogle } = store;
  // Mutated in place: copying the headers costs as much as the digest.
  const headers = objectHeaders(kept);
  headers[MD5_HEADER] = digest.toString('base64');
  // AWS stores the checksum with the object; other servers may not know this header.
  if (store.isAws) headers['x-amz-checksum-sha256'] = hash('sha256', body, 'base64');
  if (isNew) Object.assign(headers, isGoogle ? IF_ABSENT_HEADERS : { 'if-none-match': '*' });
  const request: StoreRequest = { method: 'PUT', key: store.keyPrefix + key, headers, body };
  const answer = await store.ask(request, isNew);
  const tag = tagIn(store, answer, key);
  const { 'x-amz-server-side-encryption': encryption = 'AES256' } = answer.headers;
  if (encryption === 'AES256' && isMD5Tag(tag) && tag.replace(/"/g, '') !== digest.toString('hex'))
    throw new BucketError('bucket-failed', `${store.name}/${key} arrived damaged.`, true);
  return { tag, time: answer.time };
}

async function* listPages(
  { ask, name, keyPrefix }: S3Store,
  listed: number,
  prefix: string,
  after: string | undefined,
): ReturnType<Bucket['list']> {
  let next: string | undefined;
  do {
    const query = {
      'list-type': '2',
      'encoding-type': 'url',
      prefix: keyPrefix + prefix,
      'max-keys': String(listed),
      ...(next ? { 'continuation-token': next } : after ? { 'start-after': keyPrefix + after } : {}),
    };
    const answer = await ask({ method: 'GET', query });
    const page = readListing(answer.body);
    // If a page named itself as the next one, the loop would never end.
    if (!page || (next && page.next === next)) throw invalidStoreResponseError(answer, name);
    for (const object of page.objects) yield { ...object, key: object.key.slice(keyPrefix.length) };
    next = page.next;
  } while (next);
}

function createRemove(store: S3Store, retry: RetryOptions): Bucket['remove'] {
  const { ask, name, keyPrefix } = store;
  let removesMany = !store.isGoogle;
  const removeSingly = (keys: readonly string[]) =>
    removeEach(keys, retry, async (key) => {
      const answer = await ask({ method: 'DELETE', key: keyPrefix + key }).catch(undefinedIfNotFound);
      if (answer && answer.status !== 204) throw invalidStoreResponseError(answer, `${name}/${key}`);
      return answer;
    });
  return async (keys) => {
    let last: RemoveResult = {};
    for (const group of batches(keys, REMOVED_AT_ONCE)) {
      if (!removesMany) last = await removeSingly(group);
      else {
        last = await removeTogether(store, group).catch((error: unknown) => {
          // Some stores remove only one object at a time, or refuse this request if it has an expiry. If the error has
          // another cause, removing the keys singly fails too. A missing bucket is the exception, since its status 404
          // could then look like an absent key.
          if (!(error instanceof BucketError) || error.isTransient || error.code === 'bucket-missing')
            throw error;
          removesMany = false;
          return removeSingly(group);
        });
      }
    }
    return last;
  };
}

async function removeTogether(
  { ask, name, keyPrefix }: S3Store,
  keys: readonly string[],
): Promise<RemoveResult> {
  const objects = keys.map((key) => `<Object><Key>${escapeXml(keyPrefix + key)}</Key></Object>`).join('');
  const body = Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${objects}<Quiet>true</Quiet></Delete>`,
  );
  const headers = { 'content-type': 'application/xml', [MD5_HEADER]: hash('md5', body, 'base64') };
  const request: StoreRequest = { method: 'POST', query: { delete: '' }, headers, body };
  const answer = await ask(request);
  const errors = readDeleteResult(answer.body);
  if (!errors) throw invalidStoreResponseError(answer, name);
  const first = errors.find(({ code }) => code !== 'NoSuchKey');
  if (!first) return answer;
  throw new BucketError(
    'bucket-failed',
    `${name} did not remove ${first.key}: ${first.code} ${first.message}`.trim(),
    TRANSIENT_CODES.has(first.code),
  );
}

function tagIn({ name }: S3Store, answer: StoreResponse, key: string): string {
  const { etag } = answer.headers;
  if (!etag) throw invalidStoreResponseError(answer, `${name}/${key}`);
  return etag;
}

function headersIn({ headers }: StoreResponse): Partial<ObjectHeaders> {
  const kept = {
    contentType: headers['content-type'],
    cacheControl: headers['cache-control'],
    contentEncoding: headers['content-encoding'],
  };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value));
}

/**
 * False for a multipart upload. An encrypted object can have an ETag of this form that is not the MD5 of its body.
 */
export function isMD5Tag(tag: string): boolean {
  return /^"?[0-9a-f]{32}"?$/.test(tag);
}

function modifiedIn({ headers }: StoreResponse): Date | undefined {
  const time = Date.parse(headers['last-modified'] ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
