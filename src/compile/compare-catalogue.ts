import { compareLists, differingRange, type ScopeChanges } from '../release/compare-lists.ts';
import type { Scope } from '../release/sequence.ts';
import type { RecordEntry } from './read/file-record.ts';

export type CatalogueComparison = ScopeChanges & {
  /** Finds the ids of properties whose detail file must be written or removed. Call it only in the pages layout. */
  readonly details: () => { readonly written: ReadonlySet<string>; readonly gone: Iterable<string> };
};

type Sequences = { readonly before: readonly RecordEntry[]; readonly sequence: readonly RecordEntry[] };

/** @param scopes the lists to compare; if empty, no list counts as changed */
export function compareCatalogue(
  { before, sequence }: Sequences,
  oldScopes: readonly Scope[],
  scopes: readonly Scope[],
): CatalogueComparison {
  const hasSameSummary = (one: RecordEntry, other: RecordEntry) =>
    one === other || one.summaryDigest === other.summaryDigest;
  return {
    ...compareLists(before, sequence, hasSameSummary, oldScopes, scopes),
    details() {
      const isSame = (one: RecordEntry, other: RecordEntry) =>
        hasSameSummary(one, other) && one.detailDigest === other.detailDigest;
      const { start, oldEnd, end } = differingRange(before, sequence, isSame);
      const old = new Map(before.slice(start, oldEnd).map(({ id, detailDigest }) => [id, detailDigest]));
      const written = new Set<string>();
      for (const { id, detailDigest } of sequence.slice(start, end)) {
        if (old.get(id) !== detailDigest) written.add(id);
        old.delete(id);
      }
      return { written, gone: old.keys() };
    },
  };
}
