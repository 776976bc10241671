/** A cache of one mutable value, with stale-while-revalidate. */
import type { Freshness } from './cache-control.ts';
import { createFlights } from './flights.ts';

export type Refreshed<T> = {
  /**
   * Returns the cached value, or reads it.
   *
   * @param read reads the value again.
   * @param later keeps work alive beyond the answer; without it, the first request for a stale value waits for the new
   *   one.
   */
  readonly get: (read: Read<T>, later: Later | undefined) => T | Promise<T>;
  /** Reads the value now, whatever its age; joins a read in progress. */
  readonly renew: (read: Read<T>) => Promise<T>;
};

/** Reads the value. `last` is the previous one, whose unchanged parts can be reused. */
type Read<T> = (last: T | undefined) => Promise<T>;

/** Keeps work alive beyond the answer, as a platform's `waitUntil` does. */
type Later = (work: Promise<unknown>) => void;

export function createRefreshed<T>({ fresh, stale, failed }: Freshness, now: () => number): Refreshed<T> {
  let cached: { readonly value: T; readonly at: number } | undefined;
  const join = createFlights(now);
  let failedAt = Number.NEGATIVE_INFINITY;
  const renew = (read: Read<T>): Promise<T> =>
    join('', async () => {
      // The age counts from the start of the read, since the value may have changed meanwhile.
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
      // After a failure, requests do not retry at once.
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
