/** Starts the writing of the downloads: beside everything else when there is much of it, else when it is awaited. */
import { Worker } from 'node:worker_threads';
import type { BulkResult, BulkTask } from './bulk-files.ts';

/** Downloads on their way. */
export type RunningBulk = {
  /** The result; the work is done now, unless a thread did it already. */
  readonly finish: () => Promise<BulkResult>;
  /** Gives up, and waits until nothing is written any more. */
  readonly stop: () => Promise<void>;
};

// A worker cannot load TypeScript: from source everything runs on one thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./bulk-worker.js', import.meta.url);

/** Chunks to make anew from which on a thread is worth its start; to copy the others is quickly done. */
const THREAD_PAYS = 50;

/**
 * Starts to write. The task is looked at from now until the end.
 *
 * @param jobs threads that the build may use.
 */
export function startBulk(task: BulkTask, jobs: number): RunningBulk {
  const written = new Set(task.written.map(([digest]) => digest));
  const made = task.chunks.filter(({ digest }) => !written.has(digest)).length;
  if (!WORKER || jobs < 2 || made < THREAD_PAYS) {
    return {
      finish: async () => {
        const { writeBulk } = await import('./bulk-files.ts');
        return writeBulk(task);
      },
      stop: async () => {},
    };
  }
  const worker = new Worker(WORKER, { workerData: task });
  const result = new Promise<BulkResult>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new Error(`A worker thread ended with code ${code} and no result.`)),
    );
  });
  // A failure is told by `finish`, which may come later.
  result.catch(() => {});
  return {
    finish: () => result,
    stop: async () => {
      await worker.terminate();
    },
  };
}
