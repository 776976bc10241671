/** Virtual time: events in order, and processes that sleep, stop, and end. */
import type { Machine } from '../../src/storage/machine.ts';
import { createRandom, type Random } from './random.ts';

/** A process with a machine of its own. */
export type Process = {
  readonly name: string;
  readonly host: Machine;
  /** Whether it has been killed. */
  isDead: boolean;
  /** The time at which it continues. */
  awake: number;
  /** Stops it for a time. The monotonic clock of a suspended machine stands still. */
  readonly pause: (milliseconds: number, isSuspended: boolean) => void;
  /**
   * Schedules an action in the process; it is late if the process is stopped then, and is dropped if it is dead. Returns
   * what prevents it.
   */
  readonly later: (milliseconds: number, work: Work) => () => void;
};

/** An event; false when it had no effect. */
type Work = () => unknown;

/** A world that depends only on a seed. */
export type World = {
  readonly random: Random;
  /** True time in milliseconds, which no process or store can read. */
  readonly now: () => number;
  readonly at: (time: number, work: Work) => unknown;
  /** @param rate speed of its clocks, as a multiple of the true one. */
  readonly spawn: (name: string, skew: number, rate?: number) => Process;
  /** Runs events until no event is left, or `isOver`. */
  readonly run: (isOver: () => boolean) => Promise<void>;
};

type Event = { readonly time: number; readonly work: Work };

/** When every world begins. */
export const START = Date.UTC(2026, 0, 20);

/** Waits until all immediate work is done: a tick of Node.js follows when the queue of promises is empty. */
const settled = () => new Promise<void>(process.nextTick);

export function createWorld(seed: number): World {
  const random = createRandom(seed);
  /** The next one last. They are a dozen at most: a sorted list is faster than a heap. */
  const events: Event[] = [];
  let now = START;
  let names = 0;

  const at = (time: number, work: Work): Event => {
    const event = { time: Math.max(time, now), work };
    let index = events.push(event) - 1;
    // Of equal times, the first to be scheduled comes first.
    for (; index > 0 && events[index - 1]!.time <= event.time; index--) events[index] = events[index - 1]!;
    events[index] = event;
    return event;
  };
  const cancel = (event: Event) => {
    const index = events.indexOf(event);
    if (index >= 0) events.splice(index, 1);
  };

  const spawn = (name: string, skew: number, rate = 1): Process => {
    let slept = 0;
    const self: Process = {
      name,
      isDead: false,
      awake: 0,
      host: {
        instant: () => ({
          monotonic: rate * (now - START - slept),
          wall: START + rate * (now - START) + skew,
        }),
        sleep: (milliseconds) => new Promise<void>((resolve) => self.later(milliseconds / rate, resolve)),
        after: (milliseconds, work) => self.later(milliseconds / rate, work),
        unique: () => `${name}-${names++}`,
        owner: name,
      },
      pause(milliseconds, isSuspended) {
        self.awake = Math.max(self.awake, now + milliseconds);
        if (isSuspended) slept += milliseconds;
      },
      later(milliseconds, work) {
        const deliver = () => {
          if (self.isDead) return false;
          if (self.awake <= now) return work();
          event = at(self.awake, deliver);
          return false;
        };
        // Timers count whole milliseconds.
        let event = at(now + Math.max(Math.ceil(milliseconds), 0), deliver);
        return () => cancel(event);
      },
    };
    return self;
  };

  return {
    random,
    now: () => now,
    at,
    spawn,
    async run(isOver) {
      await settled();
      while (events.length > 0 && !isOver()) {
        const { time, work } = events.pop()!;
        now = time;
        // All immediate consequences happen before the next event.
        if (work() !== false) await settled();
      }
    },
  };
}
