/** A thread that writes the downloads while others write the pages. */
import { parentPort } from 'node:worker_threads';
import { type BulkTask, writeBulk } from './bulk-files.ts';

parentPort?.once('message', (task: BulkTask) => {
  parentPort?.postMessage(writeBulk(task));
  parentPort?.close();
});
