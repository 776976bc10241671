/** Records as a build leaves them for the next one: plain data in columns, as V8 writes it, which reads it quickest. */
import { deserialize, serialize } from 'node:v8';
import { divide, type PartSizes } from '../../packed/format/divide.ts';
import { textHashes } from '../../packed/format/text-hash.ts';
import type { Entry } from '../../release/sequence.ts';
import type { CheckedAcrossFiles, FileRecord } from '../read/files.ts';

/** Records of a piece: so few that a million properties need not be in memory twice. */
const PIECES: PartSizes = { every: 4096, most: 16_384 };

/** What few records have. */
type Others = Pick<FileRecord, 'diagnostics' | 'visibility' | 'placed' | 'media'>;

const NOTHING: Others = { diagnostics: [], media: [] };

/** Records, and their entries, column by column; of a record without an entry those are undefined. */
type Columns = {
  readonly path: string[];
  readonly digest: string[];
  /** By index. */
  readonly others: Map<number, Others>;
} & { readonly [Field in keyof Entry]: (Entry[Field] | undefined)[] };

function emptyColumns(): Columns {
  return {
    path: [],
    digest: [],
    others: new Map(),
    id: [],
    country: [],
    city: [],
    sortKey: [],
    summary: [],
    summaryDigest: [],
    detailDigest: [],
    detailBytes: [],
    latitude: [],
    longitude: [],
  };
}

/** Whether a record is one that a build left: the details of all others that have an entry wait to be published. */
export function isStored({ entry, staged }: FileRecord): boolean {
  return entry !== undefined && staged === undefined;
}

/** A piece of records. */
export type RecordPiece = {
  readonly records: readonly FileRecord[];
  /** Its bytes; made when they are asked for. */
  readonly bytes: () => Uint8Array;
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

function bytesOf(records: readonly FileRecord[], published: ReadonlySet<FileRecord>): Uint8Array {
  const columns = emptyColumns();
  for (const record of records) addRecord(columns, record, published.has(record) ? record.entry : undefined);
  return serialize(columns);
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

function addRecord(columns: Columns, record: FileRecord, entry: Entry | undefined): void {
  const { path, digest, diagnostics, visibility, media } = record;
  const placed = entry ? undefined : placeOf(record);
  if (diagnostics.length + media.length > 0 || (visibility ?? placed) !== undefined)
    columns.others.set(columns.path.length, { diagnostics, visibility, placed, media });
  columns.path.push(path);
  columns.digest.push(digest);
  columns.id.push(entry?.id);
  columns.country.push(entry?.country);
  columns.city.push(entry?.city);
  columns.sortKey.push(entry?.sortKey);
  columns.summary.push(entry?.summary);
  columns.summaryDigest.push(entry?.summaryDigest);
  columns.detailDigest.push(entry?.detailDigest);
  columns.detailBytes.push(entry?.detailBytes);
  columns.latitude.push(entry?.latitude);
  columns.longitude.push(entry?.longitude);
}

/** The records of one piece. */
export function recordsOf(bytes: Uint8Array): FileRecord[] {
  const columns = deserialize(bytes) as Columns;
  return columns.path.map((path, index): FileRecord => {
    // One by one: with the fields of another object spread in, a record takes three times as long.
    const { diagnostics, visibility, placed, media } = columns.others.get(index) ?? NOTHING;
    return {
      path,
      digest: columns.digest[index]!,
      entry: entryOf(columns, index),
      diagnostics,
      visibility,
      placed,
      media,
    };
  });
}

/** Where the property of a record belongs that is not published, as plain data. */
function placeOf({ entry, placed }: FileRecord): CheckedAcrossFiles | undefined {
  const place = entry ?? placed;
  return place && { id: place.id, country: place.country, city: place.city };
}

function entryOf(columns: Columns, index: number): Entry | undefined {
  const id = columns.id[index];
  if (id === undefined) return undefined;
  return {
    id,
    country: columns.country[index]!,
    city: columns.city[index]!,
    sortKey: columns.sortKey[index]!,
    summary: columns.summary[index]!,
    summaryDigest: columns.summaryDigest[index]!,
    detailDigest: columns.detailDigest[index]!,
    detailBytes: columns.detailBytes[index]!,
    latitude: columns.latitude[index]!,
    longitude: columns.longitude[index]!,
  };
}
