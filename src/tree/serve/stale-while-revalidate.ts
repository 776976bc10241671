/** Caches one value that may change, and refreshes it when it is stale. */
import type { FreshnessLimits } from './freshness-limits.ts';
import { createSharedLoads } from './shared-loads.ts';

export type RefreshedValue<T> = {
  /** @param later keeps work running after the response. Without it, requests for a stale value wait */
  readonly get: (read: Read<T>, later: Later | undefined) => T | Promise<T>;
  /** Reads the value now, whatever its age. Joins a read in progress. */
  readonly renew: (read: Read<T>) => Promise<T>;
};

/** `last`: the previous value, whose unchanged parts can be reused. */
type Read<T> = (last: T | undefined) => Promise<T>;

type Later = (work: Promise<unknown>) => void;

export function createRefreshedValue<T>(
  { fresh, stale, failed }: FreshnessLimits,
  now: () => number,
): RefreshedValue<T> {
  let cached: { readonly value: T; readonly at: number } | undefined;
  const join = createSharedLoads(now);
  let failedAt = Number.NEGATIVE_INFINITY;
  const renew = (read: Read<T>): Promise<T> =>
    join('', async () => {
      // The age counts from the start of the read, since the value may change during it.
      const at = now();
      try {
        cached = { value: await read(cached?.value), at };
        return cached.value;
      } catch (error) {
        failedAt = now();
        throw error;
      }
    });
  return {
    renew,
    get: (read, later) => {
      const last = cached;
      const age = last ? now() - last.at : Number.POSITIVE_INFINITY;
      if (last && age < fresh) return last.value;
      // After a failure, the old value is used for `fresh` milliseconds before the next attempt.
      if (last && age < failed && now() - failedAt < fresh) return last.value;
      const renewed = renew(read);
      if (!last) return renewed;
      const orLast = renewed.catch((error: unknown) => {
        if (age < failed) return last.value;
        throw error;
      });
      if (later && age < stale) {
        later(orLast.catch(() => {}));
        return last.value;
      }
      return orLast;
    },
  };
}
