import { accessOf } from './access.ts';
import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  CURRENT_KEY,
  DOCUMENT_COPIES_FOLDER,
  EXPLORER_FOLDER,
  FACETS_FOLDER,
  IMAGE_LISTS_FOLDER,
  MEDIA_FOLDER,
  PARTS_FOLDER,
  PROBLEMS_FOLDER,
  problemKey,
  ROOTS_FOLDER,
} from './object-keys.ts';
import { isSharedObject, OBJECT_KINDS, objectKindOf } from './object-kinds.ts';
import { splitDirectives } from './parse-cache-control.ts';

export type Header = readonly [name: string, value: string];

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
export const API_KEY_HEADER = 'X-API-KEY';
export const AUTHENTICATION_SCHEME = 'ApiKey';
/** In a response: the release that a list of the packed layout comes from. In a request: the release to answer from. */
export const RELEASE_HEADER = 'Catalogue-Release';
/**
 * In a preflight response: the name of the target's configuration (`release/edge-configuration-name.ts`). The edge
 * answers preflights without reading a file, so the header names the configuration that really runs there.
 */
const EDGE_HEADER = 'Catalogue-Edge';
export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

export const COMMON_HEADERS: readonly Header[] = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', `ETag, Content-Range, ${RELEASE_HEADER}`],
  ['X-Content-Type-Options', 'nosniff'],
];

export const PREFLIGHT_HEADERS: readonly Header[] = [
  ['Access-Control-Allow-Methods', ALLOWED_METHODS],
  [
    'Access-Control-Allow-Headers',
    `${API_KEY_HEADER}, Accept, Content-Type, If-None-Match, Range, ${RELEASE_HEADER}`,
  ],
  ['Access-Control-Max-Age', '86400'],
];

export function preflightHeaders(edge: string | undefined): readonly Header[] {
  return edge ? PREFLIGHT_HEADERS.concat([[EDGE_HEADER, edge]]) : PREFLIGHT_HEADERS;
}

/** Only the headers specific to this status, without {@link COMMON_HEADERS}, media type and caching. */
export function problemHeaders(status: number): readonly Header[] {
  if (status === 405) return [['Allow', ALLOWED_METHODS]];
  if (status === 401) return [['WWW-Authenticate', AUTHENTICATION_SCHEME]];
  return [];
}

export function mediaType(key: string): string {
  if (key.startsWith(`${PROBLEMS_FOLDER}/`)) return PROBLEM_TYPE;
  return MEDIA_TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'text/plain; charset=utf-8';
}

export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  // Without inherited members such as `constructor`, which may be the extension of a file.
  __proto__: null!,
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
  jsonld: 'application/ld+json',
  csv: 'text/csv; charset=utf-8',
  gz: 'application/gzip',
};

/** Folders of immutable files that clients request by key. */
export const IMMUTABLE_FOLDERS = [
  MEDIA_FOLDER,
  EXPLORER_FOLDER,
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  FACETS_FOLDER,
  IMAGE_LISTS_FOLDER,
  DOCUMENT_COPIES_FOLDER,
  PARTS_FOLDER,
  ROOTS_FOLDER,
] as const;

export type StoredHeaders = { readonly contentType: string; readonly cacheControl: string };

/** `release`: for `current.json`, which names the live release. @default `api` */
export type CacheControlSettings = {
  readonly api: string;
  readonly media: string;
  readonly problem: string;
  readonly release?: string;
};

export const NO_STORE = 'no-store';

/** Server errors are not cached, since they may end soon. @param caching the setting `cache_control.problem` */
export function problemCacheControl(status: number, caching: string): string {
  return status >= 500 ? NO_STORE : caching;
}

/** Keeps the response out of shared caches, even those that ignore `Vary` (RFC 9111, 5.2.2.7). */
export function privateCacheControl(caching: string): string {
  if (caching === NO_STORE) return caching;
  const others = splitDirectives(caching).filter(
    (directive) => directive !== '' && !SHARED_DIRECTIVE.test(directive),
  );
  return ['private'].concat(others).join(', ');
}

const SHARED_DIRECTIVE = /^(?:public|private|s-maxage|proxy-revalidate)(?:=|$)/i;

/** @param isKeyed whether the catalogue requires API keys; if so, guarded files are private */
export function storedHeaders(key: string, caching: CacheControlSettings, isKeyed: boolean): StoredHeaders {
  const cacheControl = storedCaching(key, caching);
  const isGuarded = isKeyed && accessOf(key) === 'guarded';
  return {
    contentType: mediaType(key),
    cacheControl: isGuarded ? privateCacheControl(cacheControl) : cacheControl,
  };
}

function storedCaching(key: string, caching: CacheControlSettings): string {
  if (key === BROKEN_KEY) return NO_STORE;
  return key.startsWith(`${PROBLEMS_FOLDER}/`) ? caching.problem : fileCacheControl(key, caching);
}

/** The one problem document that must not be cached. */
const BROKEN_KEY = /* @__PURE__ */ problemKey('list-unavailable');

export function fileCacheControl(key: string, { api, media, release = api }: CacheControlSettings): string {
  if (key === CURRENT_KEY) return release;
  return isSharedObject({ kind: objectKindOf(key) }) ? media : api;
}

/** All files of a group have the same stored headers. */
export function headerGroup(key: string): string {
  if (key === BROKEN_KEY) return 'problems.uncached';
  const group =
    OBJECT_KINDS[objectKindOf(key)].headerGroup ?? (accessOf(key) === 'guarded' ? 'guarded.' : 'documents.');
  return group.endsWith('.') ? group + key.slice(key.lastIndexOf('.') + 1) : group;
}
