/** The clock of a store, read off the `Date` of its answers. */

/** Estimates the time of a store. It never runs ahead of it, so what expires by it expires early rather than late. */
export type StoreClock = {
  /** Takes in the time of an answer that has just arrived; undefined changes nothing. */
  readonly learn: (time: Date | undefined) => void;
  /** Forgets what was learnt: the store has refused a time that came from here. */
  readonly forget: () => void;
  /** Milliseconds since 1970 on the clock of the store; undefined before the first answer. */
  readonly now: () => number | undefined;
};

/** Makes a clock that has learnt nothing yet. @param monotonic milliseconds that never go back. */
export function createStoreClock(monotonic: () => number = () => performance.now()): StoreClock {
  let ahead: number | undefined;
  return {
    learn(time) {
      if (!time) return;
      // The store wrote the time before the answer arrived, and cut off the parts of a second: the true difference is
      // at least this one. The largest is the closest.
      const difference = time.getTime() - monotonic();
      if (ahead === undefined || difference > ahead) ahead = difference;
    },
    forget() {
      ahead = undefined;
    },
    now: () => (ahead === undefined ? undefined : monotonic() + ahead),
  };
}
