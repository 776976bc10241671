/** Something that changes, held for a while. */
import type { Freshness } from './cache-control.ts';

/** Gives the value that is held, or reads it. */
export type Refreshed<T> = {
  /**
   * @param read reads the value again.
   * @param later takes work that outlives the answer; without it, the first request after the value is no longer
   * fresh waits for the new one.
   */
  readonly get: (read: Read<T>, later: Later | undefined) => T | Promise<T>;
  /** Reads it now, whatever its age. A reading that is under way is joined. */
  readonly renew: (read: Read<T>) => Promise<T>;
};

/** Reads a value. `last` is the one before, for what has not changed in it. */
type Read<T> = (last: T | undefined) => Promise<T>;

/** Takes work that outlives the answer, as `waitUntil` of a platform does. */
type Later = (work: Promise<unknown>) => void;

/** After this many milliseconds no request joins a reading, as in `object-cache.ts`. */
const LONGEST_READING = 10_000;

/** Makes a place for a value. */
export function createRefreshed<T>({ fresh, stale, failed }: Freshness, now: () => number): Refreshed<T> {
  let held: { readonly value: T; readonly at: number } | undefined;
  let reading: { readonly started: number; readonly value: Promise<T> } | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  const renew = (read: Read<T>): Promise<T> => {
    if (reading && now() - reading.started < LONGEST_READING) return reading.value;
    const started = now();
    const value = read(held?.value).then((value) => {
      // The age counts from when it was asked for: it may have changed since.
      held = { value, at: started };
      return value;
    });
    const mine = { started, value };
    reading = mine;
    const done = () => {
      if (reading === mine) reading = undefined;
    };
    value.then(done, () => {
      failedAt = now();
      done();
    });
    return value;
  };
  return {
    renew,
    get: (read, later) => {
      const last = held;
      const age = last ? now() - last.at : Number.POSITIVE_INFINITY;
      if (last && age < fresh) return last.value;
      // What fails is not asked for with each request.
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
