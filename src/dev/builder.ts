/** The builds of a session: one after the other, and after those of others. */
import type { BuildResult } from '../build/context.ts';
import { buildOnThread, type ThreadOptions } from '../build/threads/build-thread.ts';

/** Builds one after the other. */
export type Builder = {
  /** Builds, once no other build runs; undefined when the session ended first. Throws what `build` throws. */
  readonly run: () => Promise<BuildResult | undefined>;
  /** Starts no more builds, and waits for the one that runs. */
  readonly close: () => Promise<void>;
};

/** Milliseconds until the session looks again whether another build has ended. */
const LOCKED_RETRY = 500;

/** @param onLocked called once for each build that has to wait for another one. */
export function createBuilder(options: ThreadOptions, onLocked: (message: string) => void): Builder {
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();
  let wake = () => {};

  async function run(): Promise<BuildResult | undefined> {
    for (let attempt = 0; !closed; attempt++) {
      try {
        return await buildOnThread(options);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== 'output-locked') throw error;
        if (attempt === 0) onLocked(message);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, LOCKED_RETRY);
        });
      }
    }
    return undefined;
  }

  return {
    run() {
      const next = last.then(run);
      last = next.catch(() => {});
      return next;
    },
    async close() {
      closed = true;
      wake();
      await last;
    },
  };
}
