/**
 * Divides the downloads into chunks and parts. A chunk is a range of the sequence that is made, compressed and recorded
 * on its own, so that a build makes only chunks with a change and copies the others. A part is a range of chunks with
 * its own file for each download; a small catalogue has one part. Boundaries depend on the ids, and on sizes where a
 * part would be too large.
 */

import { divide, type Fits, type PartSizes } from '../../packed/format/divide.ts';
import { textHashes } from '../../packed/format/text-hash.ts';
import type { Comparable } from '../../release/comparison.ts';
import { digestOf } from '../../release/digest.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';

/** A range of the sequence, from `start` up to but excluding `end`. */
type BulkChunk = {
  readonly start: number;
  readonly end: number;
  /** Digest of the properties' summaries and details. */
  readonly digest: string;
};

/** A range of chunks with files of its own. */
export type BulkPart = {
  readonly chunks: readonly BulkChunk[];
  /** Digest of everything that its files depend on. */
  readonly digest: string;
};

/** Division of the downloads. */
export type Division = {
  readonly parts: readonly BulkPart[];
  /** Whether parts have their own keys. Otherwise there is one part, with the keys of the downloads. */
  readonly isLarge: boolean;
};

/** A written part, as stored for the next build. Lists per download are in the order of the downloads. */
export type WrittenPart = {
  /** Digest of everything that its files depend on. */
  readonly digest: string;
  readonly properties: number;
  readonly files: readonly WrittenFile[];
  /** Digest of each chunk, and its location in each file. */
  readonly chunks: readonly (readonly [digest: string, ...spans: readonly ByteSpan[]])[];
};

type WrittenFile = { readonly key: string; readonly bytes: number; readonly sha256: string };

export type ByteSpan = readonly [offset: number, length: number];

/** Bytes of `properties.ndjson` above which the downloads are divided into parts. */
export const PARTS_ABOVE = 16_000_000;
/** Maximum bytes of a part, in each download. */
export const PART_BYTES = 8_000_000;

/** Bytes of a line of `properties.ndjson` in addition to the detail. */
const LINE = 46;
/** Maximum bytes of a property in any download, in addition to its detail and summary. */
const FRAME = 400;

/** Number of properties in a chunk. */
const CHUNKS: PartSizes = { every: 32, most: 256 };
/** Number of chunks in a part. `every` counts properties, since each boundary of parts is also one of chunks. */
const PARTS: PartSizes = { every: 2048, most: Number.POSITIVE_INFINITY };

/** The values of a property that division needs. */
export type Sized = Comparable & { readonly detailBytes: number };

export type Limits = { readonly above: number; readonly part: number };

/** Divides the downloads of a sequence into parts and chunks. */
export function divideDownloads(
  sequence: readonly Sized[],
  { offsets }: Pick<JoinedSummaries, 'offsets'>,
  limits: Limits = { above: PARTS_ABOVE, part: PART_BYTES },
): Division {
  const details = new Float64Array(sequence.length + 1);
  sequence.forEach(({ detailBytes }, index) => {
    details[index + 1] = details[index]! + detailBytes;
  });
  /** Upper limit of the bytes of these properties in any download. */
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
      // Only the first part has the table's header row.
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
