/** The sequence is the order of all lists: by country, city and title. */
import { type ChunkCity, citiesOf } from '../packed/format/chunk.ts';
import { type Columns, columnsOf } from '../release/columns.ts';
import { type Entry, type EntryPlace, toSequence } from '../release/sequence.ts';
import type { FileRecord, RecordEntry } from './read/record.ts';
import type { LastRelease } from './state/last-release.ts';

export type OrderedCatalogue = {
  /** Sorted by path. */
  readonly published: readonly FileRecord[];
  readonly sequence: readonly RecordEntry[];
  readonly columns: Columns;
  /** Runs of consecutive properties in the same city. */
  readonly cities: readonly ChunkCity[];
  /** Entries of the last release; empty without one. */
  readonly before: readonly RecordEntry[];
  /** Whether each property has the same position as in the last release. */
  readonly inPlace: boolean;
};

/** Sets the `place` of each entry. */
export function orderCatalogue(
  published: readonly FileRecord[],
  last: LastRelease | undefined,
): OrderedCatalogue {
  const fresh: RecordEntry[] = [];
  for (const [place, { entry }] of published.entries()) {
    entry!.place = place;
    if (entry!.staged || !last) fresh.push(entry!);
  }
  const before = last?.entries ?? [];
  const kept = before.filter(({ place }) => place !== undefined);
  const sequence = toSequence(fresh, kept);
  return {
    published,
    sequence,
    columns: columnsOf(sequence),
    cities: citiesOf(placesOf(sequence, last), 0, sequence.length),
    before,
    inPlace: before.length === sequence.length && sequence.every((entry, n) => isAlike(entry, before[n]!)),
  };
}

/**
 * Country and city of each entry. For a stored entry they come from the last release, since its own would have to be
 * decoded from its texts.
 */
function placesOf(sequence: readonly RecordEntry[], last: LastRelease | undefined): readonly EntryPlace[] {
  if (!last) return sequence;
  let [place, run, end] = [0, -1, 0];
  return sequence.map((entry) => {
    if (entry.staged) return entry;
    place = last.entries.indexOf(entry, place);
    while (place >= end) end += last.cities[++run]!.count;
    return last.cities[run]!;
  });
}

function isAlike(one: Entry, other: Entry): boolean {
  return one === other || (one.id === other.id && one.country === other.country && one.city === other.city);
}
