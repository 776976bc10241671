import { createHash, hash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { BlobHTTPHeaders } from '@azure/storage-blob';
import { PARTS_IN_FLIGHT, partRanges } from '../body.ts';
import {
  type Bucket,
  ConditionFailed,
  compareKeys,
  type ObjectHeaders,
  type OpenedBucket,
  objectReplacedError,
} from '../bucket.ts';
import { forEachConcurrently } from '../for-each.ts';
import type { StoreOptions } from '../http/connection.ts';
import { undefinedIfNotFound } from '../http/errors.ts';
import { removeEach } from '../remove-each.ts';
import { type RetryOptions, sendChange, sendWithRetry } from '../retrying-bucket.ts';
import { type AzureStore, openAzureContainer } from './store.ts';

/** @throws EnvironmentError `azure-package-missing`; BucketError `bucket-credentials` */
export async function openAzureBucket(options: StoreOptions): Promise<OpenedBucket> {
  const container = await openAzureContainer(options);
  return { bucket: bucketIn(container, options), close: container.close };
}

function bucketIn(
  container: AzureStore,
  { listed = 5000, retry = {} }: Pick<StoreOptions, 'listed' | 'retry'>,
): Bucket {
  const { name, blob } = container;
  return {
    name,
    limited: (limit) => bucketIn(container.limited(limit), { listed, retry: { ...retry, limit } }),
    async read(key) {
      const answer = await blob(key).download().catch(undefinedIfNotFound);
      if (!answer) return undefined;
      const { readableStreamBody: body, lastModified: modified, date: time } = answer;
      return { body: await buffer(body!), tag: tagOf(answer), modified, time };
    },
    async readLarge(key) {
      const info = await blob(key).getProperties().catch(undefinedIfNotFound);
      if (!info) return undefined;
      const { contentLength: size = 0, etag = '' } = info;
      return { size, read: (from, to) => readRange(container, key, etag, from, to) };
    },
    async inspect(key) {
      const answer = await blob(key).getProperties().catch(undefinedIfNotFound);
      if (!answer) return undefined;
      const { contentLength: size = 0, lastModified: modified = new Date(0) } = answer;
      const { contentType, cacheControl, contentEncoding } = answer;
      const kept = Object.entries({ contentType, cacheControl, contentEncoding }).filter(
        ([, value]) => value,
      );
      return { tag: tagOf(answer), size, modified, headers: Object.fromEntries(kept) };
    },
    async write(key, body, headers, condition) {
      const contentMD5 = hash('md5', body, 'buffer');
      const kept = { blobHTTPHeaders: blobHeaders(headers, contentMD5) };
      const match = condition && { conditions: { ifNoneMatch: '*' } };
      const sent = blob(key).upload(body, body.length, { ...kept, ...match });
      const { etag, date } = await sent;
      return { tag: tagOf({ etag, contentMD5 }), time: date };
    },
    writeLarge: createMultipartWriter(container, retry),
    // Only Azure's management API reports whether versioning is on, not the blob API.
    keepsVersions: async () => undefined,
    list: createList(container, listed),
    remove: (keys) =>
      removeEach(keys, retry, async (key) => {
        const answer = await blob(key).delete().catch(undefinedIfNotFound);
        return { time: answer?.date };
      }),
  };
}

async function readRange(
  { name, blob }: AzureStore,
  key: string,
  tag: string,
  from: number,
  to: number,
): Promise<Buffer> {
  const conditions = { ifMatch: tag };
  const { readableStreamBody: body } = await blob(key)
    .download(from, to - from, { conditions })
    .catch((error: unknown) => {
      throw error instanceof ConditionFailed ? objectReplacedError(`${name}/${key}`) : error;
    });
  return buffer(body!);
}

/** Blocks have no effect before the last request commits them. */
function createMultipartWriter({ blob }: AzureStore, retry: RetryOptions): NonNullable<Bucket['writeLarge']> {
  return async (key, body, headers) => {
    const target = blob(key);
    // The names of the blocks start with a new id, so that blocks of a stopped publisher are not mixed in. Azure
    // requires names of equal length.
    const run = randomUUID();
    const whole = createHash('md5');
    const blocks: string[] = [];
    let reading: Promise<Buffer> = Promise.resolve(Buffer.alloc(0));
    await forEachConcurrently(partRanges(body.size), PARTS_IN_FLIGHT, async ({ number, from, to }) => {
      // Reads one part after another, because the hash of the whole body needs them in order.
      reading = reading
        .then(() => body.read(from, to))
        .then((bytes) => {
          whole.update(bytes);
          return bytes;
        });
      const bytes = await reading;
      const block = Buffer.from(`${run}-${String(number).padStart(5, '0')}`).toString('base64');
      blocks[number - 1] = block;
      await sendWithRetry(retry, () => target.stageBlock(block, bytes, bytes.length));
    });
    const contentMD5 = whole.digest();
    const kept = { blobHTTPHeaders: blobHeaders(headers, contentMD5) };
    // Safe to retry: committing the same blocks again makes the same object.
    const { etag, date } = await sendChange(retry, () => target.commitBlockList(blocks, kept));
    return { tag: tagOf({ etag, contentMD5 }), time: date };
  };
}

/** Azure continues a listing from a marker, not from a key. The last marker is kept, so that a retry can continue. */
function createList({ client, keyPrefix }: AzureStore, listed: number): Bucket['list'] {
  const markers = new Map<string, { readonly after: string; readonly marker: string }>();
  return async function* list(prefix, after) {
    const known = markers.get(prefix);
    const marker = known && known.after === after ? known.marker : undefined;
    const pages = client
      .listBlobsFlat({ prefix: keyPrefix + prefix })
      .byPage({ maxPageSize: listed, ...(marker && { continuationToken: marker }) });
    let last = after;
    for await (const { segment, continuationToken } of pages) {
      for (const { name, properties } of segment.blobItems) {
        const key = name.slice(keyPrefix.length);
        if (after !== undefined && compareKeys(key, after) <= 0) continue;
        const { contentLength: size = 0, lastModified: modified } = properties;
        yield { key, tag: tagOf(properties), size, modified };
        last = key;
      }
      if (last !== undefined && continuationToken)
        markers.set(prefix, { after: last, marker: continuationToken });
    }
    markers.delete(prefix);
  };
}

/** Azure computes no hash of an object that is uploaded in blocks, but stores the given hash. */
function blobHeaders(headers: ObjectHeaders, contentMD5: Buffer): BlobHTTPHeaders {
  const { contentType: blobContentType, cacheControl: blobCacheControl, contentEncoding } = headers;
  const encoding = contentEncoding ? { blobContentEncoding: contentEncoding } : {};
  return { blobContentType, blobCacheControl, blobContentMD5: contentMD5, ...encoding };
}

/** Prefers the content hash, because Azure's ETag changes with each write. */
function tagOf(found: { etag?: string | undefined; contentMD5?: Uint8Array | undefined }): string {
  const { etag = '', contentMD5 } = found;
  const content = contentMD5?.length ? Buffer.from(contentMD5).toString('hex') : etag.replace(/"/g, '');
  return `"${content}"`;
}
