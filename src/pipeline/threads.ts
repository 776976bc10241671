/** Runs one stage on several threads that share the work through a counter in shared memory. */
import { Worker } from 'node:worker_threads';
import { type EmitTask, writeFiles } from '../emit/page-files.ts';
import { type FileRecord, type ReadTask, readFiles } from './read-stage.ts';

/** A stage, and what it works on. */
export type Work =
  | { readonly stage: 'read'; readonly task: ReadTask }
  | { readonly stage: 'emit'; readonly task: EmitTask };

/** What is sent to a worker. */
export type WorkerInput = Work & { readonly thread: number };

// A worker cannot load TypeScript: from source everything runs on one thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./worker.js', import.meta.url);

/** Reads files on `jobs` threads. The records come in no particular order. */
export async function readOnThreads(task: ReadTask, jobs: number, onStep: () => void): Promise<FileRecord[]> {
  const results = await run({ stage: 'read', task }, jobs, () => readFiles(task, 0, onStep));
  return results.flat();
}

/** Writes files on `jobs` threads. Returns the number of bytes written. */
export async function emitOnThreads(task: EmitTask, jobs: number, onStep: () => void): Promise<number> {
  const results = await run({ stage: 'emit', task }, jobs, () => writeFiles(task, onStep));
  return results.reduce((sum, bytes) => sum + bytes, 0);
}

/** Shared memory for a counter of work taken and one of work done. */
export function createCounter(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** The calling thread works too: it would only wait otherwise. */
async function run<Result>(work: Work, jobs: number, here: () => Result): Promise<Result[]> {
  const workers: Worker[] = [];
  const others: Promise<Result>[] = [];
  for (let thread = 1; thread < jobs && WORKER; thread++) {
    const worker = new Worker(WORKER, { workerData: { ...work, thread } satisfies WorkerInput });
    workers.push(worker);
    others.push(resultOf<Result>(worker));
  }
  // A worker may fail while this thread is still at work: its failure is looked at afterwards.
  const settled = Promise.allSettled(others);
  let first: Result;
  try {
    first = here();
  } catch (error) {
    await Promise.all(workers.map((worker) => worker.terminate()));
    throw error;
  }
  const results = [first];
  for (const outcome of await settled) {
    if (outcome.status === 'rejected') throw outcome.reason;
    results.push(outcome.value);
  }
  return results;
}

function resultOf<Result>(worker: Worker): Promise<Result> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new Error(`A worker thread ended with code ${code} and no result.`)),
    );
  });
}
