/**
 * The stage that writes pages, totals and details. It runs on one thread or on several; the threads take pieces of
 * work from one counter. A page is a stretch of the joined summaries between a head and a tail: nothing is
 * serialised again.
 */
import { closeSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writevSync } from 'node:fs';
import { pageKey, propertyKey, totalKey } from '../../contract/keys.ts';
import { pageCount } from '../../contract/pagination.ts';
import { makeFolder } from '../../folder.ts';
import { type ChangedScope, changedPages } from '../../release/comparison.ts';
import { cutPage, entriesOf } from '../../release/page.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';

/** A detail to write: its id, and where its bytes wait; `spool` is the number of the file. */
export type StagedDetail = {
  readonly id: string;
  readonly spool: number;
  readonly offset: number;
  readonly length: number;
};

/** What the stage needs. Crosses threads, so it holds only plain data and shared memory. */
export type EmitTask = {
  /** Absolute path of `dist/public`. */
  readonly root: string;
  readonly summaries: JoinedSummaries;
  readonly scopes: readonly ChangedScope[];
  readonly sizes: readonly number[];
  readonly details: readonly StagedDetail[];
  /** Paths of the files with details, by number. */
  readonly spools: readonly string[];
  readonly pieces: readonly Piece[];
  /** Next piece to take; files written. */
  readonly counter: Int32Array;
};

/** A piece of work: some details, all of some scopes, or some sizes of one large scope. */
export type Piece =
  | { readonly kind: 'details'; readonly from: number; readonly to: number }
  | { readonly kind: 'scopes'; readonly from: number; readonly to: number }
  | { readonly kind: 'sizes'; readonly scope: number; readonly from: number; readonly to: number };

/** Files of one piece of work, about. */
export const FILES_PER_PIECE = 1000;

/** What happens between two pieces of work; nothing to wait for, most of the time. */
export type Pause = () => Promise<void> | undefined;

/** Divides the work. Every piece has about a thousand files at most, unless one size of one scope has more. */
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

/** Number of pages of one size that are written, at most. */
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
 * @param onPiece called after each piece, and waited for.
 * @returns the number of bytes written.
 * @throws the error of the file system.
 */
export async function writeFiles(task: EmitTask, onPiece?: Pause): Promise<number> {
  const writer = createWriter(task.root);
  await emitPieces(task, writer, onPiece);
  return writer.bytes();
}

/** Compares what is there with what {@link writeFiles} would write, and returns the keys that differ. */
export async function findDifferences(task: EmitTask): Promise<string[]> {
  const comparer = createComparer(task.root);
  await emitPieces(task, comparer);
  return comparer.differences;
}

async function emitPieces(task: EmitTask, writer: Writer, onPiece?: Pause): Promise<void> {
  for (;;) {
    const piece = task.pieces[Atomics.add(task.counter, 0, 1)];
    if (!piece) break;
    const before = writer.files();
    if (piece.kind === 'details') writeDetails(task, piece.from, piece.to, writer);
    else if (piece.kind === 'sizes') {
      writeScope(task, task.scopes[piece.scope]!, piece.from, piece.to, writer);
    } else {
      for (let index = piece.from; index < piece.to; index++) {
        writeScope(task, task.scopes[index]!, 0, task.sizes.length, writer);
      }
    }

    Atomics.add(task.counter, 1, writer.files() - before);
    await onPiece?.();
  }
}

function writeScope(task: EmitTask, changed: ChangedScope, from: number, to: number, writer: Writer): void {
  const { scope, folder, before } = changed;
  if (before === 0) writer.folder(folder);
  // An empty catalogue had no other total before, and none at all when it is new.
  const hasNewTotal = before !== scope.total || scope.total === 0;
  if (from === 0 && hasNewTotal) writer.file(totalKey(folder), [Buffer.from(String(scope.total))]);
  for (let index = from; index < to; index++) {
    const size = task.sizes[index]!;
    for (const number of changedPages(changed, size)) {
      const entries = entriesOf(task.summaries, scope.runs, number, size);
      writer.file(pageKey(folder, size, number), cutPage(entries, number, size, scope.total, toBytes));
    }
    for (let number = pageCount(before, size); number > pageCount(scope.total, size); number--) {
      writer.remove(pageKey(folder, size, number));
    }
  }
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function writeDetails({ details, spools }: EmitTask, from: number, to: number, writer: Writer): void {
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
      writer.file(propertyKey(id), [bytes]);
    }
  } finally {
    for (const file of open.values()) closeSync(file);
  }
}

/** Takes the files of a release one by one, each in pieces. */
type Writer = {
  /** Number of files so far. */
  readonly files: () => number;
  readonly folder: (key: string) => void;
  readonly file: (key: string, pieces: readonly Uint8Array[]) => void;
  readonly remove: (key: string) => void;
};

/** Compares files below a folder. Details are compared by their digests elsewhere. */
function createComparer(root: string): Writer & { readonly differences: string[] } {
  const differences: string[] = [];
  let files = 0;
  return {
    differences,
    files: () => files,
    folder: () => {},
    file(key, pieces) {
      files++;
      try {
        if (readFileSync(`${root}/${key}`).equals(Buffer.concat(pieces))) return;
      } catch {
        // A file that cannot be read differs too.
      }
      differences.push(key);
    },
    remove: () => {},
  };
}

/** Writes files below a folder. The pieces of a page go to the disk as they are: to join them takes longer. */
function createWriter(root: string): Writer & { readonly bytes: () => number } {
  let files = 0;
  let bytes = 0;
  return {
    files: () => files,
    bytes: () => bytes,
    folder(key) {
      makeFolder(`${root}/${key}`);
    },
    file(key, pieces) {
      const file = openSync(`${root}/${key}`, 'w');
      try {
        let length = 0;
        for (const piece of pieces) length += piece.length;
        const written = writevSync(file, pieces);
        // A disk that is nearly full takes a part, and says why when it is asked to take the rest.
        if (written < length) writeFileSync(file, Buffer.concat(pieces).subarray(written));
        bytes += length;
      } finally {
        closeSync(file);
      }
      files++;
    },
    remove(key) {
      rmSync(`${root}/${key}`, { force: true });
    },
  };
}
