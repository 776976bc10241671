/** A release as its manifest describes it: which objects it has, without a list of them. */

import { cacheTag } from '../contract/cache-tags.ts';
import { hasPages } from '../contract/configuration.ts';
import { DATA_PACKAGE_KEY, INDEX_KEY, NDJSON_KEY } from '../contract/document-keys.ts';
import { type StoredHeaders, storedHeaders } from '../contract/headers.ts';
import {
  CURRENT_KEY,
  EXPLORER_FOLDER,
  ID_PATTERN,
  isImmutableKey,
  MANIFEST_KEY,
  MEDIA_FOLDER,
  mediaKey,
  PAGES_FOLDER,
  PARTS_FOLDER,
  PROBLEMS_FOLDER,
  PROPERTIES_FOLDER,
  pageKey,
  propertyKey,
  ROOTS_FOLDER,
  scopeFolder,
  totalKey,
} from '../contract/keys.ts';
import { pageCount } from '../contract/pagination.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import { isControlKey, isHistoryKey } from '../storage/reserved-keys.ts';
import type { Comparable } from './comparison.ts';
import { comparablesOf, MANIFEST_VERSION, type Manifest } from './manifest.ts';
import { RELEASE_NAME } from './name.ts';
import { type Scope, scopesOf } from './sequence.ts';

/** An object of a release, the manifest apart. */
export type PublishedObject = { readonly key: string } & (
  | { readonly kind: 'media'; readonly name: string }
  | { readonly kind: 'detail'; readonly id: string }
  | { readonly kind: 'page'; readonly scope: Scope; readonly size: number; readonly number: number }
  | { readonly kind: 'total'; readonly scope: Scope }
  | { readonly kind: DocumentKind }
);

/** What a document is; `asset`: what the explorer loads; `part`: of a download. */
export type DocumentKind =
  | 'problem'
  | 'document'
  | 'asset'
  | 'part'
  | 'index'
  | 'packed'
  | 'root'
  | 'current';

/** What an object is. */
export type ObjectKind = PublishedObject['kind'];

/** A release. */
export type Release = {
  /** As its manifest names it (`emit/release-name.ts`). */
  readonly name: string;
  /** The manifest as it is stored. */
  readonly bytes: Buffer;
  readonly manifest: Manifest;
  readonly sequence: readonly Comparable[];
  /** Index in the sequence, by id. */
  readonly places: ReadonlyMap<string, number>;
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly sizes: readonly number[];
  /** Whether lists are stored page by page. */
  readonly hasPages: boolean;
  readonly media: ReadonlySet<string>;
};

const DIGEST = /^[0-9a-f]{32}$/;
const ID = new RegExp(`^${ID_PATTERN}$`);

/** Reads a manifest; undefined when it is damaged, or of a version that is not ours. */
export function parseRelease(bytes: Buffer): Release | undefined {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(bytes.toString('utf8')) as Manifest;
    if (!isManifest(manifest)) return undefined;
  } catch {
    return undefined;
  }
  const sequence = comparablesOf(manifest);
  const { page_sizes, layout = 'pages' } = manifest.api;
  return {
    name: manifest.release,
    bytes,
    manifest,
    sequence,
    places: new Map(sequence.map(({ id }, index) => [id, index])),
    scopes: new Map(scopesOf(sequence).map((scope) => [scopeFolder(scope.country, scope.city), scope])),
    sizes: page_sizes === 'all' ? Array.from({ length: MAX_PAGE_SIZE }, (_, index) => index + 1) : page_sizes,
    hasPages: hasPages({ layout }),
    media: new Set(manifest.media),
  };
}

function isManifest(value: Manifest): boolean {
  const { version, release, build, api, headers, documents, parts = {}, media, sequence } = value;
  return (
    version === MANIFEST_VERSION &&
    RELEASE_NAME.test(release) &&
    typeof build === 'object' &&
    typeof api.base === 'string' &&
    typeof api.cache_control.api === 'string' &&
    (api.page_sizes === 'all' || api.page_sizes.every((size) => Number.isInteger(size) && size > 0)) &&
    [undefined, 'pages', 'packed', 'both'].includes(api.layout) &&
    (headers === undefined || typeof headers === 'object') &&
    Object.entries(documents).every(([key, digest]) => isDocumentKey(key) && DIGEST.test(digest)) &&
    Object.values(parts).every((lengths) =>
      lengths.every((length) => Number.isInteger(length) && length > 0),
    ) &&
    media.every((name) => /^[0-9a-z-]+\.[0-9a-z]+$/.test(name)) &&
    sequence.every(
      ([id, country, city, summary, detail]) =>
        ID.test(id) &&
        /^[A-Z]{2}$/.test(country) &&
        city !== '' &&
        DIGEST.test(summary) &&
        DIGEST.test(detail),
    )
  );
}

/** Whether a key can be a document's: a manifest must not make us touch anything else. */
function isDocumentKey(key: string): boolean {
  return (
    /^[0-9A-Za-z_~-][0-9A-Za-z_.~-]*(?:\/[0-9A-Za-z_~-][0-9A-Za-z_.~-]*)*$/.test(key) &&
    key !== MANIFEST_KEY &&
    !isControlKey(key) &&
    !isHistoryKey(key) &&
    ![PROPERTIES_FOLDER, PAGES_FOLDER, MEDIA_FOLDER].some((folder) => key.startsWith(`${folder}/`))
  );
}

/** Whether the live manifest is the one of this release. Another commit with the same release has another one. */
export function isManifestOf(live: Release | undefined, release: Release): boolean {
  return live?.bytes.equals(release.bytes) ?? false;
}

/** Headers of an object of a release, and the tag by which caches forget it. */
export function headersOf(release: Release, key: string): StoredHeaders & { readonly cacheTag: string } {
  const { cache_control, api_keys } = release.manifest.api;
  return { ...storedHeaders(key, cache_control, api_keys === true), cacheTag: cacheTag(key) };
}

/** The objects of one kind, one after the other; nothing is held. */
export function* objectsOf(release: Release, kind: ObjectKind): Generator<PublishedObject> {
  if (kind === 'media') for (const name of release.media) yield { kind, key: mediaKey(name), name };
  else if (kind === 'detail') for (const { id } of release.sequence) yield { kind, key: propertyKey(id), id };
  else if (kind === 'total') {
    for (const [folder, scope] of pageScopes(release)) yield { kind, key: totalKey(folder), scope };
  } else if (kind === 'page') {
    for (const [folder, scope] of pageScopes(release)) {
      for (const size of release.sizes) yield* pagesOf(folder, scope, size, 1);
    }
  } else {
    for (const key of Object.keys(release.manifest.documents)) {
      if (documentKind(key) === kind) yield { kind, key };
    }
  }
}

/** The scopes that have pages, by folder: all of a release, or none. */
export function pageScopes({ hasPages, scopes }: Release): ReadonlyMap<string, Scope> {
  return hasPages ? scopes : new Map();
}

/** The pages of one size of a scope, from a number on. */
export function* pagesOf(
  folder: string,
  scope: Scope,
  size: number,
  from: number,
): Generator<PublishedObject & { kind: 'page' }> {
  for (let number = from; number <= pageCount(scope.total, size); number++) {
    yield { kind: 'page', key: pageKey(folder, size, number), scope, size, number };
  }
}

/** What the document of this key is. */
export function documentKind(key: string): DocumentKind {
  if (key === CURRENT_KEY) return 'current';
  if (key === INDEX_KEY) return 'index';
  if (isImmutableKey(key)) return key.startsWith(`${ROOTS_FOLDER}/`) ? 'root' : 'packed';
  if (key.startsWith(`${EXPLORER_FOLDER}/`)) return 'asset';
  if (key.startsWith(`${PARTS_FOLDER}/`)) return 'part';
  return key.startsWith(`${PROBLEMS_FOLDER}/`) ? 'problem' : 'document';
}

const KEPT: ReadonlySet<ObjectKind> = new Set(['media', 'asset', 'part', 'packed', 'root']);

/**
 * Whether an object stays in the bucket for its release until that is pruned: another content has another name, and
 * readers may hold what refers to it.
 */
export function isKept({ kind }: Pick<PublishedObject, 'kind'>): boolean {
  return KEPT.has(kind);
}

/** Whether a release has downloads. Those of versions up to 0.2 have no data package. */
export function offersDownloads({ manifest }: Release): boolean {
  return [DATA_PACKAGE_KEY, NDJSON_KEY].some((key) => Object.hasOwn(manifest.documents, key));
}

/** Keys of the documents of a release that stay in the bucket until it is pruned, or of all others. */
export function documentKeys({ manifest }: Release, { kept }: { kept: boolean }): string[] {
  return Object.keys(manifest.documents).filter((key) => isKept({ kind: documentKind(key) }) === kept);
}

/** Keys of the objects of a release that stay in the bucket until it is pruned. */
export function keptKeys(release: Release): string[] {
  return [...[...release.media].map(mediaKey), ...documentKeys(release, { kept: true })];
}

/** Number of the objects of a release, the manifest apart. */
export function countObjects(release: Release): number {
  const { sizes, media, sequence, manifest } = release;
  const scopes = pageScopes(release);
  let count = media.size + sequence.length + Object.keys(manifest.documents).length + scopes.size;
  for (const { total } of scopes.values()) for (const size of sizes) count += pageCount(total, size);
  return count;
}

const PAGE = /^(.+)\/(?:total|([1-9][0-9]{0,2})-([1-9][0-9]{0,9})\.json)$/;

/** The object of a release that has this key; undefined when it has none. */
export function objectAt(release: Release, key: string): PublishedObject | undefined {
  if (key.startsWith(`${MEDIA_FOLDER}/`)) {
    const name = key.slice(MEDIA_FOLDER.length + 1);
    return release.media.has(name) ? { kind: 'media', key, name } : undefined;
  }
  if (key.startsWith(`${PROPERTIES_FOLDER}/`)) {
    const id = key.slice(PROPERTIES_FOLDER.length + 1, -'.json'.length);
    return release.places.has(id) && key === propertyKey(id) ? { kind: 'detail', key, id } : undefined;
  }
  if (key.startsWith(`${PAGES_FOLDER}/`)) {
    const [, folder = '', sizeText, numberText] = PAGE.exec(key) ?? [];
    const scope = pageScopes(release).get(folder);
    if (!scope) return undefined;
    if (sizeText === undefined) return { kind: 'total', key, scope };
    const [size, number] = [Number(sizeText), Number(numberText)];
    const has = release.sizes.includes(size) && number <= pageCount(scope.total, size);
    return has ? { kind: 'page', key, scope, size, number } : undefined;
  }
  return Object.hasOwn(release.manifest.documents, key) ? { kind: documentKind(key), key } : undefined;
}
