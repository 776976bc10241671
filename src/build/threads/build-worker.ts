/** A thread that builds: see `build-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { build } from '../build.ts';
import type { ThreadAnswer, ThreadOptions } from './build-thread.ts';

let answer: ThreadAnswer;
try {
  answer = { result: await build(workerData as ThreadOptions) };
} catch (error) {
  const { name, code, message } = error as NodeJS.ErrnoException;
  answer = { failure: { name, code: code ?? '', message } };
}
parentPort?.postMessage(answer);
