/** A release by its manifest: its objects follow from it, without a list. */

import { DATA_PACKAGE_KEY, NDJSON_KEY } from '../contract/document-keys.ts';
import { type StoredHeaders, storedHeaders } from '../contract/headers.ts';
import { isKept, kindOf, type ReleaseKind } from '../contract/kinds.ts';
import {
  MEDIA_FOLDER,
  mediaKey,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
  pageKey,
  propertyKey,
  totalKey,
} from '../contract/object-keys.ts';
import { pageCount } from '../contract/pagination.ts';
import { type Comparable, compareDetails } from './comparison.ts';
import type { Manifest } from './manifest.ts';
import { type PlacesView, type SequencePiece, type SequenceView, viewPieces } from './pieces.ts';
import type { Scope } from './sequence.ts';

/** An object of a release, other than the manifest. */
export type PublishedObject = { readonly key: string } & (
  | { readonly kind: 'media'; readonly name: string }
  | { readonly kind: 'detail'; readonly id: string }
  | { readonly kind: 'page'; readonly scope: Scope; readonly size: number; readonly number: number }
  | { readonly kind: 'total'; readonly scope: Scope }
  | { readonly kind: DocumentKind }
);

export type DocumentKind = Exclude<ReleaseKind, 'media' | 'detail' | 'page' | 'total'>;

export type Release = {
  /** Name in its manifest (`name.ts`). */
  readonly name: string;
  readonly bytes: Buffer;
  readonly manifest: Manifest;
  readonly sequence: SequenceView;
  /** Index in the sequence, by id. */
  readonly places: PlacesView;
  readonly pieces: readonly SequencePiece[] | undefined;
  readonly scopes: ReadonlyMap<string, Scope>;
  readonly sizes: readonly number[];
  /** Whether pages and details are files. */
  readonly hasPages: boolean;
  readonly media: ReadonlySet<string>;
};

/**
 * Tells whether the live manifest is that of this release. Another commit with the same release has another manifest.
 */
export function isManifestOf(live: Release | undefined, release: Release): boolean {
  return live?.bytes.equals(release.bytes) ?? false;
}

/** Returns the headers to store with an object. */
export function headersOf(release: Release, key: string): StoredHeaders {
  const { cache_control, api_keys } = release.manifest.api;
  return storedHeaders(key, cache_control, api_keys === true);
}

/** Yields the objects of one kind, without holding them in memory. */
export function* objectsOf(release: Release, kind: ReleaseKind): Generator<PublishedObject> {
  if (kind === 'media') for (const name of release.media) yield { kind, key: mediaKey(name), name };
  else if (kind === 'detail')
    for (const id of release.hasPages ? idsOf(release) : []) yield { kind, key: propertyKey(id), id };
  else if (kind === 'total') {
    for (const [folder, scope] of pageScopes(release)) yield { kind, key: totalKey(folder), scope };
  } else if (kind === 'page') {
    for (const [folder, scope] of pageScopes(release)) {
      for (const size of release.sizes) yield* pagesOf(folder, scope, size, 1);
    }
  } else {
    for (const key of keysByKind(release.manifest).get(kind) ?? []) yield { kind, key };
  }
}

/** Ids in their order, so that a reader of details needs each part once. */
function idsOf({ sequence }: Release): string[] {
  return Array.from(sequence, ({ id }) => id).sort();
}

const kinds = new WeakMap<Manifest, ReadonlyMap<DocumentKind, readonly string[]>>();

/** Finding them once takes 0.1 s off a rollback of a million. */
function keysByKind(manifest: Manifest): ReadonlyMap<DocumentKind, readonly string[]> {
  const known = kinds.get(manifest);
  if (known) return known;
  const found = new Map<DocumentKind, string[]>();
  for (const key of Object.keys(manifest.documents)) {
    const kind = documentKind(key);
    const keys = found.get(kind);
    if (keys) keys.push(key);
    else found.set(kind, [key]);
  }
  kinds.set(manifest, found);
  return found;
}

/** By folder: all scopes of a release, or none. */
export function pageScopes(release: Release): ReadonlyMap<string, Scope> {
  // `scopes` is a getter, computed on first access: expensive for a large release.
  return release.hasPages ? release.scopes : new Map();
}

/** Yields the pages of one size of a scope, starting at a number. */
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

export function documentKind(key: string): DocumentKind {
  return kindOf(key) as DocumentKind;
}

/**
 * Tells whether a release has downloads. A large one has no file of all properties, but a data package that names the
 * parts.
 */
export function offersDownloads({ manifest }: Release): boolean {
  return [DATA_PACKAGE_KEY, NDJSON_KEY].some((key) => Object.hasOwn(manifest.documents, key));
}

/** Keys of a release's documents that stay until it is pruned, or of all others. */
export function documentKeys({ manifest }: Pick<Release, 'manifest'>, { kept }: { kept: boolean }): string[] {
  return Object.keys(manifest.documents).filter((key) => isKept({ kind: documentKind(key) }) === kept);
}

/** Keys of a release's objects that stay until it is pruned. */
export function keptKeys(manifest: Manifest): string[] {
  return [...manifest.media.map(mediaKey), ...documentKeys({ manifest }, { kept: true })];
}

/** Looks up a property's entry; undefined when the release lacks it. */
export function entryOf({ sequence, places }: Release, id: string): Comparable | undefined {
  const place = places.get(id);
  return place === undefined ? undefined : sequence.at(place);
}

/** Returns the pieces of a release that another one lacks; undefined where the manifest includes the sequence. */
export function differingPieces(release: Release, other: Release): Release['pieces'] {
  const { pieces } = release;
  return pieces && other.pieces ? piecesWithout(pieces, other.pieces) : pieces;
}

/**
 * Returns a superset of the entries in which two releases differ: the entries of pieces that only one of them has, or
 * all entries unless both have pieces.
 */
export function differingEntries(
  before: Release,
  after: Release,
): { readonly before: Iterable<Comparable>; readonly after: Iterable<Comparable> } {
  if (!before.pieces || !after.pieces) return { before: before.sequence, after: after.sequence };
  return {
    before: viewPieces(piecesWithout(before.pieces, after.pieces)),
    after: viewPieces(piecesWithout(after.pieces, before.pieces)),
  };
}

export function goneIds(before: Release, after: Release): readonly string[] {
  return differingDetails(before, after).goneDetails;
}

/** Compares the details of two releases. */
export function differingDetails(before: Release, after: Release): ReturnType<typeof compareDetails> {
  const differing = differingEntries(before, after);
  return compareDetails(differing.before, differing.after);
}

function piecesWithout(pieces: readonly SequencePiece[], others: readonly SequencePiece[]): SequencePiece[] {
  const theirs = new Set(others.map(({ digest }) => digest));
  return pieces.filter(({ digest }) => !theirs.has(digest));
}

export function countObjects(release: Release): number {
  const { sizes, media, manifest } = release;
  const details = release.hasPages ? release.sequence.length : 0;
  const scopes = pageScopes(release);
  let count = media.size + details + Object.keys(manifest.documents).length + scopes.size;
  for (const { total } of scopes.values()) for (const size of sizes) count += pageCount(total, size);
  return count;
}

const PAGE = /^(.+)\/(?:total|([1-9][0-9]{0,2})-([1-9][0-9]{0,9})\.json)$/;

export function objectAt(release: Release, key: string): PublishedObject | undefined {
  if (key.startsWith(`${MEDIA_FOLDER}/`)) {
    const name = key.slice(MEDIA_FOLDER.length + 1);
    return release.media.has(name) ? { kind: 'media', key, name } : undefined;
  }
  if (key.startsWith(`${PROPERTIES_FOLDER}/`)) {
    const id = key.slice(PROPERTIES_FOLDER.length + 1, -'.json'.length);
    return release.hasPages && release.places.has(id) && key === propertyKey(id)
      ? { kind: 'detail', key, id }
      : undefined;
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
