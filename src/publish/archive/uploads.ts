/** Aborts uploads in parts of publishers that never learned that they had begun. */
import { MANIFEST_KEY } from '../../contract/keys.ts';
import { isReleaseKey } from '../../contract/kinds.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { isPieceKey, RELEASES_FOLDER } from '../../storage/reserved-keys.ts';

const DAY = 24 * 60 * 60 * 1000;

const ARCHIVE = new RegExp(`^${RELEASES_FOLDER}/[0-9a-f]{12,64}/(?:manifest\\.json|objects\\.ndjson\\.gz)$`);

/** Tells whether only a publisher of a catalogue writes to a key. */
function isOurs(key: string): boolean {
  return key === MANIFEST_KEY || isReleaseKey(key) || ARCHIVE.test(key) || isPieceKey(key);
}

/** Aborts our uploads that are older than a day. @param now by the store's clock, in milliseconds since 1970. */
export async function discardOldUploads(bucket: Bucket, now: number): Promise<void> {
  await bucket.discardParts?.((key, begun) => isOurs(key) && now - begun.getTime() > DAY);
}
