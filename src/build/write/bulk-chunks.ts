/**
 * The downloads in chunks and parts. A chunk is a stretch of the sequence that is made, compressed and remembered on its
 * own, so that a build makes only those that hold a change and copies the others. A part is a stretch of chunks in a file
 * of its own for each download; a small catalogue has one. Their ends depend on the ids,
 * and on sizes where a part would be too large.
 */

import { divide, type Fits, type PartSizes } from '../../packed/format/divide.ts';
import { textHashes } from '../../packed/format/text-hash.ts';
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

/** Properties of a chunk. */
const CHUNKS: PartSizes = { every: 32, most: 256 };
/** Chunks of a part. `every` counts properties, since each mark of parts is one of chunks too. */
const PARTS: PartSizes = { every: 2048, most: Number.POSITIVE_INFINITY };

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
  const fits: Fits = (start, end) => bytes(start, end) <= limits.part;
  const hashes = textHashes(sequence.length, (place) => sequence[place]!.id);
  const chunks = chunksOf(sequence, divide(hashes, CHUNKS, fits));
  const isLarge = details[sequence.length]! + LINE * sequence.length > limits.above;
  const stretches = isLarge ? partsOf(chunks, hashes, fits) : [chunks];
  return {
    isLarge,
    parts: stretches.map((stretch, index) => {
      // The first part has the head of a table.
      const about = isLarge ? `part ${index === 0}` : 'whole';
      return { chunks: stretch, digest: digestOf([about, ...stretch.map(({ digest }) => digest)].join(' ')) };
    }),
  };
}

function chunksOf(sequence: readonly Comparable[], ends: readonly number[]): BulkChunk[] {
  return ends.map((end, place) => {
    const start = ends[place - 1] ?? 0;
    let text = '';
    for (let index = start; index < end; index++) {
      const { id, summaryDigest, detailDigest } = sequence[index]!;
      text += id + summaryDigest + detailDigest;
    }
    return { start, end, digest: digestOf(text) };
  });
}

function partsOf(chunks: readonly BulkChunk[], hashes: Uint32Array, fits: Fits): BulkChunk[][] {
  const last = Uint32Array.from(chunks, ({ end }) => hashes[end - 1]!);
  const ends = divide(last, PARTS, (first, end) => fits(chunks[first]!.start, chunks[end - 1]!.end));
  return ends.map((end, index) => chunks.slice(ends[index - 1] ?? 0, end));
}
