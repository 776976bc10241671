/** A worker thread for builds, so that the main thread keeps answering requests. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { build } from '../../compile/build.ts';
import type { BuildOptions, BuildResult } from '../../compile/context.ts';
import type { EnvironmentCode, UsageCode } from '../../errors/codes.ts';
import { EnvironmentError, UsageError } from '../../errors/errors.ts';

/** `findings` has functions, which cannot be sent between threads. */
export type TransferableResult = Omit<BuildResult, 'findings'>;

export type BuildThreadOptions = Omit<BuildOptions, 'listener' | 'signal'>;

/** `writes`: memory that both threads share, for {@link BuildThread.writes}. */
export type BuildWorkerData = { readonly options: BuildThreadOptions; readonly writes: Int32Array };

/** A failure is plain data, because errors lose their class between threads. */
export type BuildThreadResponse =
  | { readonly result: TransferableResult }
  | { readonly failure: { readonly name: string; readonly code: string; readonly message: string } };

export type BuildThread = {
  /** Runs `build` and throws the same errors. Call it only after the previous run has ended. */
  readonly run: () => Promise<TransferableResult>;
  /** Incremented before and after a build writes its output, so it is odd while a build writes. */
  readonly writes: () => number;
  readonly close: () => Promise<void>;
};

// A worker cannot load TypeScript: when run from source, builds run on this thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./build-worker.js', import.meta.url);

export function openBuildThread(options: BuildThreadOptions): BuildThread {
  const writes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let worker: Worker | undefined;
  const start = (url: URL) => new Worker(url, { workerData: { options, writes } satisfies BuildWorkerData });
  return {
    async run() {
      if (!WORKER) return buildCountingWrites({ options, writes });
      worker ??= start(WORKER);
      const answer = await ask(worker).catch((error: unknown) => {
        worker = undefined;
        // A worker that died while it wrote has left the counter odd.
        if (Atomics.load(writes, 0) % 2 === 1) Atomics.add(writes, 0, 1);
        throw error;
      });
      return resultOf(answer);
    },
    writes: () => Atomics.load(writes, 0),
    close: async () => void (await worker?.terminate()),
  };
}

export async function buildCountingWrites({ options, writes }: BuildWorkerData): Promise<TransferableResult> {
  let isWriting = false;
  try {
    const result = await build({
      ...options,
      listener(event) {
        if (isWriting || event.kind !== 'stage' || event.stage !== 'emit') return;
        isWriting = true;
        Atomics.add(writes, 0, 1);
      },
    });
    const { findings, ...others } = result;
    return { ...others, diagnostics: result.diagnostics };
  } finally {
    if (isWriting) Atomics.add(writes, 0, 1);
  }
}

async function ask(worker: Worker): Promise<BuildThreadResponse> {
  const done = new AbortController();
  const { signal } = done;
  const ended = once(worker, 'exit', { signal }).then(([code]) => {
    throw new Error(`The build ended with code ${code} and no result.`);
  });
  worker.postMessage('build');
  try {
    const [answer] = await Promise.race([once(worker, 'message', { signal }), ended]);
    return answer as BuildThreadResponse;
  } finally {
    done.abort();
  }
}

function resultOf(answer: BuildThreadResponse): TransferableResult {
  if ('result' in answer) return answer.result;
  const { name, code, message } = answer.failure;
  if (name === 'UsageError') throw new UsageError(code as UsageCode, message);
  if (name === 'EnvironmentError') throw new EnvironmentError(code as EnvironmentCode, message);
  throw Object.assign(new Error(message), { code });
}
