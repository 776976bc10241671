/**
 * Records as bytes, decoded on demand: threads send them, and the state stores them. A million records as objects of
 * JavaScript take 750 MB, and their decoding takes four seconds of a build with one changed title.
 *
 * Rows are in blocks of two sections: the heads, which every build reads, and the texts, which it loads on demand. The
 * heads are the number of rows, the length of the section, the offset of the findings in the texts, a head of fixed
 * length for each row, and values that most records lack. Little-endian.
 */
import type { Visibility } from '../../contract/visibility.ts';
import { WIDTH } from '../../release/columns.ts';
import { unpackLines } from './findings.ts';
import type { CheckedAcrossFiles, MediaUse } from './record.ts';

// Offsets in a block.
export const COUNT = 0;
export const HEADS_LENGTH = 4;
export const FINDINGS_START = 8;
export const FIRST = 12;

// Offsets in a head. A record without an entry uses the entry's fields for a valid id, country and city.
/** Offset of the row's texts in their section. */
export const TEXT_START = 0;
/** 0 without an entry. */
export const SUMMARY_LENGTH = 4;
export const DETAIL_BYTES = 8;
/** Offset in the block. */
export const REST_START = 12;
export const REST_LENGTH = 16;
/** Number of the spool plus one; 0 for a published detail. */
export const SPOOL = 20;
/** Zeros if the record has neither an entry nor a complete id, country and city. */
export const COUNTRY = 22;
/** Number of findings, whose kinds begin the rest. */
export const FINDINGS = 24;
export const ID = 28;
export const SUMMARY_DIGEST = ID + WIDTH;
export const DETAIL_DIGEST = SUMMARY_DIGEST + WIDTH;
export const HEAD = DETAIL_DIGEST + WIDTH;

// Offsets in the texts of a row. Path, city, summary and facets follow.
/** Zeros where the file was not digested. */
export const DIGEST = 0;
export const LATITUDE = WIDTH;
export const LONGITUDE = LATITUDE + 8;
/** Offset of the detail in the spool. */
export const OFFSET = LONGITUDE + 8;
export const PATH_LENGTH = OFFSET + 8;
export const CITY_LENGTH = PATH_LENGTH + 2;
export const FACETS_LENGTH = CITY_LENGTH + 2;
export const PATH = FACETS_LENGTH + 4;

/** Bytes of a word. Heads, and ids and digests in them, start at multiples of it. */
export const WORD = 4;

/** Bytes of the kind of a finding. */
export const KIND = 2;

export const UNDIGESTED = '0'.repeat(2 * WIDTH);

/** Values that most records lack, as JSON. */
export type Rest = {
  readonly visibility?: Visibility | undefined;
  readonly placed?: CheckedAcrossFiles | undefined;
  readonly media?: readonly MediaUse[] | undefined;
  readonly unchanged?: boolean | undefined;
};

export class Block {
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

  /** Unpacks the findings of its rows, a line for each. */
  lines(): readonly string[] {
    // Not kept: a report of all findings reads the texts of all records.
    const texts = this.#texts ?? this.#load();
    return unpackLines(texts.subarray(this.heads.readUInt32LE(FINDINGS_START)));
  }
}

export type RowLengths = { readonly rest: number; readonly text: number };
/** Offsets of a row in a block. */
export type RowPlaces = RowLengths & { readonly head: number };
