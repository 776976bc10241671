/**
 * The change history (`changes/` in the bucket) belongs to no release: each publish adds to it, and no prune removes
 * it.
 */

import { constants } from 'node:buffer';
import { CHANGES_FOLDER, CHANGES_INDEX_KEY } from '../contract/document-keys.ts';
import { isHistoryKey } from '../contract/object-kinds.ts';
import { EnvironmentError } from '../errors/errors.ts';
import { type RecordedChanges, recordRelease } from '../history/record-release.ts';
import { offersDownloads, type Release, storedHeadersOf } from '../release/release.ts';
import type { Bucket, StoredObject } from '../storage/bucket.ts';
import type { PublishListener } from './progress.ts';
import type { ReleaseSource } from './release-source.ts';

type HistoryKeys = {
  readonly written: readonly string[];
  /**
   * Keys to remove once the release is live: months without records, files that are no longer offered, and files that
   * an interrupted publish left.
   */
  readonly removed: readonly string[];
};

type Work = {
  readonly bucket: Bucket;
  readonly source: ReleaseSource;
  readonly live: Release | undefined;
  /** Whether an interrupted publish may have left files that the index does not name. */
  readonly mayHaveLeftovers: boolean;
  readonly listener: PublishListener;
};

/**
 * Writes only files that differ. If the release offers no downloads or has no time, records nothing and sends a note to
 * the listener.
 */
export async function writeHistory(work: Work): Promise<HistoryKeys> {
  const { bucket, source, mayHaveLeftovers, listener } = work;
  const { release } = source;
  if (!offersDownloads(release)) {
    const text = 'The catalogue offers no downloads: its changes are not recorded.';
    listener({ kind: 'note', text });
    return { written: [], removed: await unnamedKeys(bucket, undefined) };
  }
  if (release.build.time === null) {
    const text =
      'The release has no time, since its content is in no commit of git: its changes are not recorded.';
    listener({ kind: 'note', text });
    const index = mayHaveLeftovers
      ? (await bucket.read(CHANGES_INDEX_KEY))?.body.toString('utf8')
      : undefined;
    return { written: [], removed: index ? await unnamedKeys(bucket, index) : [] };
  }
  const present = new Map<string, StoredObject | undefined>();
  const read = async (key: string) => {
    if (!present.has(key)) present.set(key, await bucket.read(key));
    return present.get(key);
  };
  const { files } = await record(work, async (key) => {
    const body = (await read(key))?.body;
    // A file that is too large for a string counts as missing.
    return body && body.length <= constants.MAX_STRING_LENGTH ? body.toString('utf8') : undefined;
  });
  const written = [...files].filter(([, text]) => text !== '');
  for (const [key, text] of written) {
    const body = Buffer.from(text);
    const object = await read(key);
    if (object?.body.equals(body)) continue;
    await bucket.write(key, body, storedHeadersOf(release, key));
    listener({ kind: 'write', key, isNew: object === undefined, size: body.length });
  }
  const left = mayHaveLeftovers ? await unnamedKeys(bucket, files.get(CHANGES_INDEX_KEY)) : [];
  const removed = [...files.keys()].filter((key) => files.get(key) === '');
  return { written: written.map(([key]) => key), removed: [...new Set([...removed, ...left])] };
}

/**
 * Compares the trees of the live and the new release, not the detail files in the bucket, which may already belong to
 * the new release.
 */
async function record(
  { bucket, source, live, listener }: Work,
  published: (key: string) => Promise<string | undefined>,
): Promise<RecordedChanges> {
  const before = live && { release: live };
  try {
    return await recordRelease(before, source, published);
  } catch (error) {
    if (!(error instanceof EnvironmentError) || error.code !== 'release-damaged') throw error;
    const text = `What ${bucket.name} keeps of the live release is missing or damaged: the history of changes starts again.`;
    listener({ kind: 'note', text });
    return recordRelease(undefined, source, published);
  }
}

async function unnamedKeys(bucket: Bucket, index: string | undefined): Promise<string[]> {
  const name = (key: string) => key.slice(CHANGES_FOLDER.length + 1);
  const isNamed = (key: string) =>
    index !== undefined && (!key.endsWith('.ndjson') || index.includes(`"${name(key)}"`));
  const keys: string[] = [];
  for await (const { key } of bucket.list(`${CHANGES_FOLDER}/`))
    if (isHistoryKey(key) && !isNamed(key)) keys.push(key);
  return keys;
}
