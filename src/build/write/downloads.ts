/** The stage that makes the downloads, beside all others that follow when all properties are known to be sound. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Configuration, hasBulk } from '../../contract/configuration.ts';
import { DOWNLOAD_KEYS } from '../../contract/document-keys.ts';
import type { OrderedCatalogue } from '../order.ts';
import type { OutputFolder } from '../output-folder.ts';
import { spoolPath } from '../read/files.ts';
import type { Threads } from '../threads/pool.ts';
import { chunksOf, type WrittenChunk } from './bulk-chunks.ts';
import type { BulkResult, BulkTask, StagedDetails } from './bulk-files.ts';
import type { RememberedFiles } from './documents.ts';

/** Properties that are made in the time that a thread takes to start. */
const MADE_PER_THREAD = 2000;
/** Properties that are copied in the time that one takes to be made. */
const COPIED = 10;

/** What the stage needs. */
export type DownloadsInput = Pick<OrderedCatalogue, 'sequence' | 'summaries' | 'fresh'> & {
  readonly configuration: Configuration;
  readonly folder: OutputFolder;
  /** What the last build wrote; undefined when unknown. */
  readonly last: RememberedFiles | undefined;
  readonly threads: Threads;
};

/** Downloads on their way. */
export type Downloads = {
  /** Publishes them. */
  readonly finish: () => Promise<DownloadsResult>;
};

/** What was written. */
export type DownloadsResult = Pick<BulkResult, 'documents'> & {
  readonly parts: BulkResult['parts'] | undefined;
  readonly chunks: readonly WrittenChunk[] | undefined;
  readonly written: number;
};

/** Starts with them, if they are wanted and something in them differs. Nothing is published yet. */
export function startDownloads(input: DownloadsInput): Downloads {
  const { configuration, sequence, summaries, folder, last, threads } = input;
  if (!hasBulk(configuration)) {
    return { finish: async () => ({ documents: [], parts: undefined, chunks: undefined, written: 0 }) };
  }
  const before = last?.bulk ?? [];
  const chunks = chunksOf(sequence);
  const isSame =
    before.length === chunks.length && chunks.every(({ digest }, index) => digest === before[index]![0]);
  if (last?.bulk && isSame) {
    const documents = DOWNLOAD_KEYS.map((key) => [key, last.documents[key]!] as const);
    return { finish: async () => ({ documents, parts: last.parts, chunks: before, written: 0 }) };
  }
  const { public: root, staging } = folder;
  const task: BulkTask = { root, staging, summaries, staged: stagedDetails(input), chunks, written: before };
  const handed = threads.hand('bulk', task, workOf(task) / MADE_PER_THREAD);
  return {
    async finish() {
      const result = await (handed ?? writeHere(task));
      for (const key of DOWNLOAD_KEYS) renameSync(join(staging, key), join(root, key));
      return { ...result, written: DOWNLOAD_KEYS.length };
    },
  };
}

/** How much there is to write, in properties that are made. */
function workOf({ chunks, written }: BulkTask): number {
  const known = new Set(written.map(([digest]) => digest));
  return chunks.reduce(
    (sum, { start, end, digest }) => sum + (end - start) / (known.has(digest) ? COPIED : 1),
    0,
  );
}

async function writeHere(task: BulkTask): Promise<BulkResult> {
  const { writeBulk } = await import('./bulk-files.ts');
  return writeBulk(task);
}

function stagedDetails({ sequence, fresh, folder }: DownloadsInput): StagedDetails {
  const spools: string[] = [];
  const numbers = new Map<number, number>();
  const spool = new Int32Array(sequence.length).fill(-1);
  const offset = new Float64Array(sequence.length);
  const length = new Int32Array(sequence.length);
  sequence.forEach((entry, index) => {
    const staged = fresh.get(entry)?.staged;
    if (!staged) return;
    let number = numbers.get(staged.spool);
    if (number === undefined) {
      number = spools.push(spoolPath(folder.staging, staged.spool)) - 1;
      numbers.set(staged.spool, number);
    }
    spool[index] = number;
    offset[index] = staged.offset;
    length[index] = staged.length;
  });
  return { spools, spool, offset, length };
}
