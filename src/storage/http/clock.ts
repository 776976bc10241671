/** An estimate of the store's time, low rather than high, so that requests expire early rather than late. */
export type StoreClock = {
  /** Records the `Date` of a response that has just arrived; ignores undefined. */
  readonly learn: (time: Date | undefined) => void;
  /** Milliseconds since 1970 on the store's clock; undefined without a recent response that has a date. */
  readonly now: () => number | undefined;
};

/**
 * Milliseconds for which the time of a response is used. Meanwhile, a local clock that runs a tenth fast gains 3 s,
 * which `QUIET_AFTER` allows for.
 */
const FRESH_FOR = 30_000;

export function createStoreClock(monotonic: () => number = () => performance.now()): StoreClock {
  let last: { readonly time: number; readonly at: number } | undefined;
  return {
    learn(time) {
      // Takes the newest time, even if an earlier one gave a closer estimate: the store's clock may run slow, or may
      // have been set back.
      if (time) last = { time: time.getTime(), at: monotonic() };
    },
    now() {
      const passed = last ? monotonic() - last.at : FRESH_FOR;
      return last && passed < FRESH_FOR ? last.time + passed : undefined;
    },
  };
}
