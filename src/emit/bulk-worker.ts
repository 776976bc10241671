/** A thread that writes the downloads while others write the pages. */
import { parentPort } from 'node:worker_threads';
import type { BulkMessage } from './bulk.ts';
import { digestWritten, type KnownPrefix, writeBulk } from './bulk-files.ts';

let prefixes: readonly KnownPrefix[] = [];
parentPort?.on('message', ({ prepare, start }: BulkMessage) => {
  if (prepare) prefixes = digestWritten(prepare);
  if (!start) return;
  parentPort?.postMessage(writeBulk(start, prefixes));
  parentPort?.close();
});
