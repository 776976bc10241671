/** The clock of a store, read off the `Date` of its answers. */

/** Estimates the time of a store. It does not run ahead of it, so what expires by it expires early rather than late. */
export type StoreClock = {
  /** Takes in the time of an answer that has just arrived; undefined changes nothing. */
  readonly learn: (time: Date | undefined) => void;
  /** Milliseconds since 1970 on the clock of the store; undefined where no answer of late has said it. */
  readonly now: () => number | undefined;
};

/** Milliseconds after which a time no longer counts: by then a fast clock is three seconds ahead. */
const FRESH = 30_000;

/** Makes a clock that has learnt nothing yet. @param monotonic milliseconds that never go back. */
export function createStoreClock(monotonic: () => number = () => performance.now()): StoreClock {
  let last: { readonly time: number; readonly at: number } | undefined;
  return {
    learn(time) {
      // The latest, though an earlier one may have been closer: the store's clock may be slower, or was set back.
      if (time) last = { time: time.getTime(), at: monotonic() };
    },
    now() {
      const passed = last ? monotonic() - last.at : FRESH;
      return last && passed < FRESH ? last.time + passed : undefined;
    },
  };
}
