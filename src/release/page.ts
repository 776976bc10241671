/** Finds the entries of a page and assembles its bytes. Small and pure, because it also runs at the edge. */
import { PAGE_HEAD, pageTail, type Range, type Slice } from '../contract/pagination.ts';
import type { JoinedSummaries } from './sequence.ts';

// Marked as pure, so that a bundler drops these constants from programs that assemble no pages.
const encoder = /* @__PURE__ */ new TextEncoder();
const HEAD = /* @__PURE__ */ encoder.encode(PAGE_HEAD);
const COMMA = /* @__PURE__ */ encoder.encode(',');

/**
 * Slices of a scope's runs that make up a page.
 * @param counts number of entries of each run
 * @returns no empty slices; an empty array for a number after the last page
 */
export function pageSlices(counts: readonly number[], number: number, size: number): Slice[] {
  const slices: Slice[] = [];
  const last = number * size;
  let before = 0;
  for (let index = 0; index < counts.length && before < last; index++) {
    const start = Math.max(0, last - size - before);
    const end = Math.min(counts[index]!, last - before);
    if (start < end) slices.push({ index, start, end });
    before += counts[index]!;
  }
  return slices;
}

export function pageEntries(
  { bytes, offsets }: JoinedSummaries,
  runs: readonly Range[],
  number: number,
  size: number,
): Uint8Array[] {
  const counts = runs.map(({ start, end }) => end - start);
  return pageSlices(counts, number, size).map(({ index, start, end }) => {
    const first = runs[index]!.start;
    return bytes.subarray(offsets[first + start], offsets[first + end]! - 1);
  });
}

/**
 * Returns the bytes in pieces.
 * @param entries entries of the page in pieces; within a piece, they are joined by commas
 * @param total number of entries in all pages
 * @param encode encodes ASCII; a build, with half a million pages, passes a faster function
 */
export function assemblePage(
  entries: readonly Uint8Array[],
  number: number,
  size: number,
  total: number,
  encode = (text: string): Uint8Array => encoder.encode(text),
): Uint8Array[] {
  const pieces: Uint8Array[] = [HEAD];
  for (const piece of entries) {
    if (pieces.length > 1) pieces.push(COMMA);
    pieces.push(piece);
  }
  pieces.push(encode(pageTail(number, size, total)));
  return pieces;
}

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
