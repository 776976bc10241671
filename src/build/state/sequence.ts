/**
 * A sequence as a build leaves it for the next one: in bytes, out of which an entry is read when somebody asks for it.
 * Of most entries of most builds nobody asks more than where they are, and stretches of them are copied as they stand.
 */

import { sortKey } from '../../contract/order.ts';
import { DIGEST_LENGTH } from '../../release/digest.ts';
import type { Entry, JoinedSummaries } from '../../release/sequence.ts';

/** A sequence in bytes. */
export type StoredSequence = {
  /** Its entries. They have no properties of their own: a copy by `...` is empty. */
  readonly entries: readonly Entry[];
  /** Lines of the manifest (`sequenceLines`), each with the comma and the line feed after it. */
  readonly lines: Uint8Array;
  /** Line `i` is `lines` from `starts[i]` up to and without `starts[i + 1]`. */
  readonly starts: Uint32Array;
  readonly summaries: JoinedSummaries;
};

/** Entries of a sequence that follow each other, from `from` up to and without `to`. */
export type Stretch = {
  readonly from: number;
  readonly to: number;
  /** Where they follow each other as well, from `place`; undefined for entries that are not stored. */
  readonly stored: StoredSequence | undefined;
  readonly place: number;
};

/**
 * Opens a sequence.
 *
 * @throws RangeError when there are not as many lines as summaries.
 */
export function openSequence(lines: Uint8Array, summaries: JoinedSummaries): StoredSequence {
  const count = summaries.offsets.length - 1;
  const starts = lineStarts(lines, count);
  const entries: StoredEntry[] = [];
  const stored: Opened = { entries, lines, starts, summaries, pieces: [] };
  for (let place = 0; place < count; place++) entries.push(new StoredEntry(stored, place));
  return stored;
}

/** Where lines start, and where the last one ends. @throws RangeError when there are not as many. */
export function lineStarts(bytes: Uint8Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  let end = 0;
  for (let line = 0; line < count; line++) {
    const feed = bytes.indexOf(LINE_FEED, end);
    if (feed < 0) throw new RangeError(`There are ${line} lines, and ${count} were expected.`);
    end = feed + 1;
    starts[line + 1] = end;
  }
  if (end !== bytes.length) throw new RangeError(`There are more than ${count} lines.`);
  return starts;
}

/** Divides a sequence into stretches: those that are stored somewhere, and what is between them. */
export function* stretchesOf(sequence: readonly unknown[]): Generator<Stretch> {
  let from = 0;
  while (from < sequence.length) {
    const first = sequence[from];
    let to = from + 1;
    if (first instanceof StoredEntry) {
      const { stored, place } = first;
      while (to < sequence.length && sequence[to] === stored.entries[place + to - from]) to++;
      yield { from, to, stored, place };
    } else {
      while (to < sequence.length && !(sequence[to] instanceof StoredEntry)) to++;
      yield { from, to, stored: undefined, place: 0 };
    }
    from = to;
  }
}

const LINE_FEED = 0x0a;
/** Lines that are made a text at once. */
const PIECE = 1024;

/** A sequence with the texts of its lines, which are made when they are asked for. */
type Opened = StoredSequence & { readonly pieces: Piece[] };
/** Text of some lines, and where each starts in it. */
type Piece = { readonly text: string; readonly starts: Uint32Array };

/** What a line is made of: `["id","country","city","digest","digest"],`, and a line feed. */
const ID = { start: 2, end: 38 };
const COUNTRY = { start: 41, end: 43 };
const CITY = 45;
/** From the end of the line. */
const DETAIL = { start: DIGEST_LENGTH + 4, end: 4 };
const SUMMARY = { start: DETAIL.start + 3 + DIGEST_LENGTH, end: DETAIL.start + 3 };
const CITY_END = SUMMARY.start + 2;

class StoredEntry implements Entry {
  readonly stored: Opened;
  readonly place: number;
  /** The text that holds the line, and where that starts and ends: found out when somebody asks. */
  #text: string | undefined = undefined;
  #start = 0;
  #end = 0;

  constructor(stored: Opened, place: number) {
    this.stored = stored;
    this.place = place;
  }

  get id(): string {
    const text = this.#text ?? this.#find();
    return text.slice(this.#start + ID.start, this.#start + ID.end);
  }

  get country(): string {
    const text = this.#text ?? this.#find();
    return text.slice(this.#start + COUNTRY.start, this.#start + COUNTRY.end);
  }

  get city(): string {
    const text = this.#text ?? this.#find();
    const json = text.slice(this.#start + CITY, this.#end - CITY_END);
    return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1);
  }

  get summaryDigest(): string {
    const text = this.#text ?? this.#find();
    return text.slice(this.#end - SUMMARY.start, this.#end - SUMMARY.end);
  }

  get detailDigest(): string {
    const text = this.#text ?? this.#find();
    return text.slice(this.#end - DETAIL.start, this.#end - DETAIL.end);
  }

  get summary(): string {
    const { bytes, offsets } = this.stored.summaries;
    return asBuffer(bytes).toString('utf8', offsets[this.place]!, offsets[this.place + 1]! - 1);
  }

  get sortKey(): string {
    return sortKey(JSON.parse(this.summary));
  }

  #find(): string {
    const number = Math.floor(this.place / PIECE);
    const { pieces } = this.stored;
    const piece = pieces[number] ?? makePiece(this.stored, number * PIECE);
    pieces[number] = piece;
    const line = this.place % PIECE;
    this.#start = piece.starts[line]!;
    this.#end = piece.starts[line + 1]!;
    this.#text = piece.text;
    return piece.text;
  }
}

function makePiece({ lines, starts }: Opened, first: number): Piece {
  const last = Math.min(first + PIECE, starts.length - 1);
  const [start, end] = [starts[first]!, starts[last]!];
  const text = asBuffer(lines).toString('utf8', start, end);
  const own = starts.subarray(first, last + 1).map((offset) => offset - start);
  if (text.length === end - start) return { text, starts: own };
  // Letters that are not ASCII take more bytes than units.
  for (let line = 1; line < own.length; line++) own[line] = text.indexOf('\n', own[line - 1]) + 1;
  return { text, starts: own };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
