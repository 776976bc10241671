/** Promise 3: a holder that lost the lease has no effect once the next holder looks at the bucket. */
import { LOCK_KEY } from '../../src/storage/reserved-keys.ts';
import type { Effect, Stored } from './store.ts';

/** Milliseconds without renewal until others may take a lease. */
const DURATION = 60_000;

type Record = { held: boolean; token: string; epoch: number; suspect: boolean; releases: string[] };

/** Holders of the lease, and whether each has looked at the bucket. */
export type Holders = {
  /** Call for each request that a holder sends. */
  readonly asked: (holder: string) => void;
  readonly checkEffect: (effect: Effect) => void;
  /** Processes a new lease record. Returns the bucket's state in it. */
  readonly leaseChanged: (effect: Effect, force: boolean) => 'held' | 'unfinished' | 'at rest';
  /** Number of leases that were taken from a holder. */
  readonly takeovers: () => number;
};

/** @param now true time */
export function createHolders(complain: (text: string) => void, now: () => number): Holders {
  /** By token. Counts takings instead of using the record's epoch: after a lock is removed, that starts at 1 again. */
  const epochs = new Map<string, number>();
  let begun = 0;
  let takings = 0;
  /** When the lease record was last written. */
  let written = Number.NEGATIVE_INFINITY;
  let last: { readonly of: Stored; readonly record: Record } | undefined;
  const recordIn = (of: Stored): Record =>
    last?.of === of ? last.record : (JSON.parse(of.body.toString('utf8')) as Record);
  let takeovers = 0;
  return {
    takeovers: () => takeovers,
    asked(holder) {
      const epoch = epochs.get(tokenOf(holder));
      if (epoch !== undefined && epoch > begun) begun = epoch;
    },
    checkEffect({ process, key, before, holder, isConditional }) {
      if (key === LOCK_KEY) {
        if (!isConditional) complain(`${process.name} changed the lease without a condition`);
        return;
      }
      if (holder === undefined) {
        if (isConditional && !before && key.endsWith('timeline.json')) return;
        complain(`${process.name} changed ${key} without a limit`);
        return;
      }
      const epoch = epochs.get(tokenOf(holder));
      if (epoch === undefined) complain(`${process.name} changed ${key} and never had the lease`);
      else if (epoch < begun) complain(`${process.name} changed ${key} after another had begun`);
    },
    leaseChanged({ process, before, after }, force) {
      if (!after) {
        complain('the lease was removed');
        return 'unfinished';
      }
      const was = before && recordIn(before);
      const is = recordIn(after);
      last = { of: after, record: is };
      // A process that got no response to taking the lease may take it again with its token, after others did.
      if (was?.token !== is.token) epochs.set(is.token, ++takings);
      if (before && was && was.token !== is.token) {
        if (is.epoch !== was.epoch + 1) complain('the epoch of a taken lease did not grow by one');
        if (was.held) takeovers++;
        // Stores round times down to whole seconds, and a challenger's clock may be fast.
        const isLiving = was.held && now() - written < DURATION / 1.1 - 1000;
        if (isLiving && !force) complain(`${process.name} took a lease that lived`);
      }
      written = now();
      if (is.held) return 'held';
      return is.suspect || is.releases.length > 0 ? 'unfinished' : 'at rest';
    },
  };
}

/** A holder's name is its token, then the number of its fence. */
function tokenOf(holder: string): string {
  const end = holder.indexOf('~');
  return end < 0 ? holder : holder.slice(0, end);
}
