import { answerFromThread } from '../process/limited-thread.ts';
import { convertWorkbook } from './workbook-rows.ts';

await answerFromThread(convertWorkbook);
