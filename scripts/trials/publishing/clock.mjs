/**
 * Loaded into a process before anything else (`node --import`): makes its clocks and timers run faster, and its wall
 * clock wrong. What to do is in `TRIAL_CLOCK`: `{ pace, origin, shift, jump: { after, by } }`, times in milliseconds.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises from 'node:timers/promises';
import { promisify } from 'node:util';

const { pace, origin, shift, jump } = JSON.parse(process.env.TRIAL_CLOCK);

const RealDate = Date;
const realMonotonic = performance.now.bind(performance);
const monotonic = () => realMonotonic() * pace;
const wall = () => {
  const jumped = jump && monotonic() > jump.after ? jump.by : 0;
  return Math.floor(origin + (RealDate.now() - origin) * pace + shift + jumped);
};

class PacedDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [wall()] : args));
  }
  static now() {
    return wall();
  }
}

/** A timer that counts by the faster clock. */
function paced(start) {
  return (work, milliseconds = 1, ...rest) => start(work, milliseconds / pace, ...rest);
}

globalThis.Date = PacedDate;
Object.defineProperty(performance, 'now', { value: monotonic });
const { setTimeout: pause } = promises;
promises.setTimeout = (milliseconds = 1, ...rest) => pause(milliseconds / pace, ...rest);
for (const name of ['setTimeout', 'setInterval']) {
  timers[name] = paced(timers[name]);
  globalThis[name] = timers[name];
}
Object.defineProperty(setTimeout, promisify.custom, { value: promises.setTimeout });
syncBuiltinESMExports();
