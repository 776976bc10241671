import { parentPort, workerData } from 'node:worker_threads';
import { enableCompileCache } from '../../process/compile-cache.ts';
import type { TaskName, TaskResults, ThreadMessage, ThreadWork } from './pool.ts';

const MODULES = {
  stamp: () => import('./stamp-task.ts'),
  read: () => import('../read/files.ts'),
  emit: () => import('../write/emit.ts'),
};

async function run(work: ThreadWork): Promise<TaskResults[TaskName]> {
  switch (work.name) {
    case 'stamp':
      return (await MODULES.stamp()).readGroupStamps(work.task);
    case 'read':
      return (await MODULES.read()).readFiles(work.task, work.thread, (partial) => send({ partial }));
    case 'emit':
      return (await MODULES.emit()).emitFiles(work.task);
  }
}

enableCompileCache();
const port = parentPort!;
const send = (message: ThreadMessage) => port.postMessage(message);
let before: Promise<unknown> = MODULES[workerData as TaskName]();
port.on('message', (work: ThreadWork | undefined) => {
  before = before.then(async () => (work ? send({ result: await run(work) }) : port.close()));
});
