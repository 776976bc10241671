/** Keys of publishing itself, which belong to no release. */
import type { StoredHeaders } from '../contract/headers.ts';
import { RELEASES_FOLDER } from '../contract/object-keys.ts';

export { RELEASES_FOLDER };

/**
 * Lists the details of properties that no list names any more, and when each may be removed (`publish/timeline.ts`).
 */
export const RETIRED_DETAILS_INDEX_KEY = `${RELEASES_FOLDER}/retired-details.json`;

export function releaseManifestKey(name: string): string {
  return `${RELEASES_FOLDER}/${name}/manifest.json`;
}

export function releaseObjectsKey(name: string): string {
  return `${RELEASES_FOLDER}/${name}/objects.ndjson.gz`;
}

export const ARCHIVED_FOLDER = `${RELEASES_FOLDER}/documents`;

export function archivedDocumentKey(digest: string): string {
  return `${ARCHIVED_FOLDER}/${digest}`;
}

const ARCHIVED = new RegExp(`^${ARCHIVED_FOLDER}/[0-9a-f]{32}$`);

export function isArchivedKey(key: string): boolean {
  return ARCHIVED.test(key);
}

/** Never cached, since control objects decide who may write. */
export const CONTROL_HEADERS: StoredHeaders = { contentType: 'application/json', cacheControl: 'no-store' };
export const ARCHIVE_HEADERS: StoredHeaders = { contentType: 'application/gzip', cacheControl: 'no-store' };
