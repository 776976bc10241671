/** Keys that belong to no release: those that publishing itself uses, and those of the history. */
import { CHANGES_FEED_KEY, CHANGES_FOLDER, CHANGES_INDEX_KEY } from '../contract/document-keys.ts';
import type { StoredHeaders } from '../contract/headers.ts';
import { LOCK_KEY, RELEASES_FOLDER } from '../contract/keys.ts';

export { LOCK_KEY, RELEASES_FOLDER };

/** What the bucket remembers: when releases were live, and what is removed later (`timeline.ts`). */
export const TIMELINE_KEY = `${RELEASES_FOLDER}/timeline.json`;

/** Key of the manifest of a release. */
export function releaseManifestKey(name: string): string {
  return `${RELEASES_FOLDER}/${name}/manifest.json`;
}

/** Key of what a release is restored from. */
export function releaseObjectsKey(name: string): string {
  return `${RELEASES_FOLDER}/${name}/objects.ndjson.gz`;
}

/** Folder of what releases share of it. */
export const PIECES_FOLDER = `${RELEASES_FOLDER}/pieces`;

/** Key of a piece: some properties, by the digest of their ids and digests. */
export function pieceKey(digest: string): string {
  return `${PIECES_FOLDER}/${digest}.ndjson.gz`;
}

/** Key of a large document of a release. */
export function archivedDocumentKey(digest: string): string {
  return `${PIECES_FOLDER}/${digest}`;
}

const PIECE = new RegExp(`^${PIECES_FOLDER}/[0-9a-f]{32}(?:\\.ndjson\\.gz)?$`);

/** Whether a key is that of a piece, or of a large document. */
export function isPieceKey(key: string): boolean {
  return PIECE.test(key);
}

/** Whether a key is one of those that publishing itself uses. */
export function isControlKey(key: string): boolean {
  return key === LOCK_KEY || key.startsWith(`${RELEASES_FOLDER}/`);
}

const MONTH = new RegExp(`^${CHANGES_FOLDER}/\\d{4}-\\d\\d\\.ndjson$`);

/** Whether a key is one of the history, which consumers read (`src/history/files.ts`). */
export function isHistoryKey(key: string): boolean {
  return key === CHANGES_INDEX_KEY || key === CHANGES_FEED_KEY || MONTH.test(key);
}

/** Headers of control objects in JSON: never to be cached, since they decide who may write. */
export const CONTROL_HEADERS: StoredHeaders = { contentType: 'application/json', cacheControl: 'no-store' };
/** Headers of what a release is restored from. */
export const ARCHIVE_HEADERS: StoredHeaders = { contentType: 'application/gzip', cacheControl: 'no-store' };
