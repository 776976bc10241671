/** Virtual time: events in order, and processes that sleep, stop, and end. */
import type { Host } from '../../src/storage/host.ts';
import { createRandom, type Random } from './random.ts';

/** A process with a machine of its own. */
export type Process = {
  readonly name: string;
  readonly host: Host;
  /** Whether it has been killed. */
  isDead: boolean;
  /** The time at which it continues. */
  awake: number;
  /** Stops it for a time. The monotonic clock of a suspended machine stands still. */
  readonly pause: (milliseconds: number, isSuspended: boolean) => void;
  /** Schedules an action in the process; it is late if the process is stopped then, and is dropped if it is dead. */
  readonly later: (milliseconds: number, work: Work) => void;
};

/** An event; false when it had no effect. */
type Work = () => unknown;

/** A world that depends only on a seed. */
export type World = {
  readonly random: Random;
  /** True time in milliseconds, which no process or store can read. */
  readonly now: () => number;
  readonly at: (time: number, work: Work) => void;
  readonly spawn: (name: string, skew: number) => Process;
  /** Runs events until no event is left, or `isOver`. */
  readonly run: (isOver: () => boolean) => Promise<void>;
};

type Event = { readonly time: number; readonly order: number; readonly work: Work };

/** When every world begins. */
export const START = Date.UTC(2026, 0, 20);

/** Waits until all immediate work is done: a tick of Node.js follows when the queue of promises is empty. */
const settled = () => new Promise<void>(process.nextTick);

export function createWorld(seed: number): World {
  const random = createRandom(seed);
  const events: Event[] = [];
  let now = START;
  let order = 0;
  let names = 0;

  const isBefore = (a: Event, b: Event) => a.time < b.time || (a.time === b.time && a.order < b.order);
  const at = (time: number, work: Work) => {
    let index = events.push({ time: Math.max(time, now), order: order++, work }) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!isBefore(events[index]!, events[above]!)) break;
      [events[index], events[above]] = [events[above]!, events[index]!];
      index = above;
    }
  };
  const pop = (): Event => {
    const first = events[0]!;
    const last = events.pop()!;
    if (events.length === 0) return first;
    events[0] = last;
    for (let index = 0; ; ) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < events.length && isBefore(events[child]!, events[least]!)) least = child;
      if (least === index) return first;
      [events[index], events[least]] = [events[least]!, events[index]!];
      index = least;
    }
  };

  const spawn = (name: string, skew: number): Process => {
    let slept = 0;
    const self: Process = {
      name,
      isDead: false,
      awake: 0,
      host: {
        instant: () => ({ monotonic: now - START - slept, wall: now + skew }),
        sleep: (milliseconds) => new Promise<void>((resolve) => self.later(milliseconds, resolve)),
        after(milliseconds, work) {
          let isCancelled = false;
          self.later(milliseconds, () => {
            if (isCancelled) return false;
            work();
            return true;
          });
          return () => {
            isCancelled = true;
          };
        },
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
          at(self.awake, deliver);
          return false;
        };
        // Timers count whole milliseconds.
        at(now + Math.max(Math.ceil(milliseconds), 0), deliver);
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
        const event = pop();
        now = event.time;
        // All immediate consequences happen before the next event.
        if (event.work() !== false) await settled();
      }
    },
  };
}
