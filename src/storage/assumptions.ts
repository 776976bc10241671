/**
 * Assumptions of the lease about clocks, stores and networks; `docs/stores.md` gives the reason for each.
 *
 * - A process's monotonic clock and the store's clock differ in rate by at most {@link RATE}.
 * - A store checks the expiry of a request by the clock that writes `Date` and `Last-Modified`, at most {@link
 *   JUDGED_LATE} late.
 * - An accepted request takes effect within {@link EFFECT_LATE}.
 * - Every answer of a store has a `Date`; without one, no request with a limit is sent.
 * - A request that was signed before the publisher could see that the store's clock was set back does not arrive after
 *   the time at which it would have expired without that.
 */

/** Largest relative difference in rate between the clocks of a process and of the store. */
const RATE = 0.1;
/** Milliseconds that a store may be late in refusing an expired request. */
const JUDGED_LATE = 5000;
/** Milliseconds from acceptance to effect: the rest of the body is in transit, or parts are being joined. */
const EFFECT_LATE = 5000;

/**
 * Milliseconds, by the challenger's clock, until no request that a holder sent within `life` of its record can take
 * effect. `age` is the record's age by the store's clock; negative when that clock was set back since.
 */
export function quietAfter(life: number, age: number): number {
  // The holder's clock may be slow and the challenger's fast: both errors are allowed for.
  return (life / (1 - RATE) + JUDGED_LATE + EFFECT_LATE - age) * (1 + RATE);
}
