import { type Scope, scopesOfCities } from '../../release/sequence.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { CityRun } from '../../tree/format/chunk.ts';
import type { RootFields } from '../../tree/format/root.ts';
import type { FileRecord, RecordEntry } from '../read/file-record.ts';
import type { StoredStamps } from './content-stamps.ts';
import type { BuildState, StoredPiece } from './state-file.ts';
import type { FileDigestsByGroup, StoredEdge, WrittenBulkFiles } from './written-files.ts';

/** Content of the state's file `rest`. */
export type StoredRelease = WrittenBulkFiles & {
  readonly groups: FileDigestsByGroup;
  readonly chunks: RootFields['chunks'];
  readonly facets: RootFields['facets'];
  /** For each position in the sequence, the index of its record among the published records, sorted by path. */
  readonly publishedIndexes: Uint32Array;
  /** Indexes in the sequence, sorted by id. */
  readonly order: Uint32Array;
  readonly cities: readonly CityRun[];
  readonly edge: StoredEdge;
};

export type LastRelease = StoredRelease & {
  readonly stamps: StoredStamps;
  /** Findings that do not belong to a record. */
  readonly otherFindings: readonly Diagnostic[];
  readonly scopes: readonly Scope[];
  /** In sequence order. */
  readonly entries: readonly RecordEntry[];
  /** Sorted by path. */
  readonly records: readonly FileRecord[];
  readonly pieces: readonly StoredPiece[];
};

export function readLastRelease(state: BuildState<StoredRelease> | undefined): LastRelease | undefined {
  const [stamps, rest, pieces] = [state?.stamps(), state?.rest(), state?.records()];
  const otherFindings = state?.findings()?.otherFindings;
  if (!stamps || !rest || !pieces || !otherFindings) return undefined;
  const records = pieces.flatMap((piece) => piece.records);
  const isWhole = rest.publishedIndexes.length === records.length;
  const published = isWhole ? records : records.filter(({ entry }) => entry);
  const entries = new Array<RecordEntry>(rest.publishedIndexes.length);
  for (let index = 0; index < entries.length; index++)
    entries[index] = published[rest.publishedIndexes[index]!]!.entry!;
  return { ...rest, otherFindings, records, pieces, stamps, entries, scopes: scopesOfCities(rest.cities) };
}
