/** Keys that belong to no release: those of publishing itself, and of the change history. */
import { CHANGES_FEED_KEY, CHANGES_FOLDER, CHANGES_INDEX_KEY } from '../contract/document-keys.ts';
import type { StoredHeaders } from '../contract/headers.ts';
import {
  KEPT_RELEASES_KEY,
  LOCK_KEY,
  PREVIEWS_FOLDER,
  RELEASES_FOLDER,
  STATEMENTS_FOLDER,
} from '../contract/keys.ts';

export { LOCK_KEY, RELEASES_FOLDER };

/** Key of the retired details of the timeline, which are removed later (`timeline.ts`); of all of it before 0.3. */
export const TIMELINE_KEY = `${RELEASES_FOLDER}/timeline.json`;

export function releaseManifestKey(name: string): string {
  return `${RELEASES_FOLDER}/${name}/manifest.json`;
}

export function releaseObjectsKey(name: string): string {
  return `${RELEASES_FOLDER}/${name}/objects.ndjson.gz`;
}

export const PIECES_FOLDER = `${RELEASES_FOLDER}/pieces`;

/** Key of an archived piece: a range of properties, named by the digest of their ids and digests. */
export function pieceKey(digest: string): string {
  return `${PIECES_FOLDER}/${digest}.ndjson.gz`;
}

export function archivedDocumentKey(digest: string): string {
  return `${PIECES_FOLDER}/${digest}`;
}

const PIECE = new RegExp(`^${PIECES_FOLDER}/[0-9a-f]{32}(?:\\.ndjson\\.gz)?$`);

export function isPieceKey(key: string): boolean {
  return PIECE.test(key);
}

/**
 * Tells whether a key is used by publishing itself, or belongs to a preview; readers see statements and the list of kept
 * releases too.
 */
export function isControlKey(key: string): boolean {
  return (
    key === LOCK_KEY ||
    key === KEPT_RELEASES_KEY ||
    [RELEASES_FOLDER, STATEMENTS_FOLDER, PREVIEWS_FOLDER].some((folder) => key.startsWith(`${folder}/`))
  );
}

const MONTH = new RegExp(`^${CHANGES_FOLDER}/\\d{4}-\\d\\d\\.ndjson$`);

/** Tells whether a key belongs to the change history, which consumers read (`src/history/files.ts`). */
export function isHistoryKey(key: string): boolean {
  return key === CHANGES_INDEX_KEY || key === CHANGES_FEED_KEY || MONTH.test(key);
}

/** Headers of control objects in JSON; never cached, since they decide who may write. */
export const CONTROL_HEADERS: StoredHeaders = { contentType: 'application/json', cacheControl: 'no-store' };
export const ARCHIVE_HEADERS: StoredHeaders = { contentType: 'application/gzip', cacheControl: 'no-store' };
