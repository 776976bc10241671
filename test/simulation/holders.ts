/**
 * Promise 3: a holder that lost the lock has no effect once the next holder looks at the bucket. Judged from outside: who
 * took the lock when, what each process asked for afterwards, and when it last gave a sign of life.
 */
import { LOCK_KEY, TIMELINE_KEY } from '../../src/storage/reserved-keys.ts';
import { type Effect, FENCE, type Stored } from './store.ts';
import type { Process } from './world.ts';

/** Milliseconds without a sign of life until others may take the lock. */
const DURATION = 60_000;
/** Milliseconds after the last sign of life of its sender until which a change may take effect. */
const QUIET = 48_000;

type Record = { held: boolean; token: string; epoch: number; suspect: boolean; releases: string[] };

/** Holders of the lock, and whether each has looked at the bucket. */
export type Holders = {
  /** Call for each request. */
  readonly asked: (process: Process, key: string) => void;
  readonly checkEffect: (effect: Effect) => void;
  /** Processes a change of the lock. Returns the bucket's state in it. */
  readonly lockChanged: (effect: Effect, force: boolean) => 'held' | 'unfinished' | 'at rest';
  /** Number of locks that were taken from a holder. */
  readonly takeovers: () => number;
};

/** @param now true time. @param isFenced requests do not expire */
export function createHolders(
  complain: (text: string) => void,
  now: () => number,
  isFenced: boolean,
): Holders {
  /** Which taking of the lock was the last of each process. */
  const turns = new Map<Process, number>();
  const signs = new Map<Process, number>();
  let looked = 0;
  let takings = 0;
  /** When the lock was last written. */
  let written = Number.NEGATIVE_INFINITY;
  let last: { readonly of: Stored; readonly record: Record } | undefined;
  const recordIn = (of: Stored): Record =>
    last?.of === of ? last.record : (JSON.parse(of.body.toString('utf8')) as Record);
  let takeovers = 0;
  return {
    takeovers: () => takeovers,
    asked(process, key) {
      if (key === LOCK_KEY || key === TIMELINE_KEY || key === FENCE) return;
      looked = Math.max(looked, turns.get(process) ?? 0);
    },
    checkEffect({ process, key, before, isConditional }) {
      if (key === LOCK_KEY && !isConditional)
        complain(`${process.name} changed the lock without a condition`);
      if (key === LOCK_KEY || (key === TIMELINE_KEY && isConditional && !before)) return;
      const turn = turns.get(process);
      if (turn === undefined) complain(`${process.name} changed ${key} and never had the lock`);
      else if (turn < looked) complain(`${process.name} changed ${key} after another had looked`);
      if (!isFenced && now() - (signs.get(process) ?? 0) > QUIET)
        complain(`${process.name} changed ${key} too long after its last sign of life`);
    },
    lockChanged({ process, before, after }, force) {
      if (!after) {
        complain('the lock was removed');
        return 'unfinished';
      }
      const was = before && recordIn(before);
      const is = recordIn(after);
      last = { of: after, record: is };
      signs.set(process, now());
      // A process that got no response to taking the lock may take it again with its token, after others did.
      if (was?.token !== is.token) turns.set(process, ++takings);
      if (before && was && was.token !== is.token) {
        if (is.epoch !== was.epoch + 1) complain('the epoch of a taken lock did not grow by one');
        if (was.held) takeovers++;
        // Stores round times down to whole seconds, and a challenger's clock may be fast.
        const isLiving = was.held && now() - written < DURATION / 1.1 - 1000;
        if (isLiving && !force) complain(`${process.name} took a lock that lived`);
      }
      written = now();
      if (is.held) return 'held';
      return is.suspect || is.releases.length > 0 ? 'unfinished' : 'at rest';
    },
  };
}
