/**
 * Format of a block of records, whose values are decoded on demand. Threads send blocks and the state stores them. As
 * objects, a million records would take 750 MB, and a build with one changed title would decode them for four seconds.
 * A block is little-endian and has two sections: heads, and texts, which a build loads from the state on demand. The
 * heads section has the number of rows, its own length, the offset of the findings in the texts, a head of fixed length
 * per row, then finding kinds and values that most records lack.
 */
import type { Visibility } from '../../contract/visibility.ts';
import { DIGEST_BYTES } from '../../release/sequence-columns.ts';
import type { CrossFileValues, PhotoUse } from './file-record.ts';
import { decompressFindingLines } from './finding-encoding.ts';

// Offsets in a block.
export const COUNT_OFFSET = 0;
export const HEADS_LENGTH_OFFSET = 4;
export const FINDINGS_START_OFFSET = 8;
export const FIRST_HEAD_OFFSET = 12;

// Offsets in a head. A row without an entry has id and country only if its id, country and city are all valid.
/** The value is the offset of the row's texts in the texts section. */
export const TEXT_START_OFFSET = 0;
/** The value is 0 if there is no entry. */
export const SUMMARY_LENGTH_OFFSET = 4;
export const DETAIL_LENGTH_OFFSET = 8;
/** The value is the offset, in the block, of the row's finding kinds. The values that most records lack follow them. */
export const REST_START_OFFSET = 12;
export const REST_LENGTH_OFFSET = 16;
/** The value is the number of the temporary file (spool) plus one; 0 if no temporary file has the detail. */
export const SPOOL_NUMBER_OFFSET = 20;
/** Both bytes are zero if the row has no entry and its id, country or city is invalid. */
export const COUNTRY_OFFSET = 22;
export const FINDING_COUNT_OFFSET = 24;
export const ID_OFFSET = 28;
export const SUMMARY_DIGEST_OFFSET = ID_OFFSET + DIGEST_BYTES;
export const DETAIL_DIGEST_OFFSET = SUMMARY_DIGEST_OFFSET + DIGEST_BYTES;
export const HEAD_LENGTH = DETAIL_DIGEST_OFFSET + DIGEST_BYTES;

// Offsets in a row's part of the texts section. After these fixed-length values come path, city, summary and facets.
/** The bytes at this offset are zeros if the file's digest was not computed. */
export const FILE_DIGEST_OFFSET = 0;
export const LATITUDE_OFFSET = DIGEST_BYTES;
export const LONGITUDE_OFFSET = LATITUDE_OFFSET + 8;
/** The value is the offset of the detail in the temporary file. */
export const SPOOL_POSITION_OFFSET = LONGITUDE_OFFSET + 8;
export const PATH_LENGTH_OFFSET = SPOOL_POSITION_OFFSET + 8;
export const CITY_LENGTH_OFFSET = PATH_LENGTH_OFFSET + 2;
export const FACETS_LENGTH_OFFSET = CITY_LENGTH_OFFSET + 2;
export const PATH_OFFSET = FACETS_LENGTH_OFFSET + 4;

/** Bytes per word. Heads, and the ids and digests in them, are aligned to words. */
export const WORD_BYTES = 4;

export const FINDING_KIND_BYTES = 2;

export const NO_DIGEST = '0'.repeat(2 * DIGEST_BYTES);

/** Values that most records lack, stored as JSON. */
export type RareValues = {
  readonly visibility?: Visibility | undefined;
  readonly crossFileValues?: CrossFileValues | undefined;
  readonly media?: readonly PhotoUse[] | undefined;
  readonly hasReusableDigest?: boolean | undefined;
};

export class RecordBlock {
  readonly heads: Buffer;
  readonly words: Uint32Array;
  readonly #load: () => Buffer;
  #texts: Buffer | undefined;

  constructor(heads: Buffer, load: () => Buffer) {
    this.heads = heads;
    this.words = new Uint32Array(heads.buffer, heads.byteOffset, Math.floor(heads.length / WORD_BYTES));
    this.#load = load;
  }

  get texts(): Buffer {
    this.#texts ??= this.#load();
    return this.#texts;
  }

  /** The findings of each row, as one line. */
  lines(): readonly string[] {
    // Not cached: a report of all findings would keep the texts of all records in memory.
    const texts = this.#texts ?? this.#load();
    return decompressFindingLines(texts.subarray(this.heads.readUInt32LE(FINDINGS_START_OFFSET)));
  }
}

export type RowLengths = { readonly rest: number; readonly text: number };
export type RowOffsets = RowLengths & { readonly head: number };
