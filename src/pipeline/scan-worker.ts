/** A thread that finds the files: see `startScan`. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ScanAnswer, type ScanTask, scan } from './scan.ts';
import { stampsOf } from './stamps.ts';

const { content, done } = workerData as ScanTask;
try {
  const { files, diagnostics } = scan(content);
  parentPort?.postMessage({ stamps: stampsOf(files), diagnostics } satisfies ScanAnswer);
} finally {
  Atomics.store(done, 0, 1);
}
