/**
 * The build stage that writes pages, totals and details. It runs on one or several threads, which take pieces of work
 * by a shared counter. A page is a slice of the joined summaries between a head and a tail: nothing is serialized
 * again.
 */
import { closeSync, openSync, readSync, writeFileSync, writevSync } from 'node:fs';
import { pageKey, propertyKey, totalKey } from '../../contract/keys.ts';
import { pageCount } from '../../contract/pagination.ts';
import { makeFolder } from '../../folder.ts';
import { type ChangedScope, changedPages } from '../../release/comparison.ts';
import { cutPage, entriesOf } from '../../release/page.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';

/** A detail to write: its id, and its location in a spool, given by index. */
export type StagedDetail = {
  readonly id: string;
  readonly spool: number;
  readonly offset: number;
  readonly length: number;
};

/** Input of the stage. It is sent to threads, so it holds only plain data and shared memory. */
export type EmitTask = {
  readonly root: string;
  readonly summaries: JoinedSummaries;
  readonly scopes: readonly ChangedScope[];
  readonly sizes: readonly number[];
  readonly details: readonly StagedDetail[];
  /** Paths of the spools. */
  readonly spools: readonly string[];
  readonly pieces: readonly Piece[];
  /** Index of the next piece to take; number of files written. */
  readonly counter: Int32Array;
};

/** A piece of work: some details, all sizes of some scopes, or some sizes of one large scope. */
export type Piece =
  | { readonly kind: 'details'; readonly from: number; readonly to: number }
  | { readonly kind: 'scopes'; readonly from: number; readonly to: number }
  | { readonly kind: 'sizes'; readonly scope: number; readonly from: number; readonly to: number };

/** Approximate number of files in a piece of work. */
export const FILES_PER_PIECE = 1000;

/** Called between two pieces of work; mostly returns nothing to wait for. */
export type Pause = () => Promise<void> | undefined;

/** Divides the work into pieces of about a thousand files at most; one size of one scope is never divided. */
export function toPieces(
  scopes: readonly ChangedScope[],
  sizes: readonly number[],
  details: number,
): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let files = 0;
  const close = (to: number) => {
    if (to > from) pieces.push({ kind: 'scopes', from, to });
    from = to;
    files = 0;
  };
  scopes.forEach((changed, index) => {
    const pages = sizes.reduce((sum, size) => sum + changedCount(changed, size), 0);
    if (pages > FILES_PER_PIECE) {
      close(index);
      pieces.push(...divideSizes(index, changed, sizes));
      from = index + 1;
      return;
    }
    files += pages + 1;
    if (files > FILES_PER_PIECE) close(index + 1);
  });
  close(scopes.length);
  for (let start = 0; start < details; start += FILES_PER_PIECE) {
    pieces.push({ kind: 'details', from: start, to: Math.min(details, start + FILES_PER_PIECE) });
  }
  return pieces;
}

/** Returns the maximum number of pages of one size to write. */
function changedCount({ scope, places }: ChangedScope, size: number): number {
  const pages = pageCount(scope.total, size);
  return places ? Math.min(pages, places.length) : pages;
}

function divideSizes(scope: number, changed: ChangedScope, sizes: readonly number[]): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let files = 0;
  sizes.forEach((size, index) => {
    files += changedCount(changed, size);
    if (files < FILES_PER_PIECE && index < sizes.length - 1) return;
    pieces.push({ kind: 'sizes', scope, from, to: index + 1 });
    from = index + 1;
    files = 0;
  });
  return pieces;
}

/**
 * Writes until no piece is left.
 *
 * @param onPiece called after each piece, and awaited.
 * @returns the number of bytes written.
 * @throws the error of the file system.
 */
export async function writeFiles(task: EmitTask, onPiece?: Pause): Promise<number> {
  const { root, scopes, sizes, counter } = task;
  let bytes = 0;
  for (;;) {
    const piece = task.pieces[Atomics.add(counter, 0, 1)];
    if (!piece) return bytes;
    let files = 0;
    const write = (found: Iterable<FileInPieces>) => {
      for (const { key, pieces } of found) {
        bytes += writePieces(`${root}/${key}`, pieces);
        files++;
      }
    };
    const writeScope = (changed: ChangedScope, ofSizes: readonly number[]) => {
      if (changed.before === 0) makeFolder(`${root}/${changed.folder}`);
      write(filesOfScope(task.summaries, changed, ofSizes));
    };
    if (piece.kind === 'details') write(detailFiles(task, piece.from, piece.to));
    else if (piece.kind === 'sizes') {
      const changed = scopes[piece.scope]!;
      writeScope(changed, sizes.slice(piece.from, piece.to));
      if (piece.from === 0) write(totalFile(changed));
    } else {
      for (const changed of scopes.slice(piece.from, piece.to)) {
        writeScope(changed, sizes);
        write(totalFile(changed));
      }
    }
    Atomics.add(counter, 1, files);
    await onPiece?.();
  }
}

/** A file as a list of buffers, which are written without joining: that is faster. */
type FileInPieces = { readonly key: string; readonly pieces: readonly Uint8Array[] };

/** Yields a scope's changed pages of some sizes. */
export function* filesOfScope(
  summaries: JoinedSummaries,
  changed: ChangedScope,
  sizes: readonly number[],
): Generator<FileInPieces> {
  const { scope, folder } = changed;
  for (const size of sizes) {
    for (const number of changedPages(changed, size)) {
      const entries = entriesOf(summaries, scope.runs, number, size);
      yield {
        key: pageKey(folder, size, number),
        pieces: cutPage(entries, number, size, scope.total, toBytes),
      };
    }
  }
}

/** Returns the total file of a scope, if the total changed. */
export function totalFile({ scope, folder, before }: ChangedScope): FileInPieces[] {
  // The total of an empty catalogue is 0, as is that of a new scope, so it is always written.
  if (before === scope.total && scope.total > 0) return [];
  return [{ key: totalKey(folder), pieces: [Buffer.from(String(scope.total))] }];
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function* detailFiles({ details, spools }: EmitTask, from: number, to: number): Generator<FileInPieces> {
  const open = new Map<number, number>();
  try {
    for (const { id, spool, offset, length } of details.slice(from, to)) {
      let file = open.get(spool);
      if (file === undefined) {
        file = openSync(spools[spool]!, 'r');
        open.set(spool, file);
      }
      const bytes = Buffer.allocUnsafe(length);
      readSync(file, bytes, 0, length, offset);
      yield { key: propertyKey(id), pieces: [bytes] };
    }
  } finally {
    for (const file of open.values()) closeSync(file);
  }
}

/** Writes a file. Returns the number of bytes. */
function writePieces(path: string, pieces: readonly Uint8Array[]): number {
  const file = openSync(path, 'w');
  try {
    let length = 0;
    for (const piece of pieces) length += piece.length;
    const written = writevSync(file, pieces);
    // A nearly full disk accepts a part; writing the rest throws its error.
    if (written < length) writeFileSync(file, Buffer.concat(pieces).subarray(written));
    return length;
  } finally {
    closeSync(file);
  }
}
