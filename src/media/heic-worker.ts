/** Entry of the thread that decodes a HEIC photo. */
import { answerLimited } from '../process/limited-thread.ts';
import { writePixels } from './heic-pixels.ts';

await answerLimited(writePixels);
