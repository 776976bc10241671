/** Virtual time: events in order, and processes that sleep, stop and die. */
import type { Machine } from '../../src/storage/machine.ts';
import { createRandom, type Random } from './random.ts';

/** A process on its own machine. */
export type Process = {
  readonly name: string;
  readonly host: Machine;
  isDead: boolean;
  /** When it continues after a pause. */
  awake: number;
  readonly pause: (milliseconds: number, kind: Pause) => void;
  /** Runs late if the process is stopped then, and never if it is dead. Returns a function that cancels. */
  readonly later: (milliseconds: number, work: Work) => () => void;
};

/**
 * `stopped`: its clocks run on. `suspended`: the monotonic clock stands still, as while a machine sleeps. `frozen`: both
 * clocks do, as while a virtual machine is paused.
 */
export type Pause = 'stopped' | 'suspended' | 'frozen';

/** Returns false if it had no effect. */
type Work = () => unknown;

/** Everything follows from the seed. */
export type World = {
  readonly random: Random;
  /** True time in milliseconds, which no process or store can read. */
  readonly now: () => number;
  readonly at: (time: number, work: Work) => unknown;
  /** @param rate speed of its clocks relative to true time */
  readonly spawn: (name: string, skew: number, rate?: number) => Process;
  /** Runs until no event is left, or `isOver`. */
  readonly run: (isOver: () => boolean) => Promise<void>;
};

type Event = { readonly time: number; readonly work: Work };

/** When every world begins. */
export const START = Date.UTC(2026, 0, 20);

/** Waits for all immediate work: Node.js runs `nextTick` callbacks after the queue of promises is empty. */
const settled = () => new Promise<void>(process.nextTick);

export function createWorld(seed: number): World {
  const random = createRandom(seed);
  /** Next event last. There are a dozen at most, so a sorted array is faster than a heap. */
  const events: Event[] = [];
  let now = START;
  let names = 0;

  const at = (time: number, work: Work): Event => {
    const event = { time: Math.max(time, now), work };
    let index = events.push(event) - 1;
    // Events at the same time run in the order of scheduling.
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
    let frozen = 0;
    const self: Process = {
      name,
      isDead: false,
      awake: 0,
      host: {
        instant: () => ({
          monotonic: rate * (now - START - slept),
          wall: START + rate * (now - START - frozen) + skew,
        }),
        sleep: (milliseconds) => new Promise<void>((resolve) => self.later(milliseconds / rate, resolve)),
        after: (milliseconds, work) => self.later(milliseconds / rate, work),
        unique: () => `${name}-${names++}`,
        owner: name,
      },
      pause(milliseconds, kind) {
        self.awake = Math.max(self.awake, now + milliseconds);
        if (kind !== 'stopped') slept += milliseconds;
        if (kind === 'frozen') frozen += milliseconds;
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
        // All immediate consequences come before the next event.
        if (work() !== false) await settled();
      }
    },
  };
}
