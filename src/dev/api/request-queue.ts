import type { RequestQueue } from './edit-context.ts';

/** Lane of the requests that write Git's index or move a branch. */
export const REPOSITORY_LANE = 'repository';

export function createRequestQueue(): RequestQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(lane, act) {
      const next = (last.get(lane) ?? Promise.resolve()).then(act, act);
      last.set(lane, next);
      const clear = () => {
        if (last.get(lane) === next) last.delete(lane);
      };
      next.then(clear, clear);
      return next;
    },
    async settled() {
      while (last.size > 0) await Promise.allSettled(last.values());
    },
  };
}
