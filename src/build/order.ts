/** Sorts the published properties into the sequence. */
import { type Entry, type JoinedSummaries, joinSummaries, toSequence } from '../release/sequence.ts';
import type { FileRecord } from './read/files.ts';
import type { LastRelease } from './state/last-release.ts';
import { isStored } from './state/records.ts';

/** The published properties, in the orders that later stages need. */
export type OrderedCatalogue = {
  /** Sorted by path. */
  readonly published: readonly FileRecord[];
  readonly sequence: readonly Entry[];
  readonly summaries: JoinedSummaries;
  /** Entries of the last release; empty without one. */
  readonly before: readonly Entry[];
  /** Records read in this build, by entry; all other properties have published details. */
  readonly fresh: ReadonlyMap<Entry, FileRecord>;
  /** Whether the same properties stand at the same positions as in the last release. */
  readonly inPlace: boolean;
};

/** Sorts the published records into the sequence. */
export function orderCatalogue(
  published: readonly FileRecord[],
  last: LastRelease | undefined,
): OrderedCatalogue {
  const fresh = new Map<Entry, FileRecord>();
  const kept = new Set<Entry>();
  for (const record of published) {
    if (isStored(record)) kept.add(record.entry!);
    else fresh.set(record.entry!, record);
  }
  const before = last?.published.map((record) => record.entry!) ?? [];
  // The last build's entries form a sorted run, which the sort detects and passes once.
  const sequence = toSequence([...before.filter((entry) => kept.has(entry)), ...fresh.keys()]);
  return {
    published,
    sequence,
    summaries: joinSummaries(sequence.map(({ summary }) => summary)),
    before,
    fresh,
    inPlace: before.length === sequence.length && sequence.every((entry, n) => isAlike(entry, before[n]!)),
  };
}

function isAlike(one: Entry, other: Entry): boolean {
  return one === other || (one.id === other.id && one.country === other.country && one.city === other.city);
}
