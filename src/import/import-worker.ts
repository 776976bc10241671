import { workerData } from 'node:worker_threads';
import { answerFromThread } from '../process/limited-thread.ts';

if ('mapping' in workerData) (await import('./row-thread.ts')).answerRows(workerData);
else await answerFromThread((await import('./workbook-rows.ts')).convertWorkbook);
