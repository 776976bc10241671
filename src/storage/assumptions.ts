/**
 * What the lease assumes of clocks, stores and networks. `docs/reliability.md` has the same list, with what makes each true.
 *
 * - The clock of a process that is never set runs at the speed of the store's within {@link RATE}.
 * - A store refuses an expired request by the clock that writes `Date` and `Last-Modified`, within {@link JUDGED_LATE}.
 * - What it has accepted takes effect within {@link EFFECT_LATE}.
 * - Every answer of a store has a `Date`; without one, nothing is sent that has a limit.
 * - A request that was signed before the publisher could see that the store's clock was set back does not arrive after the
 *   time at which it would have expired without that.
 */

/** Share by which the clocks of a process and of the store may differ in speed. */
const RATE = 0.1;
/** Milliseconds by which a store may refuse an expired request too late. */
const JUDGED_LATE = 5000;
/** Milliseconds until an accepted request takes effect: the rest of its body was on the way, or its parts are joined. */
const EFFECT_LATE = 5000;

/**
 * Milliseconds of a challenger's clock until requests that a holder sent within `life` of a record are without effect. Counted
 * by the store, the record is `age` old; less than nothing when the store's clock was set back since.
 */
export function quietAfter(life: number, age: number): number {
  // A slow holder counts too little, and a fast challenger too much.
  return (life / (1 - RATE) + JUDGED_LATE + EFFECT_LATE - age) * (1 + RATE);
}
