/** Entry of a thread that maps rows. */
import { takeTasks } from '../build/threads/take-tasks.ts';
import type { ImportTasks } from './mapped-rows.ts';

takeTasks<ImportTasks>({ map: async () => (await import('./mapped-rows.ts')).mapInThread });
