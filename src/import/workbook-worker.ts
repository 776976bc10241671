import { answerLimited } from '../limited-thread.ts';
import { convertWorkbook } from './workbook-rows.ts';

await answerLimited(convertWorkbook);
