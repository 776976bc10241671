/**
 * Cuts pages: decides a page's entries and bytes, for summaries in memory, on disk, or in chunks of the packed layout.
 * Pure and small, since it also runs at the edge.
 */
import { PAGE_HEAD, pageTail } from '../contract/pagination.ts';
import type { JoinedSummaries, Run } from './sequence.ts';

/** The entries from `from` up to, but not including, `to` of one run, counted from the run's start. */
export type Slice = { readonly run: number; readonly from: number; readonly to: number };

// Marked as pure, so that bundles which cut no pages omit them.
const encoder = /* @__PURE__ */ new TextEncoder();
const HEAD = /* @__PURE__ */ encoder.encode(PAGE_HEAD);
const COMMA = /* @__PURE__ */ encoder.encode(',');

/**
 * Computes the slices of a scope's runs that a page consists of.
 *
 * @param counts number of entries of each run, in order.
 * @returns at most `size` slices, none of them empty; an empty array past the last page.
 */
export function slicesOf(counts: readonly number[], number: number, size: number): Slice[] {
  const slices: Slice[] = [];
  const end = number * size;
  let before = 0;
  for (let run = 0; run < counts.length && before < end; run++) {
    const from = Math.max(0, end - size - before);
    const to = Math.min(counts[run]!, end - before);
    if (from < to) slices.push({ run, from, to });
    before += counts[run]!;
  }
  return slices;
}

/** Cuts the entries of a page out of joined summaries: one view of the bytes per run. */
export function entriesOf(
  { bytes, offsets }: JoinedSummaries,
  runs: readonly Run[],
  number: number,
  size: number,
): Uint8Array[] {
  const counts = runs.map(({ start, end }) => end - start);
  return slicesOf(counts, number, size).map(({ run, from, to }) => {
    const { start } = runs[run]!;
    return bytes.subarray(offsets[start + from], offsets[start + to]! - 1);
  });
}

/**
 * Assembles the bytes of a page, in pieces.
 *
 * @param entries its entries, each piece joined by commas.
 * @param total number of entries in all pages.
 * @param encode encodes ASCII; a build, with half a million pages, passes a faster function than the portable default.
 */
export function cutPage(
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

export function joinPieces(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
