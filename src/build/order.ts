/** What is published, in the order of the sequence. */
import { type Entry, type JoinedSummaries, joinSummaries, toSequence } from '../release/sequence.ts';
import type { FileRecord } from './read/files.ts';
import type { LastRelease } from './state/last-release.ts';
import { isStored } from './state/records.ts';

/** What is published, in order. */
export type OrderedCatalogue = {
  /** In the order of their paths. */
  readonly published: readonly FileRecord[];
  readonly sequence: readonly Entry[];
  readonly summaries: JoinedSummaries;
  /** The entries of the last release; none when there is nothing to go by. */
  readonly before: readonly Entry[];
  /** The records that were read, by their entries: the details of all others are published. */
  readonly fresh: ReadonlyMap<Entry, FileRecord>;
  /** Whether the same properties stand in the same places as in the last release. */
  readonly inPlace: boolean;
};

/** Puts records in order. */
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
  // What the last build put in order is a run that the sort finds, and goes through once.
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
