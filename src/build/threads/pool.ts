/**
 * Worker threads of a build. Each starts when there is work for it and stays for later stages: a start takes as long as
 * reading some hundred files.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ReadGroup, ReadTask } from '../read/files.ts';
import type { StampTask } from '../state/stamp-groups.ts';
import type { WrittenPart } from '../write/downloads.ts';
import type { EmitTask } from '../write/emit.ts';

/**
 * What threads do. Tasks and results are sent between threads, so they hold only plain data and shared memory. `part`: a
 * partial result that a thread sends while it works, so that it need not keep it.
 */
export type TaskTypes = Readonly<
  Record<string, { readonly task: unknown; readonly part: unknown; readonly result: unknown }>
>;

export type BuildTasks = {
  readonly stamp: { readonly task: StampTask; readonly part: never; readonly result: undefined };
  readonly read: { readonly task: ReadTask; readonly part: ReadGroup; readonly result: undefined };
  readonly emit: { readonly task: EmitTask; readonly part: never; readonly result: WrittenPart[] };
};

/** Functions of the tasks, loaded on demand. `thread`: its number, from 1. */
export type TaskLoaders<Types extends TaskTypes> = {
  readonly [Name in keyof Types]: () => Promise<
    (
      task: Types[Name]['task'],
      thread: number,
      onPart: (part: Types[Name]['part']) => void,
    ) => Promise<Types[Name]['result']>
  >;
};

/** A message from a thread. */
export type Message = { readonly part: unknown } | { readonly result: unknown };

export type ThreadWork = { readonly name: string; readonly task: unknown; readonly thread: number };

/** Worker threads that run task after task until they are stopped. */
export type Threads<Types extends TaskTypes = BuildTasks> = {
  /**
   * Starts threads for a later task, so that they are ready when it begins.
   *
   * @param worth number of threads, this one included, that the task keeps busy; may be a fraction.
   */
  readonly prepare: (name: keyof Types & string, worth: number) => void;
  /**
   * Starts a task that threads divide among themselves by a counter in shared memory. Running threads also take part in
   * tasks that are not worth starting a thread.
   *
   * @param onPart receives partial results.
   */
  readonly share: <Name extends keyof Types & string>(
    name: Name,
    task: Types[Name]['task'],
    worth: number,
    onPart?: (part: Types[Name]['part']) => void,
  ) => Shared<Types[Name]['result']>;
  /** Gives a task to the running thread that waits for least; undefined when all have enough, or none runs. */
  readonly give: <Name extends keyof Types & string>(
    name: Name,
    task: Types[Name]['task'],
  ) => Promise<Types[Name]['result']> | undefined;
  /** Ends the threads after their present work, to free memory. Later tasks start new ones. */
  readonly dismiss: () => void;
  /** Terminates the threads, and waits for their end. */
  readonly stop: () => Promise<void>;
};

/** A running task. */
type Shared<Result> = {
  /**
   * Works on the task on this thread too, and waits for the others.
   *
   * @param here works until nothing is left.
   * @returns the result of each thread.
   */
  readonly finish: (here: () => Promise<Result>) => Promise<Result[]>;
};

// A worker cannot load TypeScript: when run from source, everything runs on one thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./worker.js', import.meta.url);

/** Fraction of a thread's start below which work is not shared. */
const LITTLE = 0.1;

/** Most unfinished tasks of a thread to which one is given. */
const ENOUGH = 2;

/**
 * @param jobs number of threads; undefined: as many as the work is worth, at most one per core.
 * @param script what the threads run; undefined: no threads. @default the tasks of a build
 */
export function openThreads<Types extends TaskTypes = BuildTasks>(
  jobs: number | undefined,
  script: URL | undefined = WORKER,
): Threads<Types> {
  const started: Thread[] = [];
  /** Threads that take work. */
  const others: Thread[] = [];
  const limit = script ? (jobs ?? availableParallelism()) : 1;
  /** Starts threads up to this number, this thread included. */
  const start = (name: string, count: number) => {
    while (script && others.length < Math.min(count, limit) - 1) {
      const thread = startThread(script, name);
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
      // A thread may fail while this one still works; its error is thrown afterwards.
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
    give(name, task) {
      const [thread] = others.toSorted((one, other) => one.waiting() - other.waiting());
      if (!thread || thread.waiting() >= ENOUGH) return undefined;
      return thread.work({ name, task, thread: others.indexOf(thread) + 1 }, undefined);
    },
    dismiss() {
      for (const thread of others.splice(0)) thread.dismiss();
    },
    async stop() {
      await Promise.all(started.map((thread) => thread.stop()));
    },
  };
}

/** Opens threads, runs a function, and stops them. */
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

/** Returns shared memory with two counters: work taken, and work done. */
export function createCounter(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** A worker thread with its unanswered work. */
type Thread = {
  /** The caller knows the types of a task. */
  readonly work: (
    work: ThreadWork,
    onPart: ((part: never) => void) | undefined,
    // biome-ignore lint/suspicious/noExplicitAny: results are those of the task that is sent
  ) => Promise<any>;
  /** Number of unanswered tasks. */
  readonly waiting: () => number;
  readonly dismiss: () => void;
  readonly stop: () => Promise<void>;
};

type Waiting = {
  readonly onPart: ((part: never) => void) | undefined;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
};

/** @param name the first task, whose modules the thread loads at once. */
function startThread(path: URL, name: string): Thread {
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
        // An ended thread never answers.
        if (failure !== undefined) return reject(failure);
        waiting.push({ onPart, resolve, reject });
        worker.postMessage(work);
      }),
    waiting: () => waiting.length,
    dismiss: () => worker.postMessage(undefined),
    stop: async () => {
      await worker.terminate();
    },
  };
}
