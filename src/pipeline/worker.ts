/** A worker thread: does its share of one stage, and sends back what came of it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerInput } from './threads.ts';

const input = workerData as WorkerInput;
if (input.stage === 'read') {
  const { readFiles } = await import('./read-stage.ts');
  parentPort?.postMessage(readFiles(input.task, input.thread));
} else {
  const { writeFiles } = await import('../emit/page-files.ts');
  parentPort?.postMessage(writeFiles(input.task));
}
