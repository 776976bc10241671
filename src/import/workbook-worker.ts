import { answerLimited } from '../process/limited-thread.ts';
import { convertWorkbook } from './workbook-rows.ts';

await answerLimited(convertWorkbook);
