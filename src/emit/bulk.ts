/** Who writes the downloads: a thread of its own, beside everything else, when there is much of it. */
import { Worker } from 'node:worker_threads';
import type { BulkResult, BulkTask } from './bulk-files.ts';

/** Writes the downloads, once. */
export type BulkWriter = {
  /** Starts to write, on a thread of its own if there is enough to write. The task is looked at until the end. */
  readonly start: (task: BulkTask) => void;
  /** The result of what was started. */
  readonly finish: () => Promise<BulkResult>;
  /** Gives up, and waits until nothing is written any more. */
  readonly stop: () => Promise<void>;
};

// A worker cannot load TypeScript: from source everything runs on one thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./bulk-worker.js', import.meta.url);

/** Properties that are made in the time that a thread takes to start. */
const THREAD_PAYS = 2000;
/** Properties that are copied in the time that one takes to be made. */
const COPIED = 10;

/** @param jobs threads that the build may use. */
export function openBulkWriter(jobs: number): BulkWriter {
  let running: Running | undefined;
  return {
    start(task) {
      running = WORKER && jobs > 1 && workOf(task) >= THREAD_PAYS ? onThread(WORKER, task) : onDemand(task);
    },
    finish: () => running!.finish(),
    stop: async () => running?.stop(),
  };
}

type Running = Pick<BulkWriter, 'finish' | 'stop'>;

/** How much there is to write, in properties that are made. */
function workOf({ chunks, written }: BulkTask): number {
  const known = new Set(written.map(([digest]) => digest));
  return chunks.reduce(
    (sum, { start, end, digest }) => sum + (end - start) / (known.has(digest) ? COPIED : 1),
    0,
  );
}

function onDemand(task: BulkTask): Running {
  return {
    async finish() {
      const { writeBulk } = await import('./bulk-files.ts');
      return writeBulk(task);
    },
    stop: async () => {},
  };
}

function onThread(path: URL, task: BulkTask): Running {
  const worker = new Worker(path, { workerData: task });
  const result = new Promise<BulkResult>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new Error(`A worker thread ended with code ${code} and no result.`)),
    );
  });
  // A failure is told by `finish`, which may come later or never.
  result.catch(() => {});
  return {
    finish: () => result,
    stop: async () => {
      await worker.terminate();
    },
  };
}
