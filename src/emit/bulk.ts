/** Who writes the downloads: a thread of its own, beside everything else, when there is much of it. */
import { Worker } from 'node:worker_threads';
import type { BulkResult, BulkTask } from './bulk-files.ts';

/** Writes the downloads, once. */
export type BulkWriter = {
  /** Starts to write, if there is a thread for it. The task is looked at from now until the end. */
  readonly start: (task: BulkTask) => void;
  /** The result of what was started. */
  readonly finish: () => Promise<BulkResult>;
  /** Gives up, and waits until nothing is written any more. */
  readonly stop: () => Promise<void>;
};

// A worker cannot load TypeScript: from source everything runs on one thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./bulk-worker.js', import.meta.url);

/** Properties from which on a thread is worth its start: copying what did not change takes its time, too. */
const THREAD_PAYS = 2000;

/**
 * Opens a writer. A thread takes some time to start: to be called before the task is known.
 *
 * @param properties how many there are, about.
 * @param jobs threads that the build may use.
 */
export function openBulkWriter(properties: number, jobs: number): BulkWriter {
  return WORKER && jobs > 1 && properties >= THREAD_PAYS ? onThread(WORKER) : onDemand();
}

function onDemand(): BulkWriter {
  let task: BulkTask | undefined;
  return {
    start: (given) => {
      task = given;
    },
    finish: async () => {
      const { writeBulk } = await import('./bulk-files.ts');
      return writeBulk(task!);
    },
    stop: async () => {},
  };
}

function onThread(path: URL): BulkWriter {
  const worker = new Worker(path);
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
    start: (task) => worker.postMessage(task),
    finish: () => result,
    stop: async () => {
      await worker.terminate();
    },
  };
}
