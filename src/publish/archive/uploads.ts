/** Aborts uploads in parts of publishers that never learned that they had begun. */
import { DOWNLOAD_KEYS } from '../../contract/document-keys.ts';
import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  MANIFEST_KEY,
  MEDIA_FOLDER,
  PARTS_FOLDER,
  ROOTS_FOLDER,
  SEQUENCE_FOLDER,
} from '../../contract/keys.ts';
import { isDerivedKey } from '../../release/release.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { isPieceKey, RELEASES_FOLDER } from '../../storage/reserved-keys.ts';

const DAY = 24 * 60 * 60 * 1000;

const NAMED_BY_DIGEST = new RegExp(
  `^(?:${[MEDIA_FOLDER, CHUNKS_FOLDER, CITIES_FOLDER, SEQUENCE_FOLDER, ROOTS_FOLDER, PARTS_FOLDER].join('|')})/[0-9a-f]{32}(?:\\.[a-z]+){1,2}$`,
);
const ARCHIVE = new RegExp(`^${RELEASES_FOLDER}/[0-9a-f]{12,64}/(?:manifest\\.json|objects\\.ndjson\\.gz)$`);
const DOCUMENTS: readonly string[] = [MANIFEST_KEY, ...DOWNLOAD_KEYS];

/** Tells whether only a publisher of a catalogue writes to a key. */
function isOurs(key: string): boolean {
  const isNamed = NAMED_BY_DIGEST.test(key) || ARCHIVE.test(key) || DOCUMENTS.includes(key);
  return isNamed || isDerivedKey(key) || isPieceKey(key);
}

/** Aborts our uploads that are older than a day. @param now by the store's clock, in milliseconds since 1970. */
export async function discardOldUploads(bucket: Bucket, now: number): Promise<void> {
  await bucket.discardParts?.((key, begun) => isOurs(key) && now - begun.getTime() > DAY);
}
