/**
 * The sequence of a large release in pieces, each a separate object named by its digest: `SEQ1`, the number of entries,
 * and the length of the city table (32 bits each, little-endian); the table, as in a chunk; then 16 bytes of each id, of
 * each summary's digest, and of each detail's.
 */
import { sequenceKey } from '../contract/object-keys.ts';
import { type ChunkCity, citiesOf, encodeCities, parseCities } from '../packed/format/chunk.ts';
import { divide, type PartSizes } from '../packed/format/divide.ts';
import { uuidHashes } from '../packed/format/text-hash.ts';
import { type Columns, WIDTH } from './columns.ts';
import type { Comparable } from './comparison.ts';
import { digestOf } from './digest.ts';
import type { RangeEncoder } from './range-encoder.ts';
import type { Placed } from './sequence.ts';
import { digitsOf, uuidOf } from './uuid-v5.ts';

/** Largest number of properties whose manifest includes the sequence. */
const MAX_INLINE = 1000;
/** Number of entries per piece. */
const PIECES: PartSizes = { every: 16384, most: 2560 };

/** `SEQ1`, which includes the version. */
const MAGIC = 0x31514553;
/** Length of a piece before its table. */
const HEAD = 12;

/** A piece, whole in memory or read on demand. */
export type SequencePiece = {
  readonly digest: string;
  readonly count: number;
  /** Read when it is first asked for; that of a piece in a bucket has to be loaded before. */
  readonly content: PieceContent;
  readonly isRead: boolean;
  /** Loads the content from a bucket. @default it need not be loaded */
  readonly load?: (() => Promise<void>) | undefined;
};

type PieceContent = {
  readonly cities: readonly ChunkCity[];
  /** For each city, the number of records up to its last one. */
  readonly cityEnds: Uint32Array;
  /** All ids, then all summary digests, then all detail digests. */
  readonly records: Buffer;
};

/** Returns the end of each piece of a sequence; none for a sequence that its manifest includes. */
export function dividePieces({ ids }: Pick<Columns, 'ids'>): readonly number[] {
  return ids.length <= WIDTH * MAX_INLINE ? [] : divide(uuidHashes(ids), PIECES);
}

/** Yields the pieces of a sequence as objects; one in memory at a time. */
export function* pieceObjects(
  sequence: readonly Placed[],
  columns: Columns,
  ends: readonly number[],
  { encode }: RangeEncoder,
) {
  const { ids, summaryDigests, detailDigests } = columns;
  let start = 0;
  for (const end of ends) {
    const first = start;
    const encoded = encode([ids, summaryDigests, detailDigests], first, end, () =>
      encodePiece(sequence, columns, first, end),
    );
    yield { key: sequenceKey(encoded.digest), ...encoded };
    start = end;
  }
}

/** Encodes the entries from `start` up to, but not including, `end`. */
export function encodePiece(
  sequence: readonly Placed[],
  { ids, summaryDigests, detailDigests }: Columns,
  start: number,
  end: number,
): Buffer {
  const count = end - start;
  const table = encodeCities(citiesOf(sequence, start, end));
  const bytes = Buffer.alloc(HEAD + table.length + 3 * WIDTH * count);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(count, 4);
  bytes.writeUInt32LE(table.length, 8);
  bytes.set(table, HEAD);
  const records = bytes.subarray(HEAD + table.length);
  for (const [index, column] of [ids, summaryDigests, detailDigests].entries())
    records.set(column.subarray(WIDTH * start, WIDTH * end), WIDTH * count * index);
  return bytes;
}

/**
 * Parses a piece, whose digest the caller has checked.
 *
 * @returns undefined for anything else than a piece of this version.
 */
export function parsePiece(bytes: Buffer, digest: string): SequencePiece | undefined {
  if (bytes.length < HEAD || bytes.readUInt32LE(0) !== MAGIC) return undefined;
  const count = bytes.readUInt32LE(4);
  const start = HEAD + bytes.readUInt32LE(8);
  if (count === 0 || bytes.length !== start + 3 * WIDTH * count) return undefined;
  const cities = parseCities(bytes.subarray(HEAD, start));
  if (!cities) return undefined;
  const cityEnds = new Uint32Array(cities.length);
  let total = 0;
  cities.forEach((city, index) => {
    total += city.count;
    cityEnds[index] = total;
  });
  if (total !== count) return undefined;
  return { digest, count, content: { cities, cityEnds, records: bytes.subarray(start) }, isRead: true };
}

/** Reads a whole piece: from a file when it is first used, or from a bucket ahead of its use. */
type PieceReader = { readonly damaged: () => Error } & (
  | { readonly read: () => Buffer | undefined }
  | { readonly load: () => Promise<Buffer | undefined> }
);

/**
 * Opens a piece whose content is read on demand. Reading all pieces of a million takes 0.6 s from files and 0.9 s from a
 * bucket; one changed title needs one.
 *
 * @param count number of its entries, by the manifest.
 * @returns its content throws the error of `damaged` for anything else than this piece.
 */
export function openPiece(digest: string, count: number, reader: PieceReader): SequencePiece {
  let content: PieceContent | undefined;
  const keep = (bytes: Buffer | undefined): PieceContent => {
    const piece = bytes && digestOf(bytes) === digest ? parsePiece(bytes, digest) : undefined;
    if (piece?.count !== count) throw reader.damaged();
    content = piece.content;
    return content;
  };
  return {
    digest,
    count,
    get isRead() {
      return content !== undefined;
    },
    get content() {
      if (content) return content;
      if ('load' in reader) throw new Error(`piece ${digest} was not loaded`);
      return keep(reader.read());
    },
    async load() {
      if (!content && 'load' in reader) keep(await reader.load());
    },
  };
}

/** Entries in order; arrays qualify. */
export type SequenceView = Iterable<Comparable> & {
  readonly length: number;
  /** Returns the entry at an index from 0. */
  readonly at: (place: number) => Comparable | undefined;
};

/** Indices in the sequence, by id; maps qualify. */
export type PlacesView = {
  readonly size: number;
  readonly has: (id: string) => boolean;
  readonly get: (id: string) => number | undefined;
};

/**
 * Makes a view of pieces as one sequence. Entries are decoded on access: all entries of a million would take ten times
 * the memory of the pieces.
 */
export function viewPieces(pieces: readonly SequencePiece[]): SequenceView {
  const starts = startsOf(pieces);
  const length = starts.at(-1)!;
  return {
    length,
    at(place) {
      if (!(place >= 0 && place < length)) return undefined;
      const index = lastUpTo(starts, place);
      const piece = pieces[index]!;
      const within = place - starts[index]!;
      const { cities, cityEnds } = piece.content;
      return entryAt(piece, within, cities[lastUpTo(cityEnds, within) + 1]!);
    },
    [Symbol.iterator]: () => entriesOf(pieces),
  };
}

function* entriesOf(pieces: readonly SequencePiece[]): Generator<Comparable> {
  for (const piece of pieces) {
    const { cities, cityEnds } = piece.content;
    let city = 0;
    for (let index = 0; index < piece.count; index++) {
      if (index === cityEnds[city]) city++;
      yield entryAt(piece, index, cities[city]!);
    }
  }
}

/**
 * Returns the indices of the properties in pieces. Builds its hash table with the first lookup: of the pieces in memory,
 * and of all once a lookup finds nothing there.
 */
export function placesIn(pieces: readonly SequencePiece[]): PlacesView {
  const starts = startsOf(pieces);
  const size = starts.at(-1)!;
  let table: Uint32Array | undefined;
  let isWhole = false;
  const find = (wanted: Buffer, slots: Uint32Array): number | undefined => {
    const mask = slots.length - 1;
    for (let slot = hashOf(wanted, 0) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const place = slots[slot]! - 1;
      const index = lastUpTo(starts, place);
      const offset = WIDTH * (place - starts[index]!);
      if (wanted.compare(pieces[index]!.content.records, offset, offset + WIDTH) === 0) return place;
    }
    return undefined;
  };
  const get = (id: string): number | undefined => {
    if (!CANONICAL.test(id)) return undefined;
    const wanted = Buffer.from(digitsOf(id), 'hex');
    if (!table) {
      isWhole = pieces.every(({ isRead }) => isRead);
      table = placeTable(pieces, starts);
    }
    const place = find(wanted, table);
    if (place !== undefined || isWhole) return place;
    for (const piece of pieces) void piece.content;
    isWhole = true;
    table = placeTable(pieces, starts);
    return find(wanted, table);
  };
  return { size, get, has: (id) => get(id) !== undefined };
}

/** Builds an open-addressing hash table of indices plus one, of the pieces in memory; 0 is an empty slot. */
function placeTable(pieces: readonly SequencePiece[], starts: Uint32Array): Uint32Array {
  const read = [...pieces.entries()].filter(([, { isRead }]) => isRead);
  const size = read.reduce((sum, [, { count }]) => sum + count, 0);
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * size + 2)));
  const mask = table.length - 1;
  for (const [place, { content, count }] of read) {
    for (let index = 0; index < count; index++) {
      let slot = hashOf(content.records, WIDTH * index) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = starts[place]! + index + 1;
    }
  }
  return table;
}

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function hashOf(bytes: Buffer, offset: number): number {
  let hash = 0;
  for (let at = offset; at < offset + WIDTH; at += 4) {
    hash = Math.imul(hash ^ bytes.readUInt32LE(at), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

/** Number of entries before each piece, and in all. */
function startsOf(pieces: readonly SequencePiece[]): Uint32Array {
  const starts = new Uint32Array(pieces.length + 1);
  pieces.forEach(({ count }, index) => {
    starts[index + 1] = starts[index]! + count;
  });
  return starts;
}

/** Index of the last of ascending numbers that is not greater than `value`; -1 when all are. */
function lastUpTo(numbers: Uint32Array, value: number): number {
  let [low, high] = [-1, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numbers[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

function entryAt(
  { content: { records }, count }: SequencePiece,
  index: number,
  { country, city }: ChunkCity,
): Comparable {
  const digits = (column: number) => {
    const offset = WIDTH * (column * count + index);
    return records.toString('hex', offset, offset + WIDTH);
  };
  return { id: uuidOf(digits(0)), country, city, summaryDigest: digits(1), detailDigest: digits(2) };
}
