/**
 * Writes pages, totals, details, parts and downloads. Threads take pieces of work by a shared counter. A page is a
 * slice of the joined summaries between a head and a tail, so no summary is serialised again.
 */
import type { FieldTable } from '../../contract/fields.ts';
import { pageKey, propertyKey, totalKey } from '../../contract/object-keys.ts';
import { pageCount, type Range } from '../../contract/pagination.ts';
import { csvTableOfFields } from '../../documents/csv-table.ts';
import { makePublicFolder, writePieces } from '../../files/folder.ts';
import { type ChangedScope, changedPageNumbers } from '../../release/compare-lists.ts';
import { cutPage, pageEntries } from '../../release/page.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';
import type { YieldIfDue } from '../progress.ts';
import {
  type PlannedParts,
  type WrittenPart,
  type WrittenParts,
  writeDownloads,
  writePart,
} from './downloads.ts';
import { createPropertyReader, type PropertySource } from './property-reader.ts';

/** Sent to threads: only plain data and shared memory. */
export type EmitTask = PropertySource &
  PlannedParts & {
    readonly scopes: readonly ChangedScope[];
    readonly sizes: readonly number[];
    readonly details: readonly number[];
    /** Indexes in the sequence, sorted by id. */
    readonly order: Uint32Array;
    readonly pieces: readonly EmitPiece[];
    readonly fields: FieldTable;
    /** Index of the next piece, and number of written files. */
    readonly counter: Int32Array;
  };

export type EmitPiece = Range & {
  readonly kind: 'details' | 'parts' | 'whole' | 'scopes' | 'sizes';
  readonly scope?: number;
};

export const FILES_PER_PIECE = 1000;

/** A piece has about 1000 files at most; more only if a list has more pages of one size. */
export function divideEmitWork({
  scopes,
  sizes,
  details,
  parts,
  whole,
}: Pick<EmitTask, 'scopes' | 'sizes' | 'details' | 'parts' | 'whole'>): EmitPiece[] {
  const pieces: EmitPiece[] = parts.map((_, index) => ({ kind: 'parts', start: index, end: index + 1 }));
  if (whole) pieces.push({ kind: 'whole', start: 0, end: 1 });
  let start = 0;
  let files = 0;
  const close = (end: number) => {
    if (end > start) pieces.push({ kind: 'scopes', start, end });
    start = end;
    files = 0;
  };
  scopes.forEach((changed, index) => {
    const pages = sizes.reduce((sum, size) => sum + changedCount(changed, size), 0);
    if (pages > FILES_PER_PIECE) {
      close(index);
      pieces.push(...divideSizes(index, changed, sizes));
      start = index + 1;
      return;
    }
    files += pages + 1;
    if (files > FILES_PER_PIECE) close(index + 1);
  });
  close(scopes.length);
  for (let start = 0; start < details.length; start += FILES_PER_PIECE) {
    pieces.push({ kind: 'details', start, end: Math.min(details.length, start + FILES_PER_PIECE) });
  }
  return pieces;
}

function changedCount({ scope, indexes }: ChangedScope, size: number): number {
  const pages = pageCount(scope.total, size);
  return indexes ? Math.min(pages, indexes.length) : pages;
}

function divideSizes(scope: number, changed: ChangedScope, sizes: readonly number[]): EmitPiece[] {
  const pieces: EmitPiece[] = [];
  let start = 0;
  let files = 0;
  sizes.forEach((size, index) => {
    files += changedCount(changed, size);
    if (files < FILES_PER_PIECE && index < sizes.length - 1) return;
    pieces.push({ kind: 'sizes', scope, start, end: index + 1 });
    start = index + 1;
    files = 0;
  });
  return pieces;
}

/**
 * Takes pieces until none is left.
 * @param onPiece awaited after each piece
 * @throws file system errors
 */
export async function emitFiles(task: EmitTask, onPiece?: YieldIfDue): Promise<WrittenParts> {
  const { root, counter } = task;
  const reader = createPropertyReader(task);
  const parts: WrittenPart[] = [];
  let whole: WrittenParts['whole'];
  try {
    for (;;) {
      const piece = task.pieces[Atomics.add(counter, 0, 1)];
      if (!piece) return { parts, whole };
      let files = 0;
      if (piece.kind === 'parts') {
        for (const part of task.parts.slice(piece.start, piece.end))
          parts.push(writePart(root, reader, part, task.order));
        files += piece.end - piece.start;
      } else if (piece.kind === 'whole') {
        whole = writeDownloads(root, reader, task.whole!, task.order.length, csvTableOfFields(task.fields));
        files += whole.files.length;
      } else if (piece.kind === 'details') {
        for (const index of task.details.slice(piece.start, piece.end))
          writePieces(`${root}/${propertyKey(reader.id(index))}`, [reader.detail(index)]);
        files += piece.end - piece.start;
      } else files += writePages(task, piece);
      Atomics.add(counter, 1, files);
      await onPiece?.();
    }
  } finally {
    reader.close();
  }
}

function writePages({ root, summaries, scopes, sizes }: EmitTask, piece: EmitPiece): number {
  let files = 0;
  const write = (changed: ChangedScope, ofSizes: readonly number[], hasTotal: boolean) => {
    if (changed.before === 0) makePublicFolder(`${root}/${changed.folder}`);
    for (const { key, pieces } of pageFilesOfScope(summaries!, changed, ofSizes, hasTotal)) {
      writePieces(`${root}/${key}`, pieces);
      files++;
    }
  };
  if (piece.scope !== undefined)
    write(scopes[piece.scope]!, sizes.slice(piece.start, piece.end), piece.start === 0);
  else for (const changed of scopes.slice(piece.start, piece.end)) write(changed, sizes, true);
  return files;
}

/** In separate buffers, since writing them is faster than joining them. */
type FileInPieces = { readonly key: string; readonly pieces: readonly Uint8Array[] };

/** Changed pages of the given sizes, and the total if it changed. */
export function* pageFilesOfScope(
  summaries: JoinedSummaries,
  { scope, folder, before, indexes }: ChangedScope,
  sizes: readonly number[],
  hasTotal = true,
): Generator<FileInPieces> {
  const { runs, total } = scope;
  for (const size of sizes) {
    for (const number of changedPageNumbers({ scope, folder, before, indexes }, size)) {
      const entries = pageEntries(summaries, runs, number, size);
      yield { key: pageKey(folder, size, number), pieces: cutPage(entries, number, size, total, toBytes) };
    }
  }
  // `before` is also 0 for a new scope, so the total of an empty catalogue, 0, is written always.
  if (hasTotal && (before !== total || total === 0))
    yield { key: totalKey(folder), pieces: [toBytes(String(total))] };
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
