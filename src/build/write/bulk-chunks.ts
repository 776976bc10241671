/**
 * The downloads in chunks and parts. A chunk is a stretch of the sequence that is made, compressed and remembered on its
 * own, so that a build makes only those that hold a change and copies the others. A part is a stretch of chunks in a file
 * of its own for each download; a small catalogue has one. Where both end depends on the ids, and on how many bytes
 * there are: a property that comes or goes moves no boundary but its own.
 */

import { textHash } from '../../packed/format/chunk-ends.ts';
import type { Comparable } from '../../release/comparison.ts';
import { digestOf } from '../../release/digest.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';

/** A stretch of the sequence, from `start` up to and without `end`. */
type BulkChunk = {
  readonly start: number;
  readonly end: number;
  /** Digest of the summaries and details of its properties. */
  readonly digest: string;
};

/** Stretches of the sequence that stand in files of their own. */
export type BulkPart = {
  readonly chunks: readonly BulkChunk[];
  /** Digest of all that its files depend on. */
  readonly digest: string;
};

/** How the downloads are divided. */
export type Division = {
  readonly parts: readonly BulkPart[];
  /** Whether parts have keys of their own. Otherwise there is one, under the keys of the downloads. */
  readonly isLarge: boolean;
};

/** A part that a build wrote, as the next one has to know it. What stands for each download is in its order. */
export type WrittenPart = {
  /** Digest of all that its files depend on. */
  readonly digest: string;
  readonly properties: number;
  readonly files: readonly WrittenFile[];
  /** Digest of each chunk, and its place in each file. */
  readonly chunks: readonly (readonly [digest: string, ...spans: readonly ByteSpan[]])[];
};

/** A file with a part of a download, or with all of it. */
type WrittenFile = { readonly key: string; readonly bytes: number; readonly sha256: string };

/** Bytes of a file. */
export type ByteSpan = readonly [offset: number, length: number];

/** Bytes of `properties.ndjson` above which the downloads are offered in parts. */
export const PARTS_ABOVE = 16_000_000;
/** Bytes of a part at most, in each download. */
export const PART_BYTES = 8_000_000;

/** Bytes of a line of `properties.ndjson` besides those of the detail. */
const LINE = 46;
/** Bytes of a property in any download at most, besides those of its detail and its summary. */
const FRAME = 400;

/** Properties of a chunk at most; about one id in 32 ends one. */
const MAX_CHUNK = 256;
const CHUNK_MARK = 31;
/** Chunks of a part at least, where it is cut off a longer stretch. */
const LEAST_CHUNKS = 8;

/** What division needs to know of a property. */
export type Sized = Comparable & { readonly detailBytes: number };

/** Limits, in bytes. @default {@link PARTS_ABOVE} and {@link PART_BYTES} */
export type Limits = { readonly above: number; readonly part: number };

/** Divides the downloads of a sequence. */
export function divideDownloads(
  sequence: readonly Sized[],
  { offsets }: Pick<JoinedSummaries, 'offsets'>,
  limits: Limits = { above: PARTS_ABOVE, part: PART_BYTES },
): Division {
  const details = new Float64Array(sequence.length + 1);
  sequence.forEach(({ detailBytes }, index) => {
    details[index + 1] = details[index]! + detailBytes;
  });
  /** No download has more bytes of these properties. */
  const bytes = (start: number, end: number) =>
    details[end]! - details[start]! + offsets[end]! - offsets[start]! + FRAME * (end - start);
  const chunks = chunksOf(sequence, (start, end) => bytes(start, end) <= limits.part);
  const isLarge = details[sequence.length]! + LINE * sequence.length > limits.above;
  const stretches = isLarge
    ? partsOf(sequence, chunks, (start, end) => bytes(start, end) <= limits.part)
    : [chunks];
  return {
    isLarge,
    parts: stretches.map((stretch, index) => {
      // The first part has the head of a table.
      const about = isLarge ? `part ${index === 0}` : 'whole';
      return { chunks: stretch, digest: digestOf([about, ...stretch.map(({ digest }) => digest)].join(' ')) };
    }),
  };
}

/** Whether items from `start` up to and without `end` may stand together. */
type Fits = (start: number, end: number) => boolean;

function chunksOf(sequence: readonly Comparable[], fits: Fits): BulkChunk[] {
  const hashes = Uint32Array.from(sequence, ({ id }) => textHash(id));
  const fitsChunk: Fits = (start, end) => end - start <= MAX_CHUNK && fits(start, end);
  const ends: number[] = [];
  for (let end = 1; end <= sequence.length; end++) {
    const isLast = end === sequence.length || (hashes[end - 1]! & CHUNK_MARK) === 0;
    if (isLast) divide(hashes, ends.at(-1) ?? 0, end, 1, fitsChunk, ends);
  }
  let start = 0;
  return ends.map((end) => {
    let text = '';
    for (let index = start; index < end; index++) {
      const { id, summaryDigest, detailDigest } = sequence[index]!;
      text += id + summaryDigest + detailDigest;
    }
    const chunk = { start, end, digest: digestOf(text) };
    start = end;
    return chunk;
  });
}

function partsOf(sequence: readonly Comparable[], chunks: readonly BulkChunk[], fits: Fits): BulkChunk[][] {
  const hashes = Uint32Array.from(chunks, ({ end }) => textHash(sequence[end - 1]!.id));
  const ends: number[] = [];
  const fitsPart: Fits = (first, end) => fits(chunks[first]!.start, chunks[end - 1]!.end);
  divide(hashes, 0, chunks.length, LEAST_CHUNKS, fitsPart, ends);
  return ends.map((end, index) => chunks.slice(ends[index - 1] ?? 0, end));
}

/**
 * Puts down the ends of a stretch: one, or when it does not fit, of two stretches that are divided in turn. They meet
 * after the item with the least hash, the first of them. So where a stretch may be divided depends on its ids alone,
 * what fits decides only how often it is, and an item that comes or goes is missed in the stretches that it was in. (The
 * middles of the packed format, which chunks hold to rarely, would move with it.)
 *
 * @param least items that the shorter one has at least, where there are twice as many.
 */
function divide(
  hashes: Uint32Array,
  start: number,
  end: number,
  least: number,
  fits: Fits,
  ends: number[],
): void {
  if (end - start < 2 || fits(start, end)) {
    ends.push(end);
    return;
  }
  const margin = Math.min(least, Math.floor((end - start) / 2));
  let middle = start + margin;
  for (let at = middle + 1; at <= end - margin; at++) if (hashes[at - 1]! < hashes[middle - 1]!) middle = at;
  divide(hashes, start, middle, least, fits, ends);
  divide(hashes, middle, end, least, fits, ends);
}
