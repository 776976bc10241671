/** Tells, without a build, whether a host takes a catalogue. */
import type { Configuration } from '../contract/configuration.ts';
import { UsageError } from '../errors.ts';
import { type Entry, joinSummaries, toSequence } from '../release/sequence.ts';
import { planRelease } from './plan.ts';
import type { CheckedAcrossFiles, FileRecord } from './read/files.ts';
import type { Places } from './write/documents.ts';

/**
 * Plans the release of checked properties: its files are counted, and its bytes as far as they are known without making
 * details and photos.
 */
export function unfitness(
  configuration: Configuration,
  records: readonly FileRecord[],
  places: Places,
): UsageError | undefined {
  const published = records.flatMap((record) =>
    record.placed ? [{ ...record, entry: entryOf(record.placed) }] : [],
  );
  const sequence = toSequence(published.map(({ entry }) => entry));
  const summaries = joinSummaries(sequence.map(() => ''));
  const catalogue = { published, sequence, summaries, before: [], fresh: new Map(), inPlace: false };
  try {
    planRelease(configuration, catalogue, places, undefined);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** Makes an entry without content, at the place of its city. */
function entryOf({ id = '', country = '', city = '' }: CheckedAcrossFiles): Entry {
  return {
    id,
    country,
    city,
    sortKey: `${country}\0${city}`,
    ...{ summary: '', summaryDigest: '', detailDigest: '', detailBytes: 0, latitude: 0, longitude: 0 },
  };
}
