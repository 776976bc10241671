/** Reads the last release from the state of its build. */
import { type Scope, scopesOf } from '../../release/sequence.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { FileRecord } from '../read/files.ts';
import type { WrittenPart } from '../write/downloads.ts';
import type { Groups } from '../write/group.ts';
import type { StoredEdge } from '../write/targets.ts';
import type { State, StoredPiece } from './file.ts';
import type { LeftStamps } from './stamps.ts';

/** Content of the state's "rest" file. */
export type StoredRelease = {
  readonly groups: Groups;
  readonly parts?: readonly WrittenPart[] | undefined;
  /** Digest of what each chunk depends on, and of the chunk; undefined without the packed layout. */
  readonly chunks?: readonly (readonly [cause: string, digest: string])[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Indexes of the published records, in the order of the sequence. */
  readonly sequence: readonly number[];
  readonly edge: StoredEdge;
  /** Number of files in the packed layout, if that was advised. */
  readonly advised?: number | undefined;
};

/** The last build's release. */
export type LastRelease = StoredRelease & {
  readonly stamps: LeftStamps;
  readonly scopes: readonly Scope[];
  /** Records in the order of the sequence. */
  readonly published: readonly FileRecord[];
  /** All records, sorted by path. */
  readonly records: readonly FileRecord[];
  /** All records in their stored pieces. */
  readonly pieces: readonly StoredPiece[];
};

/** Reads the last release; undefined when no usable state exists. */
export function readLastRelease(state: State<StoredRelease> | undefined): LastRelease | undefined {
  const [stamps, rest, pieces] = [state?.stamps(), state?.rest(), state?.records()];
  if (!stamps || !rest || !pieces) return undefined;
  const records = pieces.flatMap((piece) => piece.records);
  const published = rest.sequence.map((index) => records[index]!);
  const scopes = scopesOf(published.map(({ entry }) => entry!));
  return { ...rest, records, pieces, stamps, published, scopes };
}
