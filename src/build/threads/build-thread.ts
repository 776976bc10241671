/** Runs a build on a thread of its own, so that this one can go on answering. */
import { Worker } from 'node:worker_threads';
import { EnvironmentError, UsageError } from '../../errors.ts';
import { build } from '../build.ts';
import type { BuildOptions, BuildResult } from '../context.ts';

/** What crosses threads. */
export type ThreadOptions = Omit<BuildOptions, 'listener' | 'signal'>;

/** What comes back: a result, or a failure as data, since errors lose their class on the way. */
export type ThreadAnswer =
  | { readonly result: BuildResult }
  | { readonly failure: { readonly name: string; readonly code: string; readonly message: string } };

// A worker cannot load TypeScript: from source the build runs here.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./build-worker.js', import.meta.url);

/** As `build`, with the same errors. */
export async function buildOnThread(options: ThreadOptions): Promise<BuildResult> {
  if (!WORKER) return build(options);
  const worker = new Worker(WORKER, { workerData: options });
  const answer = await new Promise<ThreadAnswer>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The build ended with code ${code} and no result.`)));
  });
  if ('result' in answer) return answer.result;
  const { name, code, message } = answer.failure;
  if (name === 'UsageError') throw new UsageError(code, message);
  if (name === 'EnvironmentError') throw new EnvironmentError(code, message);
  throw Object.assign(new Error(message), { code });
}
