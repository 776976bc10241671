/** Sorts properties by country, city and title: the order of every list. */

import { type EntryPlace, type SequenceEntry, toSequence } from '../release/sequence.ts';
import { type SequenceColumns, sequenceColumns } from '../release/sequence-columns.ts';
import { type CityRun, cityRunsOf } from '../tree/format/chunk.ts';
import type { FileRecord, RecordEntry } from './read/file-record.ts';
import type { LastRelease } from './state/last-release.ts';

export type OrderedCatalogue = {
  /** Sorted by path. */
  readonly published: readonly FileRecord[];
  readonly sequence: readonly RecordEntry[];
  readonly columns: SequenceColumns;
  readonly cities: readonly CityRun[];
  readonly before: readonly RecordEntry[];
  /** Whether each property has the same position as in the last release. */
  readonly inPlace: boolean;
};

/** Also sets `publishedIndex` of the published entries. */
export function orderCatalogue(
  published: readonly FileRecord[],
  last: LastRelease | undefined,
): OrderedCatalogue {
  const fresh: RecordEntry[] = [];
  // Each entry stores its own index, since a map of a million would take too much memory.
  for (let index = 0; index < published.length; index++) {
    const entry = published[index]!.entry!;
    entry.publishedIndex = index;
    if (entry.spooled || !last) fresh.push(entry);
  }
  const before = last?.entries ?? [];
  const sequence = toSequence(fresh, before.filter(isInUse));
  return {
    published,
    sequence,
    columns: sequenceColumns(sequence),
    cities: cityRunsOf(withCities(sequence, last), 0, sequence.length),
    before,
    inPlace: before.length === sequence.length && sequence.every((entry, n) => isAlike(entry, before[n]!)),
  };
}

/**
 * False for an entry of the last release that belongs to no published record of this build, for example because its
 * file was changed or removed.
 */
function isInUse({ publishedIndex }: RecordEntry): boolean {
  return publishedIndex !== undefined;
}

/**
 * Takes the cities of stored entries from the last release, since reading a city from an entry would load its texts.
 * Stored entries have the same order in `sequence` and `last.entries`, so one pass over both lists is enough.
 */
function withCities(sequence: readonly RecordEntry[], last: LastRelease | undefined): readonly EntryPlace[] {
  if (!last) return sequence;
  let [lastIndex, run, end] = [0, -1, 0];
  return sequence.map((entry) => {
    if (entry.spooled) return entry;
    lastIndex = last.entries.indexOf(entry, lastIndex);
    while (lastIndex >= end) end += last.cities[++run]!.count;
    return last.cities[run]!;
  });
}

function isAlike(one: SequenceEntry, other: SequenceEntry): boolean {
  return one === other || (one.id === other.id && one.country === other.country && one.city === other.city);
}
