/** A worker thread: does the work that it is given, piece by piece, and sends back what came of each. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Results, Stage, Work } from './threads.ts';

/** What the stages load: only what is asked for. */
const STAGES = {
  read: () => import('./read-stage.ts'),
  bulk: () => import('../emit/bulk-files.ts'),
  emit: () => import('../emit/page-files.ts'),
};

async function run(work: Work): Promise<Results[Stage]> {
  switch (work.stage) {
    case 'read':
      return (await STAGES.read()).readFiles(work.task, work.thread);
    case 'bulk':
      return (await STAGES.bulk()).writeBulk(work.task);
    case 'emit':
      return (await STAGES.emit()).writeFiles(work.task);
  }
}

const port = parentPort!;
let before: Promise<unknown> = STAGES[workerData as Stage]();
port.on('message', (work: Work | undefined) => {
  before = before.then(async () => (work ? port.postMessage(await run(work)) : port.close()));
});
