/** The build stage that writes the downloads. It runs beside later stages, once all properties are checked. */
import { join } from 'node:path';
import { type Configuration, hasBulk } from '../../contract/configuration.ts';
import { DOWNLOAD_KEYS, partKey } from '../../contract/document-keys.ts';
import { PARTS_FOLDER } from '../../contract/keys.ts';
import { renameFile } from '../../file-names.ts';
import { makeFolder } from '../../folder.ts';
import { DIGEST_LENGTH } from '../../release/digest.ts';
import type { OrderedCatalogue } from '../order.ts';
import type { OutputFolder } from '../output-folder.ts';
import { createPause } from '../progress.ts';
import { spoolPath } from '../read/files.ts';
import { createCounter, type Threads } from '../threads/pool.ts';
import {
  type BulkPart,
  type Division,
  divideDownloads,
  type Limits,
  type WrittenPart,
} from './bulk-chunks.ts';
import type { BulkTask, ChunkCopy, StagedDetails } from './bulk-files.ts';

/** Number of properties that are written in the time a thread takes to start. */
const MADE_PER_THREAD = 2000;
/** Number of properties that are copied in the time one takes to be made. */
const COPIED = 10;

export type DownloadsInput = Pick<OrderedCatalogue, 'sequence' | 'summaries' | 'fresh'> & {
  readonly configuration: Configuration;
  readonly folder: OutputFolder;
  /** Parts written by the last build; undefined when unknown. */
  readonly last: readonly WrittenPart[] | undefined;
  readonly threads: Threads;
  readonly limits?: Limits | undefined;
};

/** Downloads being written. */
export type Downloads = {
  /** Number of files. */
  readonly count: number;
  /** Waits for the files, and publishes them. */
  readonly finish: () => Promise<DownloadsResult>;
};

/** The parts in order, undefined without downloads, and the number of files written. */
export type DownloadsResult = {
  readonly parts: readonly WrittenPart[] | undefined;
  readonly written: number;
};

/** Starts to write the downloads that are enabled and differ from the last build's. Publishes nothing yet. */
export function startDownloads(input: DownloadsInput): Downloads {
  const { configuration, sequence, summaries, last = [], limits } = input;
  if (!hasBulk(configuration)) return { count: 0, finish: async () => ({ parts: undefined, written: 0 }) };
  const division = divideDownloads(sequence, summaries, limits);
  const known = new Map(last.map((part) => [part.digest, part]));
  const differing = division.parts.filter(({ digest }) => !known.has(digest));
  const finish = differing.length > 0 ? startParts(input, division, differing) : async () => [];
  return {
    count: division.parts.length * DOWNLOAD_KEYS.length,
    async finish() {
      const made = await finish();
      for (const part of made) known.set(part.digest, part);
      const parts = division.parts.map(({ digest }) => known.get(digest)!);
      return { parts, written: made.length * DOWNLOAD_KEYS.length };
    },
  };
}

/** Starts to write parts. Returns a function that publishes them. */
function startParts(
  input: DownloadsInput,
  { parts, isLarge }: Division,
  differing: readonly BulkPart[],
): () => Promise<WrittenPart[]> {
  const { folder, summaries, last = [], threads } = input;
  const chunks = writtenChunks(last, differing);
  const task: BulkTask = {
    root: folder.public,
    staging: folder.staging,
    summaries,
    staged: stagedDetails(input),
    parts: differing.map((part) => ({
      isFirst: part === parts[0],
      chunks: part.chunks.map(({ start, end, digest }) => ({ start, end, written: chunks.get(digest) })),
    })),
    counter: createCounter(),
  };
  makeFolder(folder.staging);
  const shared = threads.share('bulk', task, workOf(task) / MADE_PER_THREAD);
  return async () => {
    const { stagedPart, writeBulk } = await import('./bulk-files.ts');
    const written = await shared.finish(() => writeBulk(task, createPause()));
    if (isLarge) makeFolder(join(folder.public, PARTS_FOLDER));
    return written.flat().map(({ index, files, chunks }) => {
      const part = differing[index]!;
      const named = DOWNLOAD_KEYS.map((name, place) => {
        const { bytes, sha256 } = files[place]!;
        const key = isLarge ? partKey(name, sha256.slice(0, DIGEST_LENGTH)) : name;
        renameFile(stagedPart(folder.staging, index, name), join(folder.public, key));
        return { key, bytes, sha256 };
      });
      return {
        digest: part.digest,
        properties: part.chunks.reduce((sum, { start, end }) => sum + end - start, 0),
        files: named,
        chunks: part.chunks.map(({ digest }, place) => [digest, ...chunks[place]!]),
      };
    });
  };
}

/** Returns the chunks of these parts that the last build wrote, by digest. */
function writtenChunks(
  last: readonly WrittenPart[],
  parts: readonly BulkPart[],
): ReadonlyMap<string, ChunkCopy> {
  const wanted = new Set(parts.flatMap(({ chunks }) => chunks.map(({ digest }) => digest)));
  const found = new Map<string, ChunkCopy>();
  for (const { files, chunks } of last) {
    for (const [digest, ...spans] of chunks) if (wanted.has(digest)) found.set(digest, { files, spans });
  }
  return found;
}

/** Returns the amount of work, as a number of properties to make. */
function workOf({ parts }: BulkTask): number {
  const work = ({ start, end, written }: BulkTask['parts'][number]['chunks'][number]) =>
    (end - start) / (written ? COPIED : 1);
  return parts.reduce((sum, { chunks }) => sum + chunks.reduce((of, chunk) => of + work(chunk), 0), 0);
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
