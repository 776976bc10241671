import { parentPort, workerData } from 'node:worker_threads';
import { type BuildThreadResponse, type BuildWorkerData, buildCountingWrites } from './build-thread.ts';

parentPort!.on('message', async () => {
  let answer: BuildThreadResponse;
  try {
    answer = { result: await buildCountingWrites(workerData as BuildWorkerData) };
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    answer = { failure: { name, code: code ?? '', message } };
  }
  parentPort!.postMessage(answer);
});
