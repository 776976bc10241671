/** Looks at the content folder, and reads nothing but the configuration. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { UsageError } from '../report/failure.ts';
import { CONFIGURATION_FILE, type Found, findSourceFiles } from '../source/find.ts';
import { filesOf, stampsOf } from './stamps.ts';

/** What was found, and the stamps of the files as one text. */
export type Scanned = Found & { readonly stamps: string };

/** A scan on its way. */
export type RunningScan = {
  /** Whether nothing is to be waited for. */
  readonly isDone: () => boolean;
  /** What it found. @throws as `scan`. */
  readonly finish: () => Promise<Scanned>;
};

/** What a scan on a thread of its own is told, and where it tells that it is done. */
export type ScanTask = { readonly content: string; readonly done: Int32Array };

/** What it sends back: no objects for the files, since copying ten thousand takes as long as finding them. */
export type ScanAnswer = Omit<Scanned, 'files'>;

// A worker cannot load TypeScript: from source everything runs on one thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./scan-worker.js', import.meta.url);

/** Starts to find the files, on a thread of its own if there is something else to do meanwhile. */
export function startScan(content: string, onThread: boolean): RunningScan {
  if (!onThread || !WORKER) {
    return {
      isDone: () => true,
      finish: async () => {
        const found = scan(content);
        return { ...found, stamps: stampsOf(found.files) };
      },
    };
  }
  const done = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(WORKER, { workerData: { content, done } satisfies ScanTask });
  const answer = new Promise<ScanAnswer | undefined>((resolve) => {
    worker.once('message', resolve);
    // What went wrong goes wrong here again, and is told then.
    worker.once('error', () => resolve(undefined));
    worker.once('exit', () => resolve(undefined));
  });
  return {
    isDone: () => Atomics.load(done, 0) === 1,
    finish: async () => {
      const { stamps, diagnostics } = (await answer) ?? (await startScan(content, false).finish());
      return { stamps, diagnostics, files: filesOf(stamps) };
    },
  };
}

/** Finds the files. @throws UsageError when there is no such folder. */
export function scan(content: string): Found {
  try {
    return findSourceFiles(content);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new UsageError(
      'no-content',
      `There is no content folder at ${content}. Name it with --content, or make it and put catalogue.yaml into it.`,
    );
  }
}

/** The bytes of the configuration; undefined when there is none. */
export function readConfigurationBytes(content: string): Buffer | undefined {
  const path = join(content, CONFIGURATION_FILE);
  try {
    // Reading a named pipe would wait for ever; what it is, is told with the other files.
    if (!statSync(path).isFile()) return undefined;
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // That there is no content folder is told by whoever looks for files.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
