/**
 * Records as a build leaves them for the next one: a line for each file, which is read when somebody asks for it. It
 * says neither the path, which the stamps say, nor the entry, which the stored sequence has.
 *
 * A line is the digest of the file's bytes, and what else there is as JSON behind a space: the link of the photo of
 * which the thumbnail is made, or an object with all that a record holds besides.
 */
import { DIGEST_LENGTH } from '../../release/digest.ts';
import type { Entry } from '../../release/sequence.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { FileRecord, MediaUse } from '../read/files.ts';
import { lineStarts } from './sequence.ts';

/** What a line may say besides the digest and the link. */
type Others = Pick<FileRecord, 'diagnostics' | 'media' | 'remote' | 'fetched'>;

/**
 * Opens the records of a state. They have no properties of their own: a copy by `...` is empty.
 *
 * @param paths of all files, in order.
 * @param entries what they published, and for each the index of its record.
 * @throws RangeError when there are not as many lines as paths.
 */
export function openRecords(
  bytes: Uint8Array,
  paths: readonly string[],
  entries: readonly Entry[],
  indices: readonly number[],
): readonly FileRecord[] {
  const table: Table = { bytes, starts: lineStarts(bytes, paths.length), records: [] };
  const entryOf: (Entry | undefined)[] = new Array(paths.length);
  for (let place = 0; place < indices.length; place++) entryOf[indices[place]!] = entries[place];
  for (let place = 0; place < paths.length; place++) {
    table.records.push(new StoredRecord(table, place, paths[place]!, entryOf[place]));
  }
  return table.records;
}

/** Whether a record is one that a build left, and so nothing that it says is new. */
export function isStored(record: FileRecord): boolean {
  return record instanceof StoredRecord;
}

/** The lines of records, in pieces; those that a build left are copied as they stand. */
export function* recordLines(records: readonly FileRecord[]): Generator<Uint8Array> {
  let from = 0;
  while (from < records.length) {
    const first = records[from]!;
    let to = from + 1;
    if (first instanceof StoredRecord) {
      const { table, place } = first;
      while (to < records.length && records[to] === table.records[place + to - from]) to++;
      yield table.bytes.subarray(table.starts[place], table.starts[place + to - from]);
    } else {
      let text = lineOf(first);
      while (to < records.length && text.length < PIECE && !isStored(records[to]!)) {
        text += lineOf(records[to]!);
        to++;
      }
      yield Buffer.from(text);
    }
    from = to;
  }
}

/** Length of a text of lines from which on it is handed out. */
const PIECE = 1 << 20;

function lineOf({ digest, diagnostics, media, remote, fetched }: FileRecord): string {
  const known = digest || UNKNOWN_DIGEST;
  if (diagnostics.length === 0 && media.length === 0 && fetched === undefined) {
    return remote === undefined ? `${known}\n` : `${known} ${JSON.stringify(remote)}\n`;
  }
  return `${known} ${JSON.stringify({ diagnostics, media, remote, fetched } satisfies Others)}\n`;
}

/** In place of the digest of a file that could not be read. */
const UNKNOWN_DIGEST = ' '.repeat(DIGEST_LENGTH);

type Table = {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly records: StoredRecord[];
};

const SPACE = 0x20;
const BRACE = 0x7b;
const NONE: Others = { diagnostics: [], media: [] };

class StoredRecord implements FileRecord {
  readonly table: Table;
  readonly place: number;
  readonly path: string;
  readonly entry: Entry | undefined;
  #others: Others | undefined;

  constructor(table: Table, place: number, path: string, entry: Entry | undefined) {
    this.table = table;
    this.place = place;
    this.path = path;
    this.entry = entry;
  }

  get digest(): string {
    return this.#text(0, DIGEST_LENGTH).trimEnd();
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#object().diagnostics;
  }

  get media(): readonly MediaUse[] {
    return this.#object().media;
  }

  get fetched(): string | undefined {
    return this.#object().fetched;
  }

  get remote(): string | undefined {
    const { bytes, starts } = this.table;
    const end = starts[this.place]! + DIGEST_LENGTH;
    if (bytes[end] !== SPACE || bytes[end + 1] === BRACE) return this.#object().remote;
    return JSON.parse(this.#text(DIGEST_LENGTH + 1));
  }

  /** What an object of the line says, if there is one. */
  #object(): Others {
    const { bytes, starts } = this.table;
    if (bytes[starts[this.place]! + DIGEST_LENGTH + 1] !== BRACE) return NONE;
    this.#others ??= JSON.parse(this.#text(DIGEST_LENGTH + 1)) as Others;
    return this.#others;
  }

  /** A part of the line. */
  #text(from: number, to?: number): string {
    const { bytes, starts } = this.table;
    const start = starts[this.place]!;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
      'utf8',
      start + from,
      to === undefined ? starts[this.place + 1]! - 1 : start + to,
    );
  }
}
