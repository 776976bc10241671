/** Stores records for the next build, as lines of JSON in pieces. */
import { divide, type PartSizes } from '../../packed/format/divide.ts';
import { textHashes } from '../../packed/format/text-hash.ts';
import type { CheckedAcrossFiles, FileRecord } from '../read/files.ts';

/** Sizes of a piece: small enough that a million properties are not in memory twice. */
const PIECES: PartSizes = { every: 256, most: 1024 };

/** Whether a record is from the last build; the others with an entry have a detail still to publish. */
export function isStored({ entry, staged }: FileRecord): boolean {
  return entry !== undefined && staged === undefined;
}

export type RecordPiece = {
  readonly records: readonly FileRecord[];
  /** Serializes the piece, on demand. */
  readonly bytes: () => Buffer;
};

/**
 * Divides records into pieces.
 *
 * @param published records whose entries are stored; the next build reads the others again, since their details are not
 *   published.
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
  const lines = records.map((record) => {
    const { path, digest, diagnostics, visibility, media } = record;
    const entry = published.has(record) ? record.entry : undefined;
    const placed = entry ? undefined : placeOf(record);
    return Buffer.from(
      `${JSON.stringify({ path, digest, entry, diagnostics, visibility, placed, media })}\n`,
    );
  });
  return Buffer.concat(lines);
}

/** Tells whether a piece has exactly these records, all of them still published. */
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

/** Parses one piece, line by line: a text of a whole piece would stay in memory until a full garbage collection. */
export function recordsOf(bytes: Buffer): FileRecord[] {
  const records: FileRecord[] = [];
  for (let start = 0, end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
    const record = JSON.parse(bytes.toString('utf8', start, end)) as Writable<FileRecord>;
    // Most lists are empty. A list of its own takes 32 bytes.
    if (record.diagnostics.length === 0) record.diagnostics = NONE;
    if (record.media.length === 0) record.media = NONE;
    records.push(record);
    start = end + 1;
  }
  return records;
}

const NEW_LINE = 0x0a;
const NONE: readonly never[] = [];

type Writable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

/** Returns the id, country and city of an unpublished record, as plain data. */
function placeOf({ entry, placed }: FileRecord): CheckedAcrossFiles | undefined {
  const place = entry ?? placed;
  return place && { id: place.id, country: place.country, city: place.city };
}
