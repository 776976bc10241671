/**
 * The threads of a build. Each is started when there is work for it, and stays for the stages that follow: starting one
 * takes as long as reading some hundred files.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ReadGroup, ReadTask } from '../read/files.ts';
import type { BulkTask, WrittenBulk } from '../write/bulk-files.ts';
import type { EmitTask } from '../write/pages.ts';

/** What threads work on. Crosses threads, so it holds only plain data and shared memory. */
type Tasks = { read: ReadTask; bulk: BulkTask; emit: EmitTask };

/** What threads send while they work, so that none of them has to keep it. */
type Parts = { read: ReadGroup; bulk: never; emit: never };

/** What comes of each at the end: parts of downloads, the number of bytes. */
export type Results = { read: undefined; bulk: WrittenBulk[]; emit: number };

/** What a thread sends. */
export type Message = { readonly part: Parts[TaskName] } | { readonly result: Results[TaskName] };

export type TaskName = keyof Tasks;

/** Work for one thread. `thread`: its number, from 0. */
export type ThreadWork<Name extends TaskName = TaskName> = {
  readonly [Key in Name]: { readonly name: Key; readonly task: Tasks[Key]; readonly thread: number };
}[Name];

/** Threads that work one after another on what they are given, until they are stopped. */
export type Threads = {
  /**
   * Starts threads ahead of work that is shared later, so that they are ready when it begins.
   *
   * @param worth how many threads, this one included, it keeps busy; fractions count.
   */
  readonly prepare: (name: TaskName, worth: number) => void;
  /**
   * Starts work that threads take in pieces, by a counter in shared memory. Threads that are there already take part
   * in less than starting one is worth.
   *
   * @param onPart receives what they send while they work.
   */
  readonly share: <Name extends TaskName>(
    name: Name,
    task: Tasks[Name],
    worth: number,
    onPart?: (part: Parts[Name]) => void,
  ) => Shared<Results[Name]>;
  /** Lets the threads end after what they have been given, which frees their memory. Others are started for more work. */
  readonly dismiss: () => void;
  /** Ends the threads, and waits until they do nothing any more. */
  readonly stop: () => Promise<void>;
};

/** Work that threads share. */
type Shared<Result> = {
  /**
   * Takes pieces on this thread too, which would only wait otherwise, and waits for the others.
   *
   * @param here takes pieces until none is left.
   * @returns what came of it on each thread.
   */
  readonly finish: (here: () => Promise<Result>) => Promise<Result[]>;
};

// A worker cannot load TypeScript: from source everything runs on one thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./worker.js', import.meta.url);

/** Work that is too small to share with another thread, as a fraction of what starting one is worth. */
const LITTLE = 0.1;

/** @param jobs number of threads; undefined: as many as the work is worth, and the machine has cores. */
export function openThreads(jobs: number | undefined): Threads {
  const started: Thread[] = [];
  /** Those that take work. */
  const others: Thread[] = [];
  const limit = WORKER ? (jobs ?? availableParallelism()) : 1;
  /** Starts threads until there are so many, this one included. */
  const start = (name: TaskName, count: number) => {
    while (WORKER && others.length < Math.min(count, limit) - 1) {
      const thread = startThread(WORKER, name);
      started.push(thread);
      others.push(thread);
    }
  };
  return {
    prepare: (name, worth) => start(name, jobs ?? Math.ceil(worth)),
    share(name, task, worth, onPart) {
      start(name, jobs ?? Math.ceil(worth));
      const taking = jobs !== undefined || worth > LITTLE ? others : [];
      const given = taking.map((thread, index) => thread.work({ name, task, thread: index + 1 }, onPart));
      // A thread may fail while this one is still at work: its failure is looked at afterwards.
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
      for (const thread of others.splice(0)) thread.dismiss();
    },
    async stop() {
      await Promise.all(started.map((thread) => thread.stop()));
    },
  };
}

/** Opens threads for as long as a function runs. */
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

/** Shared memory for a counter of work taken and one of work done. */
export function createCounter(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** A worker, and what it was given and has not answered. */
type Thread = {
  readonly work: <Name extends TaskName>(
    work: ThreadWork<Name>,
    onPart: ((part: Parts[Name]) => void) | undefined,
  ) => Promise<Results[Name]>;
  readonly dismiss: () => void;
  readonly stop: () => Promise<void>;
};

type Waiting = {
  readonly onPart: ((part: never) => void) | undefined;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
};

/** @param name the task that it is started for: it loads what that needs at once. */
function startThread(path: URL, name: TaskName): Thread {
  const worker = new Worker(path, { workerData: name });
  const waiting: Waiting[] = [];
  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on('message', (message: Message) => {
    if ('part' in message) waiting[0]?.onPart?.(message.part as never);
    else waiting.shift()?.resolve(message.result as never);
  });
  worker.once('error', fail);
  worker.once('exit', (code) => fail(new Error(`A worker thread ended with code ${code} and no result.`)));
  return {
    work: (work, onPart) =>
      new Promise((resolve, reject) => {
        // A thread that has ended answers nothing.
        if (failure !== undefined) return reject(failure);
        waiting.push({ onPart, resolve, reject });
        worker.postMessage(work);
      }),
    dismiss: () => worker.postMessage(undefined),
    stop: async () => {
      await worker.terminate();
    },
  };
}
