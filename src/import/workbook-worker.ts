/** Entry of the thread that converts a workbook. */
import { parentPort, workerData } from 'node:worker_threads';
import { convertWorkbook, type WorkbookRequest } from './workbook-rows.ts';

try {
  parentPort?.postMessage({ summary: await convertWorkbook(workerData as WorkbookRequest) });
} catch (error) {
  const { name, code = '', message } = error as NodeJS.ErrnoException;
  parentPort?.postMessage({ failure: { name, code, message } });
}
