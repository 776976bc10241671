import { parentPort, workerData } from 'node:worker_threads';
import { buildCounted, type ThreadResponse, type WorkerData } from './build-thread.ts';

parentPort!.on('message', async () => {
  let answer: ThreadResponse;
  try {
    answer = { result: await buildCounted(workerData as WorkerData) };
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    answer = { failure: { name, code: code ?? '', message } };
  }
  parentPort!.postMessage(answer);
});
