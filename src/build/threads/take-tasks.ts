/** The other side of `openThreads()`: runs the tasks that a thread receives, and sends their results. */
import { parentPort, workerData } from 'node:worker_threads';
import { enableCompileCache } from '../../compile-cache.ts';
import type { Message, TaskLoaders, TaskTypes, ThreadWork } from './pool.ts';

export function takeTasks<Types extends TaskTypes>(loaders: TaskLoaders<Types>): void {
  enableCompileCache();
  const port = parentPort!;
  const send = (message: Message) => port.postMessage(message);
  let before: Promise<unknown> = loaders[workerData as string]!();
  port.on('message', (work: ThreadWork | undefined) => {
    before = before.then(async () => {
      if (!work) return port.close();
      const run = await loaders[work.name]!();
      send({ result: await run(work.task, work.thread, (part) => send({ part })) });
    });
  });
}
