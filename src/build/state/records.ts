/** Records as a build leaves them for the next one: plain data in columns, as V8 writes it, which reads it quickest. */
import { deserialize, serialize } from 'node:v8';
import type { Entry } from '../../release/sequence.ts';
import type { CheckedAcrossFiles, FileRecord } from '../read/files.ts';

/** Records in one piece: so many that a million properties need not be in memory twice. */
const PIECE = 1 << 16;

/** What few records have. */
type Others = Pick<FileRecord, 'diagnostics' | 'visibility' | 'placed' | 'media' | 'fetched'>;

const NOTHING: Others = { diagnostics: [], media: [] };

/** Records, and their entries, column by column; of a record without an entry those are undefined. */
type Columns = {
  readonly path: string[];
  readonly digest: string[];
  readonly remote: FileRecord['remote'][];
  /** By index. */
  readonly others: Map<number, Others>;
} & { readonly [Field in keyof Entry]: (Entry[Field] | undefined)[] };

function emptyColumns(): Columns {
  return {
    path: [],
    digest: [],
    remote: [],
    others: new Map(),
    id: [],
    country: [],
    city: [],
    sortKey: [],
    summary: [],
    summaryDigest: [],
    detailDigest: [],
    detailBytes: [],
  };
}

/** Whether a record is one that a build left: the details of all others that have an entry wait to be published. */
export function isStored({ entry, staged }: FileRecord): boolean {
  return entry !== undefined && staged === undefined;
}

/**
 * The bytes of records, in pieces.
 *
 * @param published those whose entries stay; the others are read again by the next build, since their detail is nowhere.
 */
export function* recordPieces(
  records: readonly FileRecord[],
  published: ReadonlySet<FileRecord>,
): Generator<Uint8Array> {
  for (let from = 0; from < records.length; from += PIECE) {
    const columns = emptyColumns();
    for (const record of records.slice(from, from + PIECE))
      addRecord(columns, record, published.has(record) ? record.entry : undefined);
    yield serialize(columns);
  }
}

function addRecord(columns: Columns, record: FileRecord, entry: Entry | undefined): void {
  const { path, digest, remote, diagnostics, visibility, media, fetched } = record;
  const placed = entry ? undefined : placeOf(record);
  if (diagnostics.length + media.length > 0 || (fetched ?? visibility ?? placed) !== undefined)
    columns.others.set(columns.path.length, { diagnostics, visibility, placed, media, fetched });
  columns.path.push(path);
  columns.digest.push(digest);
  columns.remote.push(remote);
  columns.id.push(entry?.id);
  columns.country.push(entry?.country);
  columns.city.push(entry?.city);
  columns.sortKey.push(entry?.sortKey);
  columns.summary.push(entry?.summary);
  columns.summaryDigest.push(entry?.summaryDigest);
  columns.detailDigest.push(entry?.detailDigest);
  columns.detailBytes.push(entry?.detailBytes);
}

/** The records of one piece. */
export function recordsOf(bytes: Uint8Array): FileRecord[] {
  const columns = deserialize(bytes) as Columns;
  return columns.path.map((path, index): FileRecord => {
    return {
      ...(columns.others.get(index) ?? NOTHING),
      path,
      digest: columns.digest[index]!,
      remote: columns.remote[index],
      entry: entryOf(columns, index),
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
  };
}
