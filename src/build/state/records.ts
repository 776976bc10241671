/** Records as a build leaves them for the next one: plain data in pieces. */
import { divide, type PartSizes } from '../../packed/format/divide.ts';
import { textHashes } from '../../packed/format/text-hash.ts';
import type { CheckedAcrossFiles, FileRecord } from '../read/files.ts';

/** Records of a piece: so few that a million properties need not be in memory twice. */
const PIECES: PartSizes = { every: 1024, most: 4096 };

/** Whether a record is one that a build left: the details of all others that have an entry wait to be published. */
export function isStored({ entry, staged }: FileRecord): boolean {
  return entry !== undefined && staged === undefined;
}

/** A piece of records. */
export type RecordPiece = {
  readonly records: readonly FileRecord[];
  /** Its bytes; made when they are asked for. */
  readonly bytes: () => Buffer;
};

/**
 * Records in pieces.
 *
 * @param published those whose entries stay; the others are read again by the next build, since their detail is nowhere.
 */
export function* recordPieces(
  records: readonly FileRecord[],
  published: ReadonlySet<FileRecord>,
): Generator<RecordPiece> {
  const hashes = textHashes(records.length, (place) => records[place]!.path);
  const ends = divide(hashes, PIECES);
  for (const [index, end] of ends.entries()) {
    const piece = records.slice(ends[index - 1] ?? 0, end);
    yield { records: piece, bytes: () => bytesOf(piece, published) };
  }
}

function bytesOf(records: readonly FileRecord[], published: ReadonlySet<FileRecord>): Buffer {
  const stored = records.map((record) => {
    const { path, digest, diagnostics, visibility, media } = record;
    const entry = published.has(record) ? record.entry : undefined;
    const placed = entry ? undefined : placeOf(record);
    return { path, digest, entry, diagnostics, visibility, placed, media };
  });
  return Buffer.from(JSON.stringify(stored));
}

/** Whether records are those that a piece was made of, and all of them are still published. */
export function isSamePiece(
  before: readonly FileRecord[] | undefined,
  { records }: RecordPiece,
  published: ReadonlySet<FileRecord>,
): boolean {
  return (
    before?.length === records.length &&
    records.every((record, index) => record === before[index] && published.has(record))
  );
}

/** The records of one piece. */
export function recordsOf(bytes: Buffer): FileRecord[] {
  return JSON.parse(bytes.toString('utf8')) as FileRecord[];
}

/** Where the property of a record belongs that is not published, as plain data. */
function placeOf({ entry, placed }: FileRecord): CheckedAcrossFiles | undefined {
  const place = entry ?? placed;
  return place && { id: place.id, country: place.country, city: place.city };
}
