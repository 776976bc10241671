import { answerLimited } from '../process/limited-thread.ts';
import { writePixels } from './heic-pixels.ts';

await answerLimited(writePixels);
