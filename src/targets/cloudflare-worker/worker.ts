/** A Cloudflare Worker that serves an R2 bucket through the Cache API. */

import type { PlatformServices } from '../../tree/serve/responder.ts';
import {
  createFindServedRelease,
  type FindServedRelease,
  type ServedRelease,
} from '../../tree/serve/served-release.ts';
import { SETTINGS } from '../runtime/bundled-settings.ts';
import { entityBytes, respond, type StoredBody } from '../runtime/fetch-response.ts';
import { logError } from '../runtime/log-error.ts';
import { parseRequestedRange, type RequestedRange, resolveRange } from '../runtime/range.ts';
import {
  type Entity,
  entityReply,
  type FileStore,
  fileKey,
  type Reply,
  unsatisfiableReply,
} from '../runtime/reply.ts';

type StoredObject = { httpEtag: string; size: number };

export type R2Bucket = {
  head: (key: string) => Promise<StoredObject | null>;
  get: (
    key: string,
    options?: { range: RequestedRange },
  ) => Promise<(StoredObject & { body: ReadableStream<Uint8Array> }) | null>;
};

export type ExecutionContext = { waitUntil: (promise: Promise<unknown>) => void };

declare const caches: { default: EdgeCache };

type EdgeCache = {
  match: (url: string) => Promise<Response | undefined>;
  put: (url: string, response: Response) => Promise<void>;
  delete: (url: string) => Promise<boolean>;
};

type Fetch = (
  request: Request,
  environment: { CATALOGUE: R2Bucket },
  context: ExecutionContext,
) => Promise<Response>;

/**
 * `CATALOGUE_CUTS_PAGES` is false only where the target `cloudflare-assets` bundles this module for the layout `pages`:
 * then each page is a file, and there are no previews.
 */
const find: FindServedRelease = CATALOGUE_CUTS_PAGES
  ? createFindServedRelease(SETTINGS)
  : async () => ({ settings: SETTINGS, cut: undefined, storedKey: (key) => key });

const handle: Fetch = (request, { CATALOGUE }, context) =>
  answerFromBucket(request, CATALOGUE, context, caches.default);

// biome-ignore lint/style/noDefaultExport: the platform calls the default export
export default { fetch: handle };

/** @param cache if undefined, every file is read from the bucket */
export function answerFromBucket(
  request: Request,
  bucket: R2Bucket,
  context: ExecutionContext,
  cache?: EdgeCache,
): Promise<Response> {
  const readUncached = async (key: string) => {
    const object = await bucket.get(key);
    return object ? new Uint8Array(await new Response(object.body).arrayBuffer()) : undefined;
  };
  return respond(request, find, readUncached, (served) => storeOf(served, request, bucket, context, cache));
}

function storeOf(
  { settings, cut, storedKey }: ServedRelease,
  request: Request,
  bucket: R2Bucket,
  context: ExecutionContext,
  cache?: EdgeCache,
): FileStore<StoredBody> {
  const read = async (key: string) => {
    const stored = storedKey(key);
    return stored === undefined ? undefined : readCached({ key, stored }, request, bucket, context, cache);
  };
  const platform: PlatformServices = {
    read: async (key, isDoubted) => {
      if (isDoubted) await cache?.delete(cacheUrl(storedKey(key) ?? key, request));
      return entityBytes(await read(key));
    },
    later: (work) => context.waitUntil(work),
    report: logError,
  };
  return {
    read,
    cut: cut && ((found, asked) => cut(found, asked, platform)),
    report: logError,
    // Not cached: reading a total or `current.json` proves that the bucket has a catalogue, and a cached total would
    // remain if the bucket were emptied.
    text: async (key) => {
      const stored = storedKey(key);
      const object = stored && (await bucket.get(stored));
      return object ? new Response(object.body).text() : undefined;
    },
    file: async (path) => {
      const key = fileKey(path, settings.base);
      const stored = key === undefined ? undefined : storedKey(key);
      if (key === undefined || stored === undefined) return undefined;
      // HEAD ignores the Range header (RFC 9110, 14.2).
      const header = request.method === 'GET' ? request.headers.get('Range') : null;
      const asked = header === null ? undefined : parseRequestedRange(header);
      if (asked) return readRange({ key, stored }, asked, request, bucket);
      const entity = await read(key);
      return entity && fileReply(entity, key, request);
    },
  };
}

type StoredAs = { readonly key: string; readonly stored: string };

/** All spellings of an object's URL use the same cache entry. */
async function readCached(
  { key, stored }: StoredAs,
  request: Request,
  bucket: R2Bucket,
  context: ExecutionContext,
  cache: EdgeCache | undefined,
): Promise<Entity<StoredBody> | undefined> {
  const url = cacheUrl(stored, request);
  const cached = await cache?.match(url);
  if (cached) return { tag: cached.headers.get('ETag') ?? '', body: cached.body as StoredBody };
  const object = await bucket.get(stored);
  if (!object) return undefined;
  if (!cache) return { tag: object.httpEtag, body: object.body };
  const entity = { tag: object.httpEtag, body: object.body };
  const whole = entityReply(entity, key, { ifNoneMatch: undefined }, SETTINGS.cache);
  const response = new Response(object.body, { headers: whole.headers as unknown as [string, string][] });
  context.waitUntil(cache.put(url, response.clone()));
  return { tag: object.httpEtag, body: response.body as StoredBody };
}

/** Encodes `#` and `?`, which would start a fragment or query. */
function cacheUrl(key: string, request: Request): string {
  return new URL(`/${key.split('/').map(encodeURIComponent).join('/')}`, request.url).href;
}

function fileReply(entity: Entity<StoredBody>, key: string, request: Request): Reply<StoredBody> {
  const ifNoneMatch = request.headers.get('If-None-Match') ?? undefined;
  const whole = entityReply(entity, key, { ifNoneMatch }, SETTINGS.cache);
  whole.headers.push(['Accept-Ranges', 'bytes']);
  return whole;
}

/**
 * Reads the range and the ETag in one request, so that an object and its replacement are never mixed. R2 rejects a
 * range that starts past the end.
 */
async function readRange(
  { key, stored }: StoredAs,
  asked: RequestedRange,
  request: Request,
  bucket: R2Bucket,
): Promise<Reply<StoredBody> | undefined> {
  const condition = request.headers.get('If-Range');
  const object = await bucket.get(stored, { range: asked }).catch(async (error: unknown) => {
    const found = await bucket.head(stored);
    if (found && resolveRange(asked, found.size) === 'unsatisfiable') return found;
    throw error;
  });
  if (!object) return undefined;
  if (condition !== null && condition !== object.httpEtag) {
    if ('body' in object) await object.body.cancel();
    const whole = await bucket.get(stored);
    return whole ? fileReply({ tag: whole.httpEtag, body: whole.body }, key, request) : undefined;
  }
  const part = resolveRange(asked, object.size);
  if (part === 'unsatisfiable' || !('body' in object)) return unsatisfiableReply(object.size, SETTINGS);
  const reply = fileReply({ tag: object.httpEtag, body: object.body }, key, request);
  if (reply.status === 304) return reply;
  reply.headers.push([
    'Content-Range',
    `bytes ${part.offset}-${part.offset + part.length - 1}/${object.size}`,
  ]);
  return { ...reply, status: 206 };
}
