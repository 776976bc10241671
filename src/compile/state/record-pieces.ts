/** Divides records (one per source file) into the pieces that the state stores for the next build. */
import { divideByHash, type PartSizes } from '../../tree/format/divide.ts';
import { textHashes } from '../../tree/format/text-hash.ts';
import { crossFileValuesOf, type FileRecord, recordWith } from '../read/file-record.ts';
import { encodeStoredRows } from '../read/record-block-encoding.ts';

/** Pieces are small and are encoded one at a time. So only a few records are in memory twice: decoded and encoded. */
const PIECES: PartSizes = { averageRun: 2048, most: 384 };

/** Records that this build made have no entry, or an entry whose detail is in a temporary file (`spooled`). */
export function isFromLastBuild({ entry }: FileRecord): boolean {
  return entry !== undefined && entry.spooled === undefined;
}

export type RecordPiece = {
  readonly records: readonly FileRecord[];
  readonly bytes: () => Buffer;
};

/**
 * @param unpublished records whose details are not published. They are stored without entry, so that the next build
 * reads their files again
 * @param last the last build's pieces: the new pieces get the same lengths. Omit it if a path was added or removed
 */
export function* recordPieces(
  records: readonly FileRecord[],
  unpublished: ReadonlySet<FileRecord>,
  last?: readonly Pick<RecordPiece, 'records'>[],
): Generator<RecordPiece> {
  let start = 0;
  for (const length of last?.map((piece) => piece.records.length) ?? lengthsOf(records)) {
    const piece = records.slice(start, start + length);
    yield { records: piece, bytes: () => bytesOf(piece, unpublished) };
    start += length;
  }
}

function lengthsOf(records: readonly FileRecord[]): number[] {
  const ends = divideByHash(
    textHashes(records.length, (index) => records[index]!.path),
    PIECES,
  );
  return ends.map((end, index) => end - (ends[index - 1] ?? 0));
}

function bytesOf(records: readonly FileRecord[], unpublished: ReadonlySet<FileRecord>): Buffer {
  return encodeStoredRows(
    records.map((record) =>
      unpublished.has(record)
        ? recordWith(record, { entry: undefined, crossFileValues: crossFileValuesOf(record) })
        : record,
    ),
  );
}

export function isSamePiece(
  before: readonly FileRecord[] | undefined,
  { records }: RecordPiece,
  unpublished: ReadonlySet<FileRecord>,
): boolean {
  return (
    before?.length === records.length &&
    records.every((record, index) => record === before[index] && !unpublished.has(record))
  );
}
