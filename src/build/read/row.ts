/**
 * Records as bytes, decoded on demand: threads send them, and the state stores them. A million records as objects of
 * JavaScript take 750 MB, and their decoding takes four seconds of a build with one changed title.
 */
import type { Summary } from '../../contract/property.ts';
import type { Visibility } from '../../contract/visibility.ts';
import { type Columns, WIDTH } from '../../release/columns.ts';
import { digitsOf, uuidOf } from '../../release/uuid-v5.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { CheckedAcrossFiles, FileRecord, MediaUse, RecordEntry, Staged } from './record.ts';

// Offsets in a row, little-endian. The head is followed by path, city, summary and rest. A record without an entry uses the
// entry's fields for a valid id, country and city.
const LENGTH = 0;
const PATH_LENGTH = 4;
const CITY_LENGTH = 6;
/** 0 without an entry. */
const SUMMARY_LENGTH = 8;
const DETAIL_BYTES = 12;
/** Number of the spool plus one; 0 for a published detail. */
const SPOOL = 16;
const COUNTRY = 18;
const OFFSET = 20;
const LATITUDE = 28;
const LONGITUDE = 36;
/** Zeros where the file was not digested. */
const DIGEST = 44;
const ID = DIGEST + WIDTH;
const SUMMARY_DIGEST = ID + WIDTH;
const DETAIL_DIGEST = SUMMARY_DIGEST + WIDTH;
const HEAD = DETAIL_DIGEST + WIDTH;

/** Values that most records lack, as JSON. */
type Rest = {
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  readonly visibility?: Visibility | undefined;
  readonly placed?: CheckedAcrossFiles | undefined;
  readonly media?: readonly MediaUse[] | undefined;
  readonly unchanged?: boolean | undefined;
};

const NOTHING: Rest = {};
const NONE: readonly never[] = [];

/** A record and its entry. */
class Row implements FileRecord, RecordEntry {
  place: number | undefined = undefined;
  readonly #bytes: Buffer;
  readonly #start: number;
  #rest: Rest | undefined = undefined;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#start = start;
  }

  get path(): string {
    return this.#text(HEAD, this.#pathLength());
  }
  get digest(): string {
    const digest = this.#digits(DIGEST);
    return digest === UNDIGESTED ? '' : digest;
  }
  get diagnostics(): readonly Diagnostic[] {
    return this.#read().diagnostics ?? NONE;
  }
  get visibility(): Visibility | undefined {
    return this.#read().visibility;
  }
  get placed(): CheckedAcrossFiles | undefined {
    if (this.entry || this.#cityLength() === 0) return this.#read().placed;
    return { id: this.id, country: this.country, city: this.city };
  }
  get media(): readonly MediaUse[] {
    return this.#read().media ?? NONE;
  }
  get unchanged(): boolean {
    return this.#read().unchanged === true;
  }
  get entry(): RecordEntry | undefined {
    return this.summaryBytes > 0 ? this : undefined;
  }

  get id(): string {
    return uuidOf(this.#digits(ID));
  }
  get country(): string {
    const start = this.#start + COUNTRY;
    return this.#bytes.toString('latin1', start, start + 2);
  }
  get city(): string {
    return this.#text(HEAD + this.#pathLength(), this.#cityLength());
  }
  get title(): string {
    return (JSON.parse(this.summary) as Summary).title;
  }
  get summary(): string {
    return this.#text(HEAD + this.#pathLength() + this.#cityLength(), this.summaryBytes);
  }
  get summaryBytes(): number {
    return this.#bytes.readUInt32LE(this.#start + SUMMARY_LENGTH);
  }
  get summaryDigest(): string {
    return this.#digits(SUMMARY_DIGEST);
  }
  get detailDigest(): string {
    return this.#digits(DETAIL_DIGEST);
  }
  get detailBytes(): number {
    return this.#bytes.readUInt32LE(this.#start + DETAIL_BYTES);
  }
  get latitude(): number {
    return this.#bytes.readDoubleLE(this.#start + LATITUDE);
  }
  get longitude(): number {
    return this.#bytes.readDoubleLE(this.#start + LONGITUDE);
  }
  get staged(): Staged | undefined {
    const spool = this.#bytes.readUInt16LE(this.#start + SPOOL);
    if (spool === 0) return undefined;
    const offset = this.#bytes.readDoubleLE(this.#start + OFFSET);
    return { spool: spool - 1, offset, length: this.detailBytes };
  }

  copyTo({ ids, summaryDigests, detailDigests, detailBytes }: Columns, place: number): void {
    const [from, to] = [this.#start, WIDTH * place];
    this.#bytes.copy(ids, to, from + ID, from + ID + WIDTH);
    this.#bytes.copy(summaryDigests, to, from + SUMMARY_DIGEST, from + SUMMARY_DIGEST + WIDTH);
    this.#bytes.copy(detailDigests, to, from + DETAIL_DIGEST, from + DETAIL_DIGEST + WIDTH);
    detailBytes[place] = this.detailBytes;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end());
  }

  #pathLength(): number {
    return this.#bytes.readUInt16LE(this.#start + PATH_LENGTH);
  }
  /** 0 without an entry and without a whole place. */
  #cityLength(): number {
    return this.#bytes.readUInt16LE(this.#start + CITY_LENGTH);
  }
  #end(): number {
    return this.#start + this.#bytes.readUInt32LE(this.#start + LENGTH);
  }
  #text(offset: number, length: number): string {
    const start = this.#start + offset;
    return this.#bytes.toString('utf8', start, start + length);
  }
  #digits(offset: number): string {
    const start = this.#start + offset;
    return this.#bytes.toString('hex', start, start + WIDTH);
  }
  #read(): Rest {
    if (this.#rest) return this.#rest;
    const start = this.#start + HEAD + this.#pathLength() + this.#cityLength() + this.summaryBytes;
    const end = this.#end();
    this.#rest = start < end ? (JSON.parse(this.#bytes.toString('utf8', start, end)) as Rest) : NOTHING;
    return this.#rest;
  }
}

const UNDIGESTED = '0'.repeat(2 * WIDTH);

/** Decodes rows, as far as their lengths. */
export function rowsOf({ buffer, byteOffset, byteLength }: Uint8Array): FileRecord[] {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const rows: Row[] = [];
  for (let start = 0; start < byteLength; start += bytes.readUInt32LE(start))
    rows.push(new Row(bytes, start));
  return rows;
}

/** Encodes records, one after the other. */
export function encodeRows(records: readonly FileRecord[]): Buffer {
  const texts = records.map(textsOf);
  const lengths = texts.map((own) => own.reduce((sum, text) => sum + Buffer.byteLength(text), HEAD));
  // Memory of its own: a message to a thread copies all of a buffer's memory.
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0)).fill(0);
  let offset = 0;
  for (const [index, record] of records.entries()) {
    const end = offset + lengths[index]!;
    writeRow(bytes.subarray(offset, end), record, texts[index]!);
    offset = end;
  }
  return bytes;
}

/** Encodes records as published: without locations of details in spools. */
export function encodePublished(records: readonly FileRecord[]): Buffer {
  const bytes = Buffer.concat(
    records.map((record) => (record instanceof Row ? record.bytes() : encodeRows([record]))),
  );
  for (let start = 0; start < bytes.length; start += bytes.readUInt32LE(start))
    bytes.fill(0, start + SPOOL, start + COUNTRY).fill(0, start + OFFSET, start + LATITUDE);
  return bytes;
}

/** Returns path, city, summary and rest. */
function textsOf(record: FileRecord): string[] {
  const { path, entry } = record;
  return [path, wholePlace(record)?.city ?? '', entry?.summary ?? '', restText(record)];
}

/** Returns the place of a record, if it has all values. */
function wholePlace({ entry, placed }: FileRecord) {
  if (entry) return entry;
  const { id, country, city } = placed ?? {};
  return id && country && city ? { id, country, city } : undefined;
}

function writeRow(row: Buffer, record: FileRecord, texts: readonly string[]): void {
  const { digest, entry } = record;
  let offset = HEAD;
  const [path, city, summary] = texts.map((text) => {
    const length = row.write(text, offset);
    offset += length;
    return length;
  });
  row.writeUInt32LE(row.length, LENGTH);
  row.writeUInt16LE(path!, PATH_LENGTH);
  row.write(digest, DIGEST, 'hex');
  const place = wholePlace(record);
  if (!place) return;
  row.writeUInt16LE(city!, CITY_LENGTH);
  row.write(place.country, COUNTRY, 'latin1');
  row.write(digitsOf(place.id), ID, 'hex');
  if (!entry) return;
  row.writeUInt32LE(summary!, SUMMARY_LENGTH);
  row.writeUInt32LE(entry.detailBytes, DETAIL_BYTES);
  row.writeDoubleLE(entry.latitude, LATITUDE);
  row.writeDoubleLE(entry.longitude, LONGITUDE);
  row.write(entry.summaryDigest, SUMMARY_DIGEST, 'hex');
  row.write(entry.detailDigest, DETAIL_DIGEST, 'hex');
  if (!entry.staged) return;
  row.writeUInt16LE(entry.staged.spool + 1, SPOOL);
  row.writeDoubleLE(entry.staged.offset, OFFSET);
}

function restText(record: FileRecord): string {
  const { diagnostics, visibility, media, unchanged } = record;
  const placed = wholePlace(record) ? undefined : record.placed;
  if (diagnostics.length + media.length === 0 && !visibility && !placed && !unchanged) return '';
  const rest: Rest = {
    diagnostics: diagnostics.length > 0 ? diagnostics : undefined,
    visibility,
    placed,
    media: media.length > 0 ? media : undefined,
    unchanged,
  };
  return JSON.stringify(rest);
}
