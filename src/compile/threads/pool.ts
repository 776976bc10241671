/** Worker threads of a build. Starting one takes as long as reading some hundred files, so they are reused. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ReadGroup, ReadTask } from '../read/files.ts';
import type { WrittenBulkFiles } from '../state/written-files.ts';
import type { EmitTask } from '../write/emit.ts';
import type { StampTask } from './stamp-task.ts';

/** Sent to threads: only plain data and shared memory. */
type Tasks = { stamp: StampTask; read: ReadTask; emit: EmitTask };

/** Partial results that a thread sends during its work, to save memory. */
type PartialResults = { stamp: never; read: ReadGroup; emit: never };

export type TaskResults = { stamp: undefined; read: undefined; emit: WrittenBulkFiles };

export type ThreadMessage =
  | { readonly partial: PartialResults[TaskName] }
  | { readonly result: TaskResults[TaskName] };

export type TaskName = keyof Tasks;

export type ThreadWork<Name extends TaskName = TaskName> = {
  readonly [Key in Name]: { readonly name: Key; readonly task: Tasks[Key]; readonly thread: number };
}[Name];

export type Threads = {
  /**
   * Starts threads early for a later task.
   * @param worth the number of threads that the task keeps busy, including the calling thread; may be a fraction
   */
  readonly prepare: (name: TaskName, worth: number) => void;
  /**
   * Starts a task that threads share: a counter in shared memory gives each thread its next piece. With `jobs`, every
   * task runs in that many threads. Without `jobs`, a task with a `worth` of at most 1 runs only in threads that have
   * started already, and a task with at most {@link MIN_WORTH} only in this thread.
   */
  readonly share: <Name extends TaskName>(
    name: Name,
    task: Tasks[Name],
    worth: number,
    onPartial?: (partial: PartialResults[Name]) => void,
  ) => Shared<TaskResults[Name]>;
  /** Ends the threads after their present work, to free memory. Later tasks start new ones. */
  readonly dismiss: () => void;
  /** Terminates the threads and waits until they have ended. */
  readonly stop: () => Promise<void>;
};

type Shared<Result> = {
  /**
   * Works on the task in this thread too, then waits for the other threads.
   * @param here does the work of this thread, until nothing of the task is left
   * @returns one result for each thread
   */
  readonly finish: (here: () => Promise<Result>) => Promise<Result[]>;
};

// Workers cannot load TypeScript. When run from source, everything runs on this thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./worker.js', import.meta.url);

/** Unless `jobs` is given, a task with no more `worth` than this runs only in this thread. */
const MIN_WORTH = 0.1;

/** @param jobs number of threads; undefined: as many as the work justifies, at most one per core */
export function openThreads(jobs: number | undefined): Threads {
  const started: Thread[] = [];
  /** Started threads that still accept work. */
  const workers: Thread[] = [];
  const limit = WORKER ? (jobs ?? availableParallelism()) : 1;
  const start = (name: TaskName, count: number) => {
    while (WORKER && workers.length < Math.min(count, limit) - 1) {
      const thread = startThread(WORKER, name);
      started.push(thread);
      workers.push(thread);
    }
  };
  return {
    prepare: (name, worth) => start(name, jobs ?? Math.ceil(worth)),
    share(name, task, worth, onPartial) {
      start(name, jobs ?? Math.ceil(worth));
      const taking = jobs !== undefined || worth > MIN_WORTH ? workers : [];
      const given = taking.map((thread, index) => thread.work({ name, task, thread: index + 1 }, onPartial));
      // Another thread may fail while this thread works. The error is thrown only when this thread has finished.
      const settled = Promise.allSettled(given);
      return {
        async finish(here) {
          const results = [await here()];
          for (const outcome of await settled) {
            if (outcome.status === 'rejected') throw outcome.reason;
            results.push(outcome.value);
          }
          return results;
        },
      };
    },
    dismiss() {
      for (const thread of workers.splice(0)) thread.dismiss();
    },
    async stop() {
      await Promise.all(started.map((thread) => thread.stop()));
    },
  };
}

export async function withThreads<Result>(
  jobs: number | undefined,
  run: (threads: Threads) => Promise<Result>,
): Promise<Result> {
  const threads = openThreads(jobs);
  try {
    return await run(threads);
  } finally {
    await threads.stop();
  }
}

/** Shared memory with two numbers: how much work is taken, and how much is done. */
export function createWorkCounters(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

type Thread = {
  readonly work: <Name extends TaskName>(
    work: ThreadWork<Name>,
    onPartial: ((partial: PartialResults[Name]) => void) | undefined,
  ) => Promise<TaskResults[Name]>;
  readonly dismiss: () => void;
  readonly stop: () => Promise<void>;
};

type Waiting = {
  readonly onPartial: ((partial: never) => void) | undefined;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
};

/** @param name the first task of the new thread: the thread loads the modules for this task at once */
function startThread(path: URL, name: TaskName): Thread {
  const worker = new Worker(path, { workerData: name });
  const waiting: Waiting[] = [];
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('message', (message: ThreadMessage) => {
    if ('partial' in message) waiting[0]?.onPartial?.(message.partial as never);
    else waiting.shift()?.resolve(message.result as never);
  });
  worker.once('error', fail);
  worker.once('exit', (code) => fail(new Error(`A worker thread ended with code ${code} and no result.`)));
  return {
    work: (work, onPartial) =>
      new Promise((resolve, reject) => {
        // A thread that has ended never answers.
        if (failure !== undefined) return reject(failure);
        waiting.push({ onPartial, resolve, reject });
        worker.postMessage(work);
      }),
    dismiss: () => worker.postMessage(undefined),
    stop: async () => {
      await worker.terminate();
    },
  };
}
