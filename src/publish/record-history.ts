/**
 * The history of a catalogue in a bucket: what each release changed, below `changes/`. It belongs to no release, grows
 * with each, and is never listed, pruned or removed with one.
 */

import { CHANGES_FEED_KEY, CHANGES_INDEX_KEY, changesKey } from '../contract/document-keys.ts';
import type { ChangesIndex } from '../contract/downloads.ts';
import { EnvironmentError } from '../errors.ts';
import { type Recorded, recordRelease } from '../history/record.ts';
import { headersOf, offersDownloads, type Release } from '../release/release.ts';
import { type Bucket, ConditionFailed, type StoredObject, stillOf } from '../storage/bucket.ts';
import { archivedRelease } from './archive/archive.ts';
import type { PublishListener } from './progress.ts';
import type { Source } from './source.ts';

/** Keys of the history that a publish touches. */
export type HistoryKeys = {
  /** What records the release, whether it had to be written or was there. */
  readonly written: readonly string[];
  /** What is to be removed when the release is live: months without a record, and what is not offered any more. */
  readonly removed: readonly string[];
};

type Work = {
  readonly bucket: Bucket;
  readonly source: Source;
  /** The release that is live. */
  readonly live: Release | undefined;
  /** Whether the lease keeps others out. */
  readonly isExclusive: boolean;
  readonly listener: PublishListener;
};

/**
 * Records what the release changes, unless that is recorded already. Says so when it cannot.
 *
 * @throws EnvironmentError `changes-changed` when something else writes the same files.
 */
export async function writeHistory(work: Work): Promise<HistoryKeys> {
  const { bucket, source, isExclusive, listener } = work;
  const { release } = source;
  if (!offersDownloads(release)) {
    const text = 'The catalogue offers no downloads: its changes are not recorded.';
    listener({ kind: 'note', text });
    return { written: [], removed: await historyKeys(bucket) };
  }
  if (release.manifest.build.time === null) {
    const text =
      'The release has no time, since its content is in no git repository: its changes are not recorded.';
    listener({ kind: 'note', text });
    return { written: [], removed: [] };
  }
  const present = new Map<string, StoredObject | undefined>();
  const read = async (key: string) => {
    if (!present.has(key)) present.set(key, await bucket.read(key));
    return present.get(key);
  };
  const { files } = await record(work, async (key) => (await read(key))?.body.toString('utf8'));
  for (const [key, text] of files) {
    if (text === '') continue;
    const body = Buffer.from(text);
    const object = await read(key);
    if (object?.body.equals(body)) continue;
    try {
      const condition = isExclusive ? stillOf(object?.tag) : undefined;
      await bucket.write(key, body, headersOf(release, key), condition);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      throw new EnvironmentError(
        'changes-changed',
        `Something else wrote ${key} of ${bucket.name} while this publish ran. Run the command again: it goes on from what arrived.`,
      );
    }
    listener({ kind: 'write', key, isNew: object === undefined, size: body.length });
  }
  const [written, removed] = [true, false].map((isKept) =>
    [...files].filter(([, text]) => (text !== '') === isKept).map(([key]) => key),
  );
  return { written: written!, removed: removed! };
}

/** Compares with the live release as it was kept: details in the bucket may be those of the new one already. */
async function record(
  { bucket, source, live, listener }: Work,
  published: (key: string) => Promise<string | undefined>,
): Promise<Recorded> {
  const before = live && archivedRelease(bucket, live);
  try {
    return await recordRelease(before, source, published);
  } catch (error) {
    if (!(error instanceof EnvironmentError) || error.code !== 'release-damaged') throw error;
    const text = `What ${bucket.name} keeps of the live release is missing or damaged: the history of changes starts again.`;
    listener({ kind: 'note', text });
    return recordRelease(undefined, source, published);
  }
}

/** Every key of the history that the bucket has, as far as its index names them. */
async function historyKeys(bucket: Bucket): Promise<string[]> {
  const index = await bucket.read(CHANGES_INDEX_KEY);
  if (!index) return [];
  let months: string[] = [];
  try {
    const { months: named } = JSON.parse(index.body.toString('utf8')) as ChangesIndex;
    months = named.map(({ month }) => month).filter((month) => /^\d{4}-\d\d$/.test(month));
  } catch {
    // The rest goes all the same.
  }
  return [CHANGES_INDEX_KEY, CHANGES_FEED_KEY, ...months.map(changesKey)];
}
