/**
 * Promise 3: a holder that lost the lock has no effect once the next holder looks at the bucket. Judged from outside: who
 * took the lock when, what each process asked for afterwards, and when it last gave a sign of life.
 */
import { entryNumber, isLogKey } from '../../src/storage/lock-log.ts';
import { type Effect, FENCE, type Stored } from './store.ts';
import type { Process } from './world.ts';

/** Milliseconds without a sign of life until others may take the lock. */
const DEAD = 120_000;
/** Milliseconds after the last sign of life of its sender until which a change may take effect. */
const QUIET = 80_000;
/** Milliseconds from a look at the log until an entry that follows from it takes effect. */
const DECIDED = 41_000;

type Entry = { kind: string; token: string; suspect: boolean; releases: string[] };
export type LockState = 'held' | 'unfinished' | 'at rest';

/** Holders of the lock, and whether each has looked at the bucket. */
export type Holders = {
  /** Call for each request. */
  readonly asked: (process: Process, key: string) => void;
  readonly checkEffect: (effect: Effect) => void;
  /** Processes a change of the log. Returns the bucket's state if it is new. */
  readonly logChanged: (effect: Effect, force: boolean) => LockState | undefined;
  /** An entry was removed by something other than a publisher. */
  readonly tampered: () => void;
  /** Number of locks that were taken from a holder. */
  readonly takeovers: () => number;
};

/** The last entry; undefined for none. */
export function lastEntry(objects: ReadonlyMap<string, Stored>): Stored | undefined {
  const keys = [...objects.keys()].filter((key) => entryNumber(key) !== undefined && key.endsWith('.json'));
  return objects.get(keys.sort().at(-1) ?? '');
}

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
  let takeovers = 0;
  let isTampered = false;
  const entries = new Set<string>();
  let last: { readonly number: number; readonly entry: Entry; readonly by: Process } | undefined;
  /** Signs of life of the present holder. */
  let beats: number[] = [];

  /** Whether the holder had given a sign of life whenever the challenger can have looked. */
  const isLiving = () => {
    let longest = 0;
    let before = beats[0]!;
    for (const time of [...beats, now()]) {
      if (time > now() - DECIDED) longest = Math.max(longest, time - before);
      before = time;
    }
    return longest < DEAD - 1000;
  };
  const taken = (process: Process, force: boolean) => {
    turns.set(process, ++takings);
    if (last?.entry.kind === 'begin') {
      takeovers++;
      if (!force && !isTampered && isLiving()) complain(`${process.name} took a lock that lived`);
    }
    beats = [];
  };
  return {
    takeovers: () => takeovers,
    tampered() {
      isTampered = true;
    },
    asked(process, key) {
      // Whether a bucket without a log has objects is asked before the wait.
      if (isLogKey(key) || key === '_catalogue/' || key === FENCE) return;
      looked = Math.max(looked, turns.get(process) ?? 0);
    },
    checkEffect({ process, key, before, after, isConditional }) {
      const isEntry = isLogKey(key) && key.endsWith('.json');
      if (isEntry && after && (before || !isConditional))
        complain(`${process.name} ${before ? 'replaced' : 'wrote'} ${key}`);
      if (isEntry && after && !isTampered && entries.has(key)) complain(`${key} was written twice`);
      if (isEntry) entries.add(key);
      if (isLogKey(key) && after) return;
      const turn = turns.get(process);
      if (turn === undefined) complain(`${process.name} changed ${key} and never had the lock`);
      else if (turn < looked) complain(`${process.name} changed ${key} after another had looked`);
      if (!isFenced && now() - (signs.get(process) ?? 0) > QUIET)
        complain(`${process.name} changed ${key} too long after its last sign of life`);
    },
    logChanged({ process, key, after }, force) {
      if (!after) return undefined;
      signs.set(process, now());
      if (key.endsWith('.beat')) {
        if (last?.by === process) beats.push(now());
        return undefined;
      }
      const number = entryNumber(key)!;
      const entry = JSON.parse(after.body.toString('utf8')) as Entry;
      if (entry.kind === 'begin' && entry.token !== last?.entry.token) taken(process, force);
      if (last && number < last.number) return undefined;
      beats.push(now());
      last = { number, entry, by: process };
      if (entry.kind === 'begin') return 'held';
      return entry.suspect || entry.releases.length > 0 ? 'unfinished' : 'at rest';
    },
  };
}
