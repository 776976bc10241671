/** The headers of every answer (decisions, "Every response"). */

import { CURRENT_KEY, isImmutableKey, isPackedKey } from './layout.ts';

/** A header's name and value. */
export type Header = readonly [name: string, value: string];

/** Methods that every path answers. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
/** Name of the header that carries an API key (specification, "Authentication"). */
export const API_KEY_HEADER = 'X-API-KEY';
/** How the answer 401 names the way to authenticate (RFC 9110, 11.6.1). */
export const AUTHENTICATE = 'ApiKey';
/** Media type of successful answers. */
export const JSON_TYPE = 'application/json';
/** Media type of problems (RFC 9457, 3). */
export const PROBLEM_TYPE = 'application/problem+json';

/** Headers of every answer, problems included. */
export const COMMON_HEADERS: readonly Header[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'ETag'],
  ['X-Content-Type-Options', 'nosniff'],
];

/** Headers of the answer to a CORS preflight, besides {@link COMMON_HEADERS}. */
export const PREFLIGHT_HEADERS: readonly Header[] = [
  ['Access-Control-Allow-Methods', ALLOWED_METHODS],
  ['Access-Control-Allow-Headers', 'X-API-KEY, Accept, Content-Type, If-None-Match'],
  ['Access-Control-Max-Age', '86400'],
];

/** Headers of a problem with this status, besides {@link COMMON_HEADERS}, media type and caching. */
export function problemHeaders(status: number): readonly Header[] {
  if (status === 405) return [['Allow', ALLOWED_METHODS]];
  if (status === 401) return [['WWW-Authenticate', AUTHENTICATE]];
  return [];
}

/** Media type of a published file, by its key. */
export function mediaType(key: string): string {
  if (key.startsWith('_catalogue/problems/')) return PROBLEM_TYPE;
  return MEDIA_TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
}

/** Media type by extension. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  json: JSON_TYPE,
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
  yaml: 'application/yaml',
  xml: 'application/atom+xml',
  ndjson: 'application/x-ndjson',
  geojson: 'application/geo+json',
  gz: 'application/gzip',
  bin: 'application/octet-stream',
};

/** The headers that a stored file carries, where the store can keep headers. */
export type StoredHeaders = { readonly contentType: string; readonly cacheControl: string };

/** Headers of the file of this key; `caching` is `cache_control` of the configuration. */
export function storedHeaders(
  key: string,
  caching: { readonly api: string; readonly media: string; readonly problem: string },
): StoredHeaders {
  // Whoever reads which release is live has to ask whether it still is.
  if (key === CURRENT_KEY) return { contentType: mediaType(key), cacheControl: 'no-cache' };
  const kind =
    key.startsWith('media/') || isImmutableKey(key)
      ? 'media'
      : key.startsWith('_catalogue/problems/')
        ? 'problem'
        : 'api';
  return { contentType: mediaType(key), cacheControl: caching[kind] };
}

/** Name of the group of files of one kind, all of which are stored with the same headers. */
export function headerGroup(key: string): string {
  if (isPackedKey(key))
    return key === CURRENT_KEY ? 'current' : `packed.${key.slice(key.lastIndexOf('.') + 1)}`;
  const [, folder] = /^_catalogue\/(properties|pages|problems)\//.exec(key) ?? [];
  if (folder === 'pages') return key.endsWith('/total') ? 'totals' : 'pages';
  if (folder) return folder;
  return `${key.startsWith('media/') ? 'media' : 'documents'}.${key.slice(key.lastIndexOf('.') + 1)}`;
}
