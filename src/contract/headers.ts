/** The headers of every answer (`docs/decisions.md`, "Every answer"). */

import { accessOf } from './access.ts';
import {
  CURRENT_KEY,
  EXPLORER_FOLDER,
  isImmutableKey,
  isPackedKey,
  MEDIA_FOLDER,
  PARTS_FOLDER,
  PROBLEMS_FOLDER,
  problemKey,
} from './keys.ts';

/** A header's name and value. */
export type Header = readonly [name: string, value: string];

/** Methods that every path answers. */
export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
/** Name of the header that carries an API key (specification, "Authentication"). */
export const API_KEY_HEADER = 'X-API-KEY';
/** How the answer 401 names the way to authenticate (RFC 9110, 11.6.1). */
export const AUTHENTICATE = 'ApiKey';
/**
 * Name of the header in which a list of the packed layout names its release, and in which a request asks for that
 * release.
 */
export const RELEASE_HEADER = 'Catalogue-Release';
/**
 * Name of the header in which the answer to a preflight, which the configuration of a target makes without any file,
 * names that configuration (`release/edge-name.ts`).
 */
const EDGE_HEADER = 'Catalogue-Edge';
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

/**
 * The headers of the answer to a preflight, by a configuration of this name.
 *
 * @example
 * preflightHeaders('0.2.0-3f9a1c2b').at(-1) // ['Catalogue-Edge', '0.2.0-3f9a1c2b']
 */
export function preflightHeaders(edge: string | undefined): readonly Header[] {
  return edge ? PREFLIGHT_HEADERS.concat([[EDGE_HEADER, edge]]) : PREFLIGHT_HEADERS;
}

/**
 * The same headers where the list names its release: pages of other hosts may read {@link RELEASE_HEADER}, and send
 * it.
 *
 * @example
 * withRelease([['Access-Control-Expose-Headers', 'ETag']])[0][1] // 'ETag, Catalogue-Release'
 */
export function withRelease(headers: readonly Header[]): Header[] {
  return headers.map(([name, value]) => {
    const isList = name === 'Access-Control-Expose-Headers' || name === 'Access-Control-Allow-Headers';
    return [name, isList ? `${value}, ${RELEASE_HEADER}` : value];
  });
}

/**
 * Headers of a problem with this status, besides {@link COMMON_HEADERS}, media type and caching.
 *
 * @example
 * problemHeaders(405) // [['Allow', 'GET, HEAD, OPTIONS']]
 */
export function problemHeaders(status: number): readonly Header[] {
  if (status === 405) return [['Allow', ALLOWED_METHODS]];
  if (status === 401) return [['WWW-Authenticate', AUTHENTICATE]];
  return [];
}

/**
 * Media type of a published file, by its key.
 *
 * @example
 * mediaType('properties.geojson') // 'application/geo+json'
 */
export function mediaType(key: string): string {
  if (key.startsWith(`${PROBLEMS_FOLDER}/`)) return PROBLEM_TYPE;
  return MEDIA_TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
}

/** Media type by extension. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  json: JSON_TYPE,
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
  yaml: 'application/yaml',
  xml: 'application/atom+xml',
  ndjson: 'application/x-ndjson',
  geojson: 'application/geo+json',
  csv: 'text/csv; charset=utf-8',
  gz: 'application/gzip',
  bin: 'application/octet-stream',
};

/** Folders of files whose names have a digest of their content: what is there never changes. */
export const ASSET_FOLDERS = [MEDIA_FOLDER, EXPLORER_FOLDER, PARTS_FOLDER] as const;

/**
 * Whether the file of this key never changes; `cache_control.media` is for all of these.
 *
 * @example
 * isAsset('media/0f3c….jpg') // true
 */
function isAsset(key: string): boolean {
  return ASSET_FOLDERS.some((folder) => key.startsWith(`${folder}/`));
}

/** The headers that a stored file carries, where the store can keep headers. */
export type StoredHeaders = { readonly contentType: string; readonly cacheControl: string };

/** `cache_control` of the configuration; `release` may be left out where nothing is stored in the packed layout. */
export type CacheControl = {
  readonly api: string;
  readonly media: string;
  readonly problem: string;
  readonly release?: string;
};

/** `Cache-Control` of what no cache may keep: an answer that says that something is broken. */
export const UNCACHED = 'no-store';

/**
 * `Cache-Control` of a problem. What is broken may be mended in a moment, so an answer that says so is never kept.
 *
 * @param caching `cache_control.problem` of the configuration.
 *
 * @example
 * problemCaching(502, 'max-age=60') // 'no-store'
 */
export function problemCaching(status: number, caching: string): string {
  return status >= 500 ? UNCACHED : caching;
}

/**
 * `Cache-Control` of what is given to those with a key alone: the same, but no cache that several people share may keep
 * it, not even one that ignores `Vary` (RFC 9111, 5.2.2.7).
 *
 * @example guardedCaching('public, s-maxage=600, max-age=60') // 'private, max-age=60'
 */
export function guardedCaching(caching: string): string {
  if (caching === UNCACHED) return caching;
  const others = caching
    .split(',')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '' && !SHARED_DIRECTIVE.test(directive));
  return ['private'].concat(others).join(', ');
}

/** Directives that speak of caches that several people share, and `private` itself. */
const SHARED_DIRECTIVE = /^(?:public|private|s-maxage|proxy-revalidate)(?:=|$)/i;

/**
 * Headers of the file of this key.
 *
 * @param isKeyed whether the catalogue asks for keys: then guarded files are private.
 *
 * @example
 * const caching = { api: 'public, max-age=60', media: 'immutable', problem: 'max-age=60' };
 * storedHeaders('changes/index.json', caching, true).cacheControl // 'private, max-age=60'
 */
export function storedHeaders(key: string, caching: CacheControl, isKeyed: boolean): StoredHeaders {
  const cacheControl = storedCaching(key, caching);
  const isGuarded = isKeyed && accessOf(key) === 'guarded';
  return {
    contentType: mediaType(key),
    cacheControl: isGuarded ? guardedCaching(cacheControl) : cacheControl,
  };
}

function storedCaching(key: string, caching: CacheControl): string {
  if (key === BROKEN_KEY) return UNCACHED;
  return key.startsWith(`${PROBLEMS_FOLDER}/`) ? caching.problem : fileCaching(key, caching);
}

/** Key of the document of the problem that nothing caches. */
const BROKEN_KEY = /* @__PURE__ */ problemKey('list-unavailable');

/**
 * `Cache-Control` of a file that is asked for by its key.
 *
 * @example
 * const caching = { api: 'max-age=60', media: 'immutable', problem: 'max-age=60' };
 * fileCaching('media/0f3c….jpg', caching) // 'immutable'
 */
export function fileCaching(key: string, { api, media, release = api }: CacheControl): string {
  if (key === CURRENT_KEY) return release;
  return isAsset(key) || isImmutableKey(key) ? media : api;
}

/**
 * Name of the group of files of one kind. All are stored with the same headers.
 *
 * @example
 * headerGroup('_catalogue/pages/IE/-/25-1.json') // 'pages'
 */
export function headerGroup(key: string): string {
  if (isPackedKey(key))
    return key === CURRENT_KEY ? 'current' : `packed.${key.slice(key.lastIndexOf('.') + 1)}`;
  if (key === BROKEN_KEY) return 'problems.uncached';
  const [, folder] = /^_catalogue\/(properties|pages|problems)\//.exec(key) ?? [];
  if (folder === 'pages') return key.endsWith('/total') ? 'totals' : 'pages';
  if (folder) return folder;
  const immutable = ASSET_FOLDERS.find((name) => key.startsWith(`${name}/`));
  const documents = accessOf(key) === 'guarded' ? 'guarded' : 'documents';
  return `${immutable ?? documents}.${key.slice(key.lastIndexOf('.') + 1)}`;
}
