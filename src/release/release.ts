/** A release is a tree: its root names every object, directly or through other objects. */

import { DATA_PACKAGE_KEY, INDEX_KEY, NDJSON_KEY } from '../contract/document-keys.ts';
import { type StoredHeaders, storedHeaders } from '../contract/headers.ts';
import {
  ID_PATTERN,
  MEDIA_FOLDER,
  mediaKey,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
  pageKey,
  propertyKey,
  totalKey,
} from '../contract/object-keys.ts';
import { isSharedObject, objectKindOf, type ReleaseObjectKind } from '../contract/object-kinds.ts';
import { pageCount } from '../contract/pagination.ts';
import { type Chunk, entryBytes } from '../tree/format/chunk.ts';
import { findDetail, findDetailPart } from '../tree/format/detail-part.ts';
import { chunkSlices } from '../tree/format/list-lookup.ts';
import type { Root } from '../tree/format/root.ts';
import type { Leaves } from './leaves.ts';
import type { BuildIdentity, ReleaseSettings, RootContents } from './root-contents.ts';
import type { Scope } from './sequence.ts';

export type PublishedObject = { readonly key: string } & (
  | { readonly kind: 'media'; readonly name: string }
  | { readonly kind: 'detail'; readonly id: string }
  | { readonly kind: 'page'; readonly scope: Scope; readonly size: number; readonly number: number }
  | { readonly kind: 'total'; readonly scope: Scope }
  | { readonly kind: DocumentKind }
);

type DocumentKind = Exclude<ReleaseObjectKind, 'media' | 'detail' | 'page' | 'total'>;

export type Release = {
  /** Digest of the root. */
  readonly name: string;
  readonly rootBytes: Buffer;
  readonly build: BuildIdentity;
  readonly settings: ReleaseSettings;
  readonly headers: RootContents['headers'];
  /** Digests by key: of documents, copies of documents, and objects of the tree. */
  readonly documents: Readonly<Record<string, string>>;
  /** Digests of lists of image names. */
  readonly images: readonly string[];
  readonly root: Root;
  readonly leaves: Leaves;
  /** Scopes by folder. Empty for a release without pages, unless it was read with `withScopes`. */
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly sizes: readonly number[];
  /** Whether each page and detail is a file. */
  readonly hasPages: boolean;
  readonly media: ReadonlySet<string>;
};

export function storedHeadersOf(release: Release, key: string): StoredHeaders {
  const { cache_control, api_keys } = release.settings;
  return storedHeaders(key, cache_control, api_keys);
}

/**
 * @param ids only for kind `detail`: ids of the details to yield, in this order. If the details will be read, pass
 * sorted ids, so that each part is read only once. @default none, so `detail` yields nothing
 */
export function* objectsOf(
  release: Release,
  kind: ReleaseObjectKind,
  ids: Iterable<string> = [],
): Generator<PublishedObject> {
  if (kind === 'media') for (const name of release.media) yield { kind, key: mediaKey(name), name };
  else if (kind === 'detail') for (const id of ids) yield { kind, key: propertyKey(id), id };
  else if (kind === 'total') {
    for (const [folder, scope] of pageScopes(release)) yield { kind, key: totalKey(folder), scope };
  } else if (kind === 'page') {
    for (const [folder, scope] of pageScopes(release)) {
      for (const size of release.sizes) yield* pagesFromNumber(folder, scope, size, 1);
    }
  } else {
    for (const key of keysByKind(release.documents).get(kind) ?? []) yield { kind, key };
  }
}

const kinds = new WeakMap<Release['documents'], ReadonlyMap<DocumentKind, readonly string[]>>();

/** Cached, which saves 0.1 s of a rollback of a million properties. */
function keysByKind(documents: Release['documents']): ReadonlyMap<DocumentKind, readonly string[]> {
  const known = kinds.get(documents);
  if (known) return known;
  const found = new Map<DocumentKind, string[]>();
  for (const key of Object.keys(documents)) {
    const kind = documentKind(key);
    const keys = found.get(kind);
    if (keys) keys.push(key);
    else found.set(kind, [key]);
  }
  kinds.set(documents, found);
  return found;
}

/** Scopes by folder. Empty for a release without pages, even if it was read with `withScopes`. */
export function pageScopes(release: Release): ReadonlyMap<string, Scope> {
  return release.hasPages ? release.scopes : new Map();
}

export function* pagesFromNumber(
  folder: string,
  scope: Scope,
  size: number,
  from: number,
): Generator<PublishedObject & { kind: 'page' }> {
  for (let number = from; number <= pageCount(scope.total, size); number++) {
    yield { kind: 'page', key: pageKey(folder, size, number), scope, size, number };
  }
}

function documentKind(key: string): DocumentKind {
  return objectKindOf(key) as DocumentKind;
}

/** For `index.json`, also compares the names of the releases: the digest of `index.json` does not depend on them. */
export function isSameDocument(before: Release | undefined, after: Release, key: string): boolean {
  const isSame = before?.documents[key] === after.documents[key];
  return isSame && (key !== INDEX_KEY || before?.name === after.name);
}

/** Also true for a large release, which has a data package and parts, but no file of all properties. */
export function offersDownloads({ documents }: Release): boolean {
  return [DATA_PACKAGE_KEY, NDJSON_KEY].some((key) => Object.hasOwn(documents, key));
}

/** @param shared true for documents that stay until the release is pruned; false for all others */
export function documentKeys(
  { documents }: Pick<Release, 'documents'>,
  { shared }: { shared: boolean },
): string[] {
  return Object.keys(documents).filter((key) => isSharedObject({ kind: documentKind(key) }) === shared);
}

/** Objects that stay until the release is pruned. */
export function sharedKeys(release: Release): string[] {
  return [...Array.from(release.media, mediaKey), ...documentKeys(release, { shared: true })];
}

/** Sorted ids of all properties. In a partial release, omits the properties of missing or damaged chunks. */
export async function readIds({ root, leaves }: Release): Promise<string[]> {
  const ids: string[] = [];
  for (const { digest } of root.chunks) {
    const chunk = await leaves.chunk(digest);
    for (let index = 0; index < (chunk?.count ?? 0); index++) ids.push(idInSummary(summaryAt(chunk!, index)));
  }
  return ids.sort();
}

/** Summaries from `from` up to `to` (exclusive), by index in the sequence. */
export async function readSummaries({ root, leaves }: Release, from: number, to: number): Promise<string[]> {
  const texts: string[] = [];
  for (const { index, start, end } of chunkSlices(root, from, to)) {
    const chunk = await leaves.chunk(root.chunks[index]!.digest);
    for (let at = start; chunk && at < end; at++) texts.push(summaryAt(chunk, at));
  }
  return texts;
}

export function summaryAt(chunk: Chunk, index: number): string {
  const { buffer, byteOffset, length } = entryBytes(chunk, index, index + 1);
  return Buffer.from(buffer, byteOffset, length).toString('utf8');
}

/** The id is the first field. */
export function idInSummary(summary: string): string {
  return summary.slice('{"id":"'.length, '{"id":"'.length + 36);
}

/** Undefined for an unknown id; in a partial release, also if the part is missing or damaged. */
export async function readDetail({ root, leaves }: Release, id: string): Promise<Buffer | undefined> {
  const part = findDetailPart(root.details, id);
  const details = part && (await leaves.part(part.digest));
  const detail = details && findDetail(details, id);
  return detail && Buffer.from(detail.buffer);
}

/** @throws the error of `leaves.leafError` if there is no such property */
export async function detailText(release: Release, id: string): Promise<string> {
  const detail = await readDetail(release, id);
  if (!detail) throw release.leaves.leafError(propertyKey(id), true);
  return detail.toString('utf8');
}

export function countObjects(release: Release): number {
  const { sizes, media, documents } = release;
  const details = release.hasPages ? release.root.total : 0;
  const scopes = pageScopes(release);
  // One more for `current.json`.
  let count = media.size + details + Object.keys(documents).length + scopes.size + 1;
  for (const { total } of scopes.values()) for (const size of sizes) count += pageCount(total, size);
  return count;
}

const ID = new RegExp(`^${ID_PATTERN.replaceAll('A-F', '')}$`);
const PAGE = /^(.+)\/(?:total|([1-9][0-9]{0,2})-([1-9][0-9]{0,9})\.json)$/;

export async function objectAt(release: Release, key: string): Promise<PublishedObject | undefined> {
  const object = objectNamed(release, key);
  return object?.kind !== 'detail' || (await readDetail(release, object.id)) ? object : undefined;
}

/** Like {@link objectAt}, but reads no parts: a detail counts as present if its id is well-formed. */
export function objectNamed(release: Release, key: string): PublishedObject | undefined {
  if (key.startsWith(`${MEDIA_FOLDER}/`)) {
    const name = key.slice(MEDIA_FOLDER.length + 1);
    return release.media.has(name) ? { kind: 'media', key, name } : undefined;
  }
  if (key.startsWith(`${PROPERTIES_FOLDER}/`)) {
    const id = key.slice(PROPERTIES_FOLDER.length + 1, -'.json'.length);
    return release.hasPages && ID.test(id) && key === propertyKey(id)
      ? { kind: 'detail', key, id }
      : undefined;
  }
  if (key.startsWith(`${PAGES_FOLDER}/`)) {
    const [, folder = '', bytes, numberText] = PAGE.exec(key) ?? [];
    const scope = pageScopes(release).get(folder);
    if (!scope) return undefined;
    if (bytes === undefined) return { kind: 'total', key, scope };
    const [size, number] = [Number(bytes), Number(numberText)];
    const has = release.sizes.includes(size) && number <= pageCount(scope.total, size);
    return has ? { kind: 'page', key, scope, size, number } : undefined;
  }
  return Object.hasOwn(release.documents, key) ? { kind: documentKind(key), key } : undefined;
}
