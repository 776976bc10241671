/** Reads untrusted files in a thread, which ends when it exceeds a limit of time or memory. */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { EnvironmentCode, UsageCode } from '../errors/codes.ts';
import { EnvironmentError, UsageError } from '../errors/errors.ts';

export type ThreadLimits = {
  /** Maximum duration in milliseconds. */
  readonly time: number;
  /** Maximum megabytes of JavaScript objects. Buffers do not count. */
  readonly memory: number;
};

type Answer<Result> =
  | { readonly result: Result; readonly failure?: undefined }
  | { readonly failure: { readonly name: string; readonly code: string; readonly message: string } };

export async function runInLimitedThread<Result>(
  worker: URL,
  request: object,
  { time, memory }: ThreadLimits,
  exceeded: (limit: keyof ThreadLimits) => Error,
): Promise<Result> {
  const thread = new Worker(worker, {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<Answer<Result>>((resolve, reject) => {
      timer = setTimeout(() => reject(exceeded('time')), time);
      thread.once('message', resolve);
      thread.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? exceeded('memory') : error),
      );
    });
    if (!answer.failure) return answer.result;
    const { name, code, message } = answer.failure;
    if (name === 'EnvironmentError') throw new EnvironmentError(code as EnvironmentCode, message);
    throw name === 'UsageError' ? new UsageError(code as UsageCode, message) : new Error(message);
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

export async function answerFromThread<Request>(act: (request: Request) => Promise<unknown>): Promise<void> {
  try {
    parentPort?.postMessage({ result: await act(workerData as Request) });
  } catch (error) {
    const { name, code = '', message } = error as NodeJS.ErrnoException;
    parentPort?.postMessage({ failure: { name, code, message } });
  }
}
