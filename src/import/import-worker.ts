import { workerData } from 'node:worker_threads';
import { answerFromThread } from '../process/limited-thread.ts';

if ('mapping' in workerData) (await import('./candidate/row-thread.ts')).answerRowMessages(workerData);
else await answerFromThread((await import('./table/workbook-rows.ts')).convertWorkbook);
