/**
 * Records as bytes, decoded on demand: threads send them, and the state stores them. A million records as objects of
 * JavaScript take 750 MB, and their decoding takes four seconds of a build with one changed title.
 *
 * Rows are in blocks of two sections: the heads, which every build reads, and the texts, which it loads on demand. The
 * heads are the number of rows, the length of the section, a head of fixed length for each row, and values that most
 * records lack. Little-endian.
 */
import type { Summary } from '../../contract/property.ts';
import type { Visibility } from '../../contract/visibility.ts';
import { type ColumnWords, WIDTH } from '../../release/columns.ts';
import { digitsOf, uuidOf } from '../../release/uuid-v5.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { CheckedAcrossFiles, FileRecord, MediaUse, RecordEntry, Staged } from './record.ts';

// Offsets in a block.
const COUNT = 0;
const HEADS_LENGTH = 4;
const FIRST = 8;

// Offsets in a head. A record without an entry uses the entry's fields for a valid id, country and city.
/** Offset of the row's texts in their section. */
const TEXT_START = 0;
/** 0 without an entry. */
const SUMMARY_LENGTH = 4;
const DETAIL_BYTES = 8;
/** Offset in the block. */
const REST_START = 12;
const REST_LENGTH = 16;
/** Number of the spool plus one; 0 for a published detail. */
const SPOOL = 20;
/** Zeros without an entry and without a whole place. */
const COUNTRY = 22;
const ID = 24;
const SUMMARY_DIGEST = ID + WIDTH;
const DETAIL_DIGEST = SUMMARY_DIGEST + WIDTH;
const HEAD = DETAIL_DIGEST + WIDTH;

// Offsets in the texts of a row. Path, city and summary follow.
/** Zeros where the file was not digested. */
const DIGEST = 0;
const LATITUDE = WIDTH;
const LONGITUDE = LATITUDE + 8;
/** Offset of the detail in the spool. */
const OFFSET = LONGITUDE + 8;
const PATH_LENGTH = OFFSET + 8;
const CITY_LENGTH = PATH_LENGTH + 2;
const PATH = CITY_LENGTH + 2;

/** Bytes of a word. Heads, and ids and digests in them, start at multiples of it. */
const WORD = 4;

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

/** The sections of a block. */
class Block {
  readonly heads: Buffer;
  readonly words: Uint32Array;
  readonly #load: () => Buffer;
  #texts: Buffer | undefined;

  constructor(heads: Buffer, load: () => Buffer) {
    this.heads = heads;
    this.words = new Uint32Array(heads.buffer, heads.byteOffset, Math.floor(heads.length / WORD));
    this.#load = load;
  }

  get texts(): Buffer {
    this.#texts ??= this.#load();
    return this.#texts;
  }
}

/** A record and its entry. */
class Row implements FileRecord, RecordEntry {
  place: number | undefined = undefined;
  readonly #block: Block;
  readonly #head: number;
  #rest: Rest | undefined = undefined;

  constructor(block: Block, head: number) {
    this.#block = block;
    this.#head = head;
  }

  get path(): string {
    return this.#text(PATH, this.#pathLength());
  }
  get digest(): string {
    const start = this.#textStart() + DIGEST;
    const digest = this.#block.texts.toString('hex', start, start + WIDTH);
    return digest === UNDIGESTED ? '' : digest;
  }
  get diagnostics(): readonly Diagnostic[] {
    return this.#read().diagnostics ?? NONE;
  }
  get visibility(): Visibility | undefined {
    return this.#read().visibility;
  }
  get placed(): CheckedAcrossFiles | undefined {
    if (this.entry || !this.#isPlaced()) return this.#read().placed;
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
    const start = this.#head + COUNTRY;
    return this.#block.heads.toString('latin1', start, start + 2);
  }
  get city(): string {
    return this.#text(PATH + this.#pathLength(), this.#cityLength());
  }
  get title(): string {
    return (JSON.parse(this.summary) as Summary).title;
  }
  get summary(): string {
    return this.#text(PATH + this.#pathLength() + this.#cityLength(), this.summaryBytes);
  }
  get summaryBytes(): number {
    return this.#number(SUMMARY_LENGTH);
  }
  get summaryDigest(): string {
    return this.#digits(SUMMARY_DIGEST);
  }
  get detailDigest(): string {
    return this.#digits(DETAIL_DIGEST);
  }
  get detailBytes(): number {
    return this.#number(DETAIL_BYTES);
  }
  get latitude(): number {
    return this.#block.texts.readDoubleLE(this.#textStart() + LATITUDE);
  }
  get longitude(): number {
    return this.#block.texts.readDoubleLE(this.#textStart() + LONGITUDE);
  }
  get staged(): Staged | undefined {
    const spool = this.#block.heads.readUInt16LE(this.#head + SPOOL);
    if (spool === 0) return undefined;
    const offset = this.#block.texts.readDoubleLE(this.#textStart() + OFFSET);
    return { spool: spool - 1, offset, length: this.detailBytes };
  }

  copyTo({ ids, summaryDigests, detailDigests, detailBytes }: ColumnWords, place: number): void {
    const { words } = this.#block;
    const from = (this.#head + ID) / WORD;
    const to = (WIDTH * place) / WORD;
    // Copying bytes takes a million entries half a second.
    for (let word = 0; word < WIDTH / WORD; word++) {
      ids[to + word] = words[from + word]!;
      summaryDigests[to + word] = words[from + WIDTH / WORD + word]!;
      detailDigests[to + word] = words[from + (2 * WIDTH) / WORD + word]!;
    }
    detailBytes[place] = this.detailBytes;
  }

  /** Lengths of what {@link copyAs} copies. */
  get lengths(): RowLengths {
    const text = PATH + this.#pathLength() + this.#cityLength() + this.summaryBytes;
    return { rest: this.#number(REST_LENGTH), text };
  }
  /** Copies the row into a block, as published. */
  copyAs(bytes: Buffer, { head, rest, text }: RowPlaces, length: RowLengths): void {
    const { heads, texts } = this.#block;
    const [restStart, textStart] = [this.#number(REST_START), this.#textStart()];
    heads.copy(bytes, head, this.#head, this.#head + HEAD);
    bytes.writeUInt16LE(0, head + SPOOL);
    heads.copy(bytes, rest, restStart, restStart + length.rest);
    texts.copy(bytes, text, textStart, textStart + length.text);
    bytes.writeDoubleLE(0, text + OFFSET);
  }

  #number(offset: number): number {
    return this.#block.heads.readUInt32LE(this.#head + offset);
  }
  #textStart(): number {
    return this.#number(TEXT_START);
  }
  #pathLength(): number {
    return this.#block.texts.readUInt16LE(this.#textStart() + PATH_LENGTH);
  }
  #cityLength(): number {
    return this.#block.texts.readUInt16LE(this.#textStart() + CITY_LENGTH);
  }
  #isPlaced(): boolean {
    return this.#block.heads.readUInt16LE(this.#head + COUNTRY) !== 0;
  }
  #text(offset: number, length: number): string {
    const start = this.#textStart() + offset;
    return this.#block.texts.toString('utf8', start, start + length);
  }
  #digits(offset: number): string {
    const start = this.#head + offset;
    return this.#block.heads.toString('hex', start, start + WIDTH);
  }
  #read(): Rest {
    if (this.#rest) return this.#rest;
    const [start, length] = [this.#number(REST_START), this.#number(REST_LENGTH)];
    const text = this.#block.heads.toString('utf8', start, start + length);
    this.#rest = length > 0 ? (JSON.parse(text) as Rest) : NOTHING;
    return this.#rest;
  }
}

const UNDIGESTED = '0'.repeat(2 * WIDTH);

type RowLengths = { readonly rest: number; readonly text: number };
/** Offsets of a row in a block. */
type RowPlaces = RowLengths & { readonly head: number };

/** Decodes a block, as far as its heads. */
export function rowsOf({ buffer, byteOffset, byteLength }: Uint8Array): FileRecord[] {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const end = headsLength(bytes);
  return rowsOfHeads(bytes.subarray(0, end), () => bytes.subarray(end));
}

/** Decodes the heads of a block. `load`: returns the texts, on demand. */
export function rowsOfHeads(heads: Buffer, load: () => Buffer): FileRecord[] {
  const block = new Block(heads, load);
  const length = heads.readUInt32LE(COUNT);
  return Array.from({ length }, (_, index) => new Row(block, FIRST + HEAD * index));
}

/** Returns the length of the first section of a block. */
export function headsLength(block: Buffer): number {
  return block.readUInt32LE(HEADS_LENGTH);
}

/** Encodes records as a block. */
export function encodeRows(records: readonly FileRecord[]): Buffer {
  const texts = records.map(textsOf);
  const rests = records.map(restText);
  const lengths = texts.map((own, index) => ({
    rest: Buffer.byteLength(rests[index]!),
    text: own.reduce((sum, text) => sum + Buffer.byteLength(text), PATH),
  }));
  return encodeBlock(lengths, (bytes, index, { head, rest, text }) => {
    bytes.write(rests[index]!, rest);
    writeRow(bytes.subarray(head, head + HEAD), bytes.subarray(text), records[index]!, texts[index]!);
  });
}

/** Encodes records as published: without locations of details in spools. */
export function encodePublished(records: readonly FileRecord[]): Buffer {
  const rows = records.map((record) =>
    record instanceof Row ? record : (rowsOf(encodeRows([record]))[0] as Row),
  );
  const lengths = rows.map((row) => row.lengths);
  return encodeBlock(lengths, (bytes, index, places) => rows[index]!.copyAs(bytes, places, lengths[index]!));
}

/** Encodes a block of rows with these lengths. `write`: writes a row at offsets in the block. */
function encodeBlock(
  lengths: readonly RowLengths[],
  write: (bytes: Buffer, index: number, places: RowPlaces) => void,
): Buffer {
  let rest = FIRST + HEAD * lengths.length;
  const heads = lengths.reduce((sum, length) => sum + length.rest, rest);
  // Memory of its own: a message to a thread copies all of a buffer's memory.
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, { text }) => sum + text, heads)).fill(0);
  bytes.writeUInt32LE(lengths.length, COUNT);
  bytes.writeUInt32LE(heads, HEADS_LENGTH);
  let text = heads;
  for (const [index, length] of lengths.entries()) {
    const head = FIRST + HEAD * index;
    write(bytes, index, { head, rest, text });
    bytes.writeUInt32LE(text - heads, head + TEXT_START);
    bytes.writeUInt32LE(rest, head + REST_START);
    bytes.writeUInt32LE(length.rest, head + REST_LENGTH);
    rest += length.rest;
    text += length.text;
  }
  return bytes;
}

/** Returns path, city and summary. */
function textsOf(record: FileRecord): string[] {
  const { path, entry } = record;
  return [path, wholePlace(record)?.city ?? '', entry?.summary ?? ''];
}

/** Returns the place of a record, if it has all values. */
function wholePlace({ entry, placed }: FileRecord) {
  if (entry) return entry;
  const { id, country, city } = placed ?? {};
  return id && country && city ? { id, country, city } : undefined;
}

function writeRow(head: Buffer, text: Buffer, record: FileRecord, texts: readonly string[]): void {
  const { digest, entry } = record;
  let offset = PATH;
  const [path, city, summary] = texts.map((one) => {
    const length = text.write(one, offset);
    offset += length;
    return length;
  });
  text.writeUInt16LE(path!, PATH_LENGTH);
  text.write(digest, DIGEST, 'hex');
  const place = wholePlace(record);
  if (!place) return;
  text.writeUInt16LE(city!, CITY_LENGTH);
  head.write(place.country, COUNTRY, 'latin1');
  head.write(digitsOf(place.id), ID, 'hex');
  if (!entry) return;
  head.writeUInt32LE(summary!, SUMMARY_LENGTH);
  head.writeUInt32LE(entry.detailBytes, DETAIL_BYTES);
  head.write(entry.summaryDigest, SUMMARY_DIGEST, 'hex');
  head.write(entry.detailDigest, DETAIL_DIGEST, 'hex');
  text.writeDoubleLE(entry.latitude, LATITUDE);
  text.writeDoubleLE(entry.longitude, LONGITUDE);
  if (!entry.staged) return;
  head.writeUInt16LE(entry.staged.spool + 1, SPOOL);
  text.writeDoubleLE(entry.staged.offset, OFFSET);
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
