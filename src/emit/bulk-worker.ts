/** A thread that writes the downloads while others write the pages. */
import { parentPort, workerData } from 'node:worker_threads';
import { type BulkTask, writeBulk } from './bulk-files.ts';

parentPort?.postMessage(writeBulk(workerData as BulkTask));
