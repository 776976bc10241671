/**
 * Cuts pages: the one place that knows which entries a page of a list has, and which bytes it is made of. A source of
 * entries is joined summaries in memory or on the disk, or chunks of the packed layout. Pure and small, since it also
 * runs on platforms at the edge.
 */
import { PAGE_HEAD, pageTail } from '../contract/pagination.ts';
import type { JoinedSummaries, Run } from './sequence.ts';

/** Entries `from` up to and without `to` of one of several runs, counted from the start of that run. */
export type Slice = { readonly run: number; readonly from: number; readonly to: number };

// Marked as pure, so that a bundle that cuts no pages leaves them out.
const encoder = /* @__PURE__ */ new TextEncoder();
const HEAD = /* @__PURE__ */ encoder.encode(PAGE_HEAD);
const COMMA = /* @__PURE__ */ encoder.encode(',');

/**
 * What a page takes from the runs of a scope.
 *
 * @param counts entries of each run, in the order of the sequence.
 * @returns at most `size` slices, none of them empty; none at all for a page past the end.
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

/** The entries of a page, out of joined summaries: a view of the bytes for each run that the page touches. */
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
 * The bytes of a page, in pieces.
 *
 * @param entries its entries, each piece joined by commas.
 * @param total entries of all pages.
 * @param encode makes bytes of ASCII. A build has a quicker way than the one of every platform, and half a million pages.
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

/** Pieces as one array of bytes. */
export function joinPieces(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
