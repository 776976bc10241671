/** A machine whose time passes only when a test says so. */
import type { Machine } from '../../src/storage/machine.ts';

export type VirtualHost = {
  readonly host: { -readonly [Name in keyof Machine]: Machine[Name] };
  /** Lets time pass: timers that become due run, one after the other. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Sets the clock forward or back, as an administrator does. */
  readonly setClock: (milliseconds: number) => void;
  /** Milliseconds that have passed. */
  readonly passed: () => number;
  /** The lengths of all sleeps, in order. */
  readonly sleeps: readonly number[];
};

/** The start time of every machine. */
export const START = Date.UTC(2026, 0, 20);

export function createVirtualHost(name = 'tester'): VirtualHost {
  let now = 0;
  let shift = 0;
  let names = 0;
  const sleeps: number[] = [];
  const timers = new Set<{ readonly at: number; readonly work: () => void }>();
  const advance = async (milliseconds: number) => {
    const end = now + milliseconds;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!next) break;
      timers.delete(next);
      now = Math.max(now, next.at);
      next.work();
      await new Promise(setImmediate);
    }
    now = Math.max(now, end);
  };
  return {
    sleeps,
    advance,
    setClock(milliseconds) {
      shift += milliseconds;
    },
    passed: () => now,
    host: {
      instant: () => ({ monotonic: now, wall: START + now + shift }),
      async sleep(milliseconds) {
        sleeps.push(milliseconds);
        await advance(milliseconds);
      },
      after(milliseconds, work) {
        const timer = { at: now + milliseconds, work };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
      unique: () => `${name}-${++names}`,
      owner: name,
    },
  };
}
