/** A Cloudflare Worker over an R2 bucket, with the Cache API in front of it. */

import { createPackedList, type PackedList, type Platform } from '../packed/list.ts';
import { parseRange } from '../range.ts';
import { type Entity, entityReply, fileKey, type Reply, type Store } from '../reply.ts';
import { type Body, bytesOf, respond } from './fetch.ts';
import { SETTINGS } from './settings.ts';

type Object = { httpEtag: string; size: number };

/** The part of the binding of an R2 bucket that is used. */
type Bucket = {
  head: (key: string) => Promise<Object | null>;
  get: (
    key: string,
    options?: { range: { offset: number; length: number } },
  ) => Promise<(Object & { body: ReadableStream<Uint8Array> }) | null>;
};

type Context = { waitUntil: (promise: Promise<unknown>) => void };

declare const caches: { default: Cache };

type Cache = {
  match: (url: string) => Promise<Response | undefined>;
  put: (url: string, response: Response) => Promise<void>;
  delete: (url: string) => Promise<boolean>;
};

/** Answers a request. */
type Fetch = (request: Request, environment: { CATALOGUE: Bucket }, context: Context) => Promise<Response>;

/** Makes what answers requests. The bucket is bound as `CATALOGUE`. */
export function createFetch(): Fetch {
  const list = CATALOGUE_PACKED ? createPackedList(SETTINGS) : undefined;
  return (request, { CATALOGUE }, context) => answer(request, CATALOGUE, context, list);
}

function answer(
  request: Request,
  bucket: Bucket,
  context: Context,
  list: PackedList | undefined,
): Promise<Response> {
  const read = (key: string) => readCached(key, request, bucket, context);
  const platform: Platform = {
    read: async (key, isDoubted) => {
      if (isDoubted) await caches.default.delete(cacheUrl(key, request));
      return bytesOf(await read(key));
    },
    later: (work) => context.waitUntil(work),
    report: (error) => console.error(error),
  };
  const store: Store<Body> = {
    read,
    page: list && ((found, asked) => list(found, asked, platform)),
    text: async (key) => {
      const entity = await read(key);
      return entity && new Response(entity.body).text();
    },
    file: async (path) => {
      const key = fileKey(path, SETTINGS.base);
      if (key === undefined) return undefined;
      const header = request.headers.get('Range');
      if (header !== null) return readRange(key, header, request, bucket);
      const entity = await read(key);
      return entity && fileReply(entity, key, request);
    },
  };
  return respond(request, store);
}

/** A file under its own key: one entry of the cache for every spelling of a page. */
async function readCached(
  key: string,
  request: Request,
  bucket: Bucket,
  context: Context,
): Promise<Entity<Body> | undefined> {
  const url = cacheUrl(key, request);
  const cached = await caches.default.match(url);
  if (cached) return { tag: cached.headers.get('ETag') ?? '', body: cached.body as Body };
  const object = await bucket.get(key);
  if (!object) return undefined;
  const entity = { tag: object.httpEtag, body: object.body };
  const whole = entityReply(entity, key, { ifNoneMatch: undefined }, SETTINGS.cache);
  const response = new Response(object.body, { headers: whole.headers as [string, string][] });
  context.waitUntil(caches.default.put(url, response.clone()));
  return { tag: object.httpEtag, body: response.body as Body };
}

function cacheUrl(key: string, request: Request): string {
  return new URL(`/${encodeURI(key)}`, request.url).href;
}

function fileReply(entity: Entity<Body>, key: string, request: Request): Reply<Body> {
  const ifNoneMatch = request.headers.get('If-None-Match') ?? undefined;
  const whole = entityReply(entity, key, { ifNoneMatch }, SETTINGS.cache);
  whole.headers.push(['Accept-Ranges', 'bytes']);
  return whole;
}

/** Part of a file (RFC 9110, 14). R2 takes no range that starts past the end. */
async function readRange(
  key: string,
  header: string,
  request: Request,
  bucket: Bucket,
): Promise<Reply<Body> | undefined> {
  const object = await bucket.head(key);
  if (!object) return undefined;
  const condition = request.headers.get('If-Range');
  const range =
    condition === null || condition === object.httpEtag ? parseRange(header, object.size) : undefined;
  const options = range && range !== 'unsatisfiable' ? { range } : undefined;
  const part = range === 'unsatisfiable' ? null : await bucket.get(key, options);
  const whole = fileReply({ tag: object.httpEtag, body: part?.body ?? null }, key, request);
  if (!range || whole.status === 304) return whole;
  const place = range === 'unsatisfiable' ? '*' : `${range.offset}-${range.offset + range.length - 1}`;
  whole.headers.push(['Content-Range', `bytes ${place}/${object.size}`]);
  return { ...whole, status: range === 'unsatisfiable' ? 416 : 206 };
}
