/** Decodes the records of a block on demand (`record-block-format.ts`). */
import type { Summary } from '../../contract/property.ts';
import type { Visibility } from '../../contract/visibility.ts';
import { type ColumnWords, DIGEST_BYTES } from '../../release/sequence-columns.ts';
import { uuidFromDigits } from '../../release/uuid-v5.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { CrossFileValues, FileRecord, PhotoUse, RecordEntry, SpoolLocation } from './file-record.ts';
import { decodeFindings, encodeFindings, findingKind, isErrorKind } from './finding-encoding.ts';
import * as at from './record-block-format.ts';
import { type RareValues, RecordBlock, type RowLengths, type RowOffsets } from './record-block-format.ts';

const NOTHING: RareValues = {};
const NONE: readonly never[] = [];

export class RecordRow implements FileRecord, RecordEntry {
  publishedIndex: number | undefined = undefined;
  readonly block: RecordBlock;
  readonly #head: number;
  #rest: RareValues | undefined = undefined;

  constructor(block: RecordBlock, head: number) {
    this.block = block;
    this.#head = head;
  }

  get path(): string {
    return this.#text(at.PATH_OFFSET, this.#pathLength());
  }
  get digest(): string {
    const start = this.#textStart() + at.FILE_DIGEST_OFFSET;
    const digest = this.block.texts.toString('hex', start, start + DIGEST_BYTES);
    return digest === at.NO_DIGEST ? '' : digest;
  }
  get diagnostics(): readonly Diagnostic[] {
    return this.findingCount === 0 ? NONE : decodeFindings(this.block.lines()[this.index]!, this.path);
  }
  get kinds(): readonly number[] {
    if (this.findingCount === 0) return NONE;
    const start = this.#number(at.REST_START_OFFSET);
    return Array.from({ length: this.findingCount }, (_, index) =>
      this.block.heads.readUInt16LE(start + at.FINDING_KIND_BYTES * index),
    );
  }
  get findingCount(): number {
    return this.block.heads.readUInt32LE(this.#head + at.FINDING_COUNT_OFFSET);
  }
  get index(): number {
    return (this.#head - at.FIRST_HEAD_OFFSET) / at.HEAD_LENGTH;
  }
  get visibility(): Visibility | undefined {
    return this.#read().visibility;
  }
  get crossFileValues(): CrossFileValues | undefined {
    if (this.entry || !this.#isPlaced()) return this.#read().crossFileValues;
    return { id: this.id, country: this.country, city: this.city };
  }
  get media(): readonly PhotoUse[] {
    return this.#read().media ?? NONE;
  }
  get hasReusableDigest(): boolean {
    return this.#read().hasReusableDigest === true;
  }
  get entry(): RecordEntry | undefined {
    return this.summaryBytes > 0 ? this : undefined;
  }

  get id(): string {
    return uuidFromDigits(this.#digits(at.ID_OFFSET));
  }
  get country(): string {
    const start = this.#head + at.COUNTRY_OFFSET;
    return this.block.heads.toString('latin1', start, start + 2);
  }
  get city(): string {
    return this.#text(at.PATH_OFFSET + this.#pathLength(), this.#cityLength());
  }
  get title(): string {
    return (JSON.parse(this.summary) as Summary).title;
  }
  get summary(): string {
    return this.#text(at.PATH_OFFSET + this.#pathLength() + this.#cityLength(), this.summaryBytes);
  }
  get summaryBytes(): number {
    return this.#number(at.SUMMARY_LENGTH_OFFSET);
  }
  get summaryDigest(): string {
    return this.#digits(at.SUMMARY_DIGEST_OFFSET);
  }
  get detailDigest(): string {
    return this.#digits(at.DETAIL_DIGEST_OFFSET);
  }
  get detailBytes(): number {
    return this.#number(at.DETAIL_LENGTH_OFFSET);
  }
  get latitude(): number {
    return this.block.texts.readDoubleLE(this.#textStart() + at.LATITUDE_OFFSET);
  }
  get longitude(): number {
    return this.block.texts.readDoubleLE(this.#textStart() + at.LONGITUDE_OFFSET);
  }
  get facets(): string {
    return this.#text(
      at.PATH_OFFSET + this.#pathLength() + this.#cityLength() + this.summaryBytes,
      this.#facetsLength(),
    );
  }
  get spooled(): SpoolLocation | undefined {
    const spool = this.block.heads.readUInt16LE(this.#head + at.SPOOL_NUMBER_OFFSET);
    if (spool === 0) return undefined;
    const offset = this.block.texts.readDoubleLE(this.#textStart() + at.SPOOL_POSITION_OFFSET);
    return { spool: spool - 1, offset, length: this.detailBytes };
  }

  copyTo({ ids, summaryDigests, detailDigests, detailBytes }: ColumnWords, index: number): void {
    const { words } = this.block;
    const from = (this.#head + at.ID_OFFSET) / at.WORD_BYTES;
    const to = (DIGEST_BYTES * index) / at.WORD_BYTES;
    // Copying byte by byte takes half a second for a million entries.
    for (let word = 0; word < DIGEST_BYTES / at.WORD_BYTES; word++) {
      ids[to + word] = words[from + word]!;
      summaryDigests[to + word] = words[from + DIGEST_BYTES / at.WORD_BYTES + word]!;
      detailDigests[to + word] = words[from + (2 * DIGEST_BYTES) / at.WORD_BYTES + word]!;
    }
    detailBytes[index] = this.detailBytes;
  }

  /** Numbers of bytes that {@link copyAs} copies. */
  get lengths(): RowLengths {
    const text =
      at.PATH_OFFSET + this.#pathLength() + this.#cityLength() + this.summaryBytes + this.#facetsLength();
    return { rest: this.#number(at.REST_LENGTH_OFFSET), text };
  }
  copyAs(bytes: Buffer, { head, rest, text }: RowOffsets, length: RowLengths): void {
    const { heads, texts } = this.block;
    const [restStart, textStart] = [this.#number(at.REST_START_OFFSET), this.#textStart()];
    heads.copy(bytes, head, this.#head, this.#head + at.HEAD_LENGTH);
    bytes.writeUInt16LE(0, head + at.SPOOL_NUMBER_OFFSET);
    heads.copy(bytes, rest, restStart, restStart + length.rest);
    texts.copy(bytes, text, textStart, textStart + length.text);
    bytes.writeDoubleLE(0, text + at.SPOOL_POSITION_OFFSET);
  }

  #number(offset: number): number {
    return this.block.heads.readUInt32LE(this.#head + offset);
  }
  #textStart(): number {
    return this.#number(at.TEXT_START_OFFSET);
  }
  #pathLength(): number {
    return this.block.texts.readUInt16LE(this.#textStart() + at.PATH_LENGTH_OFFSET);
  }
  #cityLength(): number {
    return this.block.texts.readUInt16LE(this.#textStart() + at.CITY_LENGTH_OFFSET);
  }
  #facetsLength(): number {
    return this.block.texts.readUInt32LE(this.#textStart() + at.FACETS_LENGTH_OFFSET);
  }
  #isPlaced(): boolean {
    return this.block.heads.readUInt16LE(this.#head + at.COUNTRY_OFFSET) !== 0;
  }
  #text(offset: number, length: number): string {
    const start = this.#textStart() + offset;
    return this.block.texts.toString('utf8', start, start + length);
  }
  #digits(offset: number): string {
    const start = this.#head + offset;
    return this.block.heads.toString('hex', start, start + DIGEST_BYTES);
  }
  #read(): RareValues {
    if (this.#rest) return this.#rest;
    const kinds = at.FINDING_KIND_BYTES * this.findingCount;
    const [start, length] = [
      this.#number(at.REST_START_OFFSET) + kinds,
      this.#number(at.REST_LENGTH_OFFSET) - kinds,
    ];
    const text = this.block.heads.toString('utf8', start, start + length);
    this.#rest = length > 0 ? (JSON.parse(text) as RareValues) : NOTHING;
    return this.#rest;
  }
}

export function decodeRows({ buffer, byteOffset, byteLength }: Uint8Array): FileRecord[] {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const end = headsLength(bytes);
  return rowsOfHeads(bytes.subarray(0, end), () => bytes.subarray(end));
}

export function rowsOfHeads(heads: Buffer, load: () => Buffer): FileRecord[] {
  const block = new RecordBlock(heads, load);
  const length = heads.readUInt32LE(at.COUNT_OFFSET);
  return Array.from(
    { length },
    (_, index) => new RecordRow(block, at.FIRST_HEAD_OFFSET + at.HEAD_LENGTH * index),
  );
}

export function headsLength(block: Buffer): number {
  return block.readUInt32LE(at.HEADS_LENGTH_OFFSET);
}

/** Unpacks the findings of a block only once, if the records of the block follow one another in `records`. */
export function* withFindingLines(
  records: Iterable<FileRecord>,
): Generator<readonly [record: FileRecord, line: string]> {
  let block: RecordBlock | undefined;
  let lines: readonly string[] = [];
  for (const record of records) {
    if (!(record instanceof RecordRow)) yield [record, encodeFindings(record.diagnostics)];
    else if (record.findingCount === 0) yield [record, ''];
    else {
      if (record.block !== block) {
        block = record.block;
        lines = block.lines();
      }
      yield [record, lines[record.index]!];
    }
  }
}

export function* diagnosticsIn(records: Iterable<FileRecord>): Generator<readonly Diagnostic[]> {
  for (const [record, line] of withFindingLines(records))
    if (line !== '') yield decodeFindings(line, record.path);
}

export function findingKindsOf(record: FileRecord): readonly number[] {
  return record instanceof RecordRow ? record.kinds : record.diagnostics.map(findingKind);
}

export function recordHasErrors(record: FileRecord): boolean {
  return findingKindsOf(record).some(isErrorKind);
}
