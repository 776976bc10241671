/** What the last build published, from its state. */
import type { Scope } from '../../release/sequence.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { FileRecord } from '../read/files.ts';
import type { WrittenPart } from '../write/bulk-chunks.ts';
import type { RememberedEdge } from '../write/targets.ts';
import type { State, StoredPiece } from './file.ts';
import type { LeftStamps } from './stamps.ts';

/** What a state remembers besides its stamps and records. */
export type Remembered = {
  /** Digests of the documents, by key. */
  readonly documents: Readonly<Record<string, string>>;
  /** The downloads. */
  readonly parts?: readonly WrittenPart[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Indices of the records that are published, in the order of the sequence. */
  readonly sequence: readonly number[];
  readonly scopes: readonly Scope[];
  readonly media: readonly string[];
  /** Digests of the bytes of each. */
  readonly mediaDigests: readonly string[];
  /** Digest of the JSON Schema. */
  readonly schema: string;
  readonly edge: RememberedEdge;
  /** Files that the lists would take in the packed layout, if that was advised. */
  readonly advised?: number | undefined;
};

/** What the last build published. */
export type LastRelease = Remembered & {
  readonly stamps: LeftStamps;
  /** Records in the order of the sequence. */
  readonly published: readonly FileRecord[];
  /** All records, in the order of their paths. */
  readonly records: readonly FileRecord[];
  /** The same in the pieces that they were read from. */
  readonly pieces: readonly StoredPiece[];
};

/** Reads what the last build published; undefined when there is nothing that can be relied upon. */
export function readLastRelease(state: State<Remembered> | undefined): LastRelease | undefined {
  const [stamps, rest, pieces] = [state?.stamps(), state?.rest(), state?.records()];
  if (!stamps || !rest || !pieces) return undefined;
  const records = pieces.flatMap((piece) => piece.records);
  return {
    ...rest,
    records,
    pieces,
    stamps,
    published: rest.sequence.map((index) => records[index]!),
  };
}
