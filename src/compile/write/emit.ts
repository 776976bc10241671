/**
 * Writes pages, totals, details, parts and downloads. A counter in shared memory gives each thread its next batch. A
 * page is a slice of the joined summaries between a head and a tail, so no summary is serialised again.
 */
import type { FieldTable } from '../../contract/fields.ts';
import { pageKey, propertyKey, totalKey } from '../../contract/object-keys.ts';
import { pageCount, type Range } from '../../contract/pagination.ts';
import { csvFormatOfFields } from '../../documents/csv-format.ts';
import { makePublicFolder, writePieces } from '../../files/files-and-folders.ts';
import { type ChangedScope, changedPageNumbers } from '../../release/compare-lists.ts';
import { assemblePage, pageEntries } from '../../release/page.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';
import type { YieldIfDue } from '../progress.ts';
import { damagedStateIfMissing } from '../state/damage.ts';
import type { WrittenBulkFiles, WrittenPart } from '../state/written-files.ts';
import { type PlannedBulkFiles, writeDownloads, writePart } from './bulk-files.ts';
import { createDetailReader, type DetailSource } from './detail-reader.ts';

/** Sent to threads: only plain data and shared memory. */
export type EmitTask = DetailSource &
  PlannedBulkFiles & {
    readonly scopes: readonly ChangedScope[];
    readonly sizes: readonly number[];
    readonly details: readonly number[];
    /** Indexes in the sequence, sorted by id. */
    readonly order: Uint32Array;
    readonly batches: readonly EmitBatch[];
    readonly fields: FieldTable;
    /** Index of the next batch, and number of written files. */
    readonly counter: Int32Array;
  };

type EmitWork = Pick<EmitTask, 'scopes' | 'sizes' | 'details' | 'parts' | 'downloads'>;

export type EmitBatch = Range & {
  readonly kind: 'details' | 'parts' | 'downloads' | 'scopes' | 'sizes';
  readonly scope?: number;
};

export const FILES_PER_BATCH = 1000;

/** A batch has at most about twice {@link FILES_PER_BATCH} files, unless one list has more pages in one page size. */
export function divideEmitWork({ scopes, sizes, details, parts, downloads }: EmitWork): EmitBatch[] {
  const batches: EmitBatch[] = parts.map((_, index) => ({ kind: 'parts', start: index, end: index + 1 }));
  if (downloads) batches.push({ kind: 'downloads', start: 0, end: 1 });
  let start = 0;
  let files = 0;
  const close = (end: number) => {
    if (end > start) batches.push({ kind: 'scopes', start, end });
    start = end;
    files = 0;
  };
  scopes.forEach((changed, index) => {
    const pages = sizes.reduce((sum, size) => sum + changedCount(changed, size), 0);
    if (pages > FILES_PER_BATCH) {
      close(index);
      batches.push(...divideSizes(index, changed, sizes));
      start = index + 1;
      return;
    }
    files += pages + 1;
    if (files > FILES_PER_BATCH) close(index + 1);
  });
  close(scopes.length);
  for (let start = 0; start < details.length; start += FILES_PER_BATCH) {
    batches.push({ kind: 'details', start, end: Math.min(details.length, start + FILES_PER_BATCH) });
  }
  return batches;
}

function changedCount({ scope, indexes }: ChangedScope, size: number): number {
  const pages = pageCount(scope.total, size);
  return indexes ? Math.min(pages, indexes.length) : pages;
}

function divideSizes(scope: number, changed: ChangedScope, sizes: readonly number[]): EmitBatch[] {
  const batches: EmitBatch[] = [];
  let start = 0;
  let files = 0;
  sizes.forEach((size, index) => {
    files += changedCount(changed, size);
    if (files < FILES_PER_BATCH && index < sizes.length - 1) return;
    batches.push({ kind: 'sizes', scope, start, end: index + 1 });
    start = index + 1;
    files = 0;
  });
  return batches;
}

/**
 * Writes the files of one batch after another, until none is left. Threads share `counter`.
 * @param onBatch awaited after each batch
 * @throws file system errors
 */
export async function emitFiles(task: EmitTask, onBatch?: YieldIfDue): Promise<WrittenBulkFiles> {
  const { publicFolder, counter } = task;
  const reader = createDetailReader(task);
  const parts: WrittenPart[] = [];
  let downloads: WrittenBulkFiles['downloads'];
  try {
    for (;;) {
      const batch = task.batches[Atomics.add(counter, 0, 1)];
      if (!batch) return { parts, downloads };
      let files = 0;
      if (batch.kind === 'parts') {
        for (const part of task.parts.slice(batch.start, batch.end))
          parts.push(writePart(publicFolder, reader, part, task.order));
        files += batch.end - batch.start;
      } else if (batch.kind === 'downloads') {
        downloads = writeDownloads(
          publicFolder,
          reader,
          task.downloads!,
          task.order.length,
          csvFormatOfFields(task.fields),
        );
        files += downloads.files.length;
      } else if (batch.kind === 'details') {
        for (const index of task.details.slice(batch.start, batch.end))
          writePieces(`${publicFolder}/${propertyKey(reader.id(index))}`, [reader.detail(index)]);
        files += batch.end - batch.start;
      } else files += writePages(task, batch);
      Atomics.add(counter, 1, files);
      await onBatch?.();
    }
  } finally {
    reader.close();
  }
}

function writePages({ publicFolder, summaries, scopes, sizes }: EmitTask, batch: EmitBatch): number {
  let files = 0;
  const write = (changed: ChangedScope, ofSizes: readonly number[], hasTotal: boolean) => {
    if (changed.before === 0) makePublicFolder(`${publicFolder}/${changed.folder}`);
    for (const { key, pieces } of pageFilesOfScope(summaries!, changed, ofSizes, hasTotal)) {
      damagedStateIfMissing(() => writePieces(`${publicFolder}/${key}`, pieces));
      files++;
    }
  };
  if (batch.scope !== undefined)
    write(scopes[batch.scope]!, sizes.slice(batch.start, batch.end), batch.start === 0);
  else for (const changed of scopes.slice(batch.start, batch.end)) write(changed, sizes, true);
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
      yield {
        key: pageKey(folder, size, number),
        pieces: assemblePage(entries, number, size, total, toBytes),
      };
    }
  }
  // A total of 0 is always written: `before` is 0 for a new scope too, so it cannot tell whether the file exists.
  if (hasTotal && (before !== total || total === 0))
    yield { key: totalKey(folder), pieces: [toBytes(String(total))] };
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
