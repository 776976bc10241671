/**
 * Schedules at the limits of what publishing assumes: a few publishers within seconds of each other, clocks that differ
 * as much as allowed, requests that arrive when they have expired, large objects that appear late, and a store whose
 * clock is set back.
 */
import type { Random } from './random.ts';
import { type Faults, NO_FAULTS } from './store.ts';

export type EdgePublisher = {
  /** Milliseconds until it starts. */
  readonly delay: number;
  readonly rate: number;
  readonly force: boolean;
  readonly faults: Faults;
};

type Edge = {
  readonly publishers: readonly EdgePublisher[];
  /** Documents are uploaded in parts. */
  readonly hasParts: boolean;
  /** When the store's clock is set back (milliseconds after the start) and by how much; undefined if never. */
  readonly step: { readonly after: number; readonly by: number } | undefined;
};

/** Share of schedules of this kind. */
const SHARE = 0.25;

/** Undefined if the schedule is of another kind. */
export function edgeOf(random: Random): Edge | undefined {
  if (!random.chance(SHARE)) return undefined;
  let delay = random.below(1000);
  const publishers = Array.from({ length: 2 + random.below(2) }, (_, index): EdgePublisher => {
    const publisher: EdgePublisher = {
      delay,
      // The first holder of the lock is slow, those that take it over are fast.
      rate: random.chance(0.85) ? (index === 0 ? 0.9 : 1.1) : 1,
      force: index > 0 && random.chance(0.8),
      faults: {
        ...NO_FAULTS,
        expired: random.pick([0, 0.05, 0.3, 0.6]),
        joined: random.pick([0.15, 0.9]),
        paused: random.pick([0, 0, 0.02]),
        killed: random.pick([0, 0, 0.02]),
      },
    };
    delay += random.pick([200, 2000, 5000, 9000, 9500, 10_000]) + random.below(1500);
    return publisher;
  });
  const isSet = random.chance(0.5);
  const step = isSet ? { after: random.below(800), by: 20_000 + random.below(25_000) } : undefined;
  return { publishers, hasParts: random.chance(0.5), step };
}
