import { answerFromThread } from '../process/limited-thread.ts';
import { writePixels } from './heic-pixels.ts';

await answerFromThread(writePixels);
