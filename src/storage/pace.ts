/** Adapts the number of requests in flight, and their rate, to a server across a network. */
import { type Machine, thisMachine } from './machine.ts';

/** Number of items to work on at the same time: constant, or the `inFlight` of a {@link Pace}, which changes. */
export type Concurrency = number | { readonly inFlight: number };

export function maxInFlight(width: Concurrency): number {
  return typeof width === 'number' ? width : width.inFlight;
}

/** Learns from the responses how many requests the server can handle. All work for one server must share one pace. */
export type Pace = {
  readonly inFlight: number;
  /** Waits until the rate allows an attempt. After the attempt, call the returned function, with the error if any. */
  readonly turn: () => Promise<(error?: unknown) => void>;
  /** Counts a body as in memory until `work` ends. Large bodies lower `inFlight`. */
  readonly carry: <T>(bytes: number, work: () => Promise<T>) => Promise<T>;
};

export function concurrencyOf(
  { pace }: { readonly pace?: Pace | undefined },
  concurrency?: number,
): Concurrency {
  return concurrency ?? pace ?? START_IN_FLIGHT;
}

export type PaceOptions = {
  /** Constant number of requests in flight. @default adapts to the server */
  readonly concurrency?: number | undefined;
  /** @default 32 */
  readonly start?: number | undefined;
  readonly host?: Pick<Machine, 'instant' | 'sleep'> | undefined;
};

/** Also used for buckets without a pace. */
export const START_IN_FLIGHT = 32;
export const MAX_IN_FLIGHT = 256;
/** Maximum bytes of the bodies in memory: enough for 160 MB a second if responses take 100 ms. */
const MAX_BYTES = 16 * 2 ** 20;
/** The window (requests in flight) grows by this factor. It shrinks again unless throughput grows by `GAIN`. */
const GROWTH = 2;
const GAIN = 1.1;
/** Minimum milliseconds over which throughput is measured. */
const ROUND = 50;
/** Rounds until a larger window that did not raise throughput is tried again. */
const PATIENCE = 8;
/** Minimum milliseconds between two halvings, so that a short disturbance counts once. */
const MIN_HALVING_INTERVAL = 100;
/** Milliseconds after which a halved rate is at its former level again. */
const RECOVERY_TIME = 2000;
/** Requests per second. */
const MIN_RATE = 20;
/** Milliseconds that a timer may be late; later turns make up for it. */
const SLACK = 10;

export class BusyResponse<T> extends Error {
  constructor(readonly answer: T) {
    super('the server is busy');
  }
}

export function throwIfBusy<T extends { readonly status: number }>(answer: T): T {
  if (answer.status === 429 || answer.status === 503) throw new BusyResponse(answer);
  return answer;
}

export async function runPaced<T>(pace: Pace, attempt: () => Promise<T>): Promise<T> {
  const done = await pace.turn();
  try {
    const result = await attempt();
    done();
    return result;
  } catch (error) {
    done(error);
    throw error;
  }
}

export function createPace({ concurrency, start, host = thisMachine() }: PaceOptions = {}): Pace {
  if (concurrency !== undefined) {
    return { inFlight: concurrency, turn: async () => () => {}, carry: (_bytes, work) => work() };
  }
  const now = () => host.instant().monotonic;
  const rate = createRate(now);
  const window = createWindow(now, start ?? START_IN_FLIGHT);
  const load = { bodies: 0, bytes: 0 };
  let halved = Number.NEGATIVE_INFINITY;
  return {
    get inFlight() {
      const { bodies, bytes } = load;
      const fitting = bytes > 0 ? Math.floor((MAX_BYTES * bodies) / bytes) : MAX_IN_FLIGHT;
      return Math.max(1, Math.min(window.size(), fitting));
    },
    async turn() {
      const wait = rate.take();
      if (wait > 0) {
        await host.sleep(wait);
        window.hold();
      }
      const sent = now();
      return (error) => {
        if (error === undefined) window.taken();
        // Ignores requests that were sent before or just after the last halving: they failed for the same cause.
        else if (isBusy(error) && sent >= halved + MIN_HALVING_INTERVAL) {
          halved = now();
          rate.halve(window.throughput());
          window.halve();
        }
      };
    },
    async carry(bytes, work) {
      load.bodies++;
      load.bytes += bytes;
      try {
        return await work();
      } finally {
        load.bodies--;
        load.bytes -= bytes;
      }
    },
  };
}

function isBusy(error: unknown): boolean {
  if (error instanceof BusyResponse) return true;
  const { code, name, cause } = Object(error);
  if (code === 'bucket-busy') return true;
  const names = [code, name, Object(cause).code, Object(cause).name];
  return names.some((name) => /^UND_ERR_\w+_TIMEOUT$|^TimeoutError$/.test(String(name)));
}

// The window grows while throughput grows, then returns to the last size that raised throughput, and tries to grow
// again some rounds later. A round ends after a multiple of `size` responses, since they come in bursts of that many.
function createWindow(now: () => number, start: number) {
  let size = start;
  let lastSizeThatHelped = start;
  let best = 0;
  let patience = 0;
  let isHeld = false;
  let round = { since: now(), count: 0 };
  const begin = () => {
    isHeld = false;
    round = { since: now(), count: 0 };
  };
  const measured = () => (1000 * round.count) / (now() - round.since);
  const climb = () => {
    const reached = measured();
    if (reached > best * GAIN) [best, lastSizeThatHelped] = [reached, size];
    else if (size > lastSizeThatHelped) {
      [size, patience] = [lastSizeThatHelped, PATIENCE];
      return;
    } else if (patience-- > 0) return;
    // Later rounds are compared with this one, not with the best of all: other objects or another time of day may have
    // changed what is possible.
    best = reached;
    size = Math.min(MAX_IN_FLIGHT, Math.ceil(lastSizeThatHelped * GROWTH));
  };
  return {
    size: () => size,
    /** Call this if the rate, not the window, limits the round. */
    hold() {
      isHeld = true;
    },
    taken() {
      round.count++;
      if (round.count % size > 0 || now() - round.since < ROUND) return;
      if (isHeld) best = measured();
      else climb();
      begin();
    },
    /** Responses per second in this round, or in an earlier one if this round is shorter than `ROUND`; 0 if unknown. */
    throughput: () => (now() - round.since < ROUND ? best : measured()),
    halve() {
      size = Math.max(1, Math.floor(size / 2));
      [lastSizeThatHelped, best] = [size, 0];
      begin();
    },
  };
}

// The window does not limit the rate enough: where responses are quick, a small window still allows many requests a
// second. The rate is unlimited until the server is busy. Then the rate is halved, and returns to its former level. The
// curve is flat near that level and steep beyond it (CUBIC, RFC 9438), so the rate stays just below a lasting limit of
// the server, and soon exceeds a temporary one.
function createRate(now: () => number) {
  let level = Number.POSITIVE_INFINITY;
  let since = 0;
  let next = 0;
  const at = (time: number) => level * (1 + ((time - since) / RECOVERY_TIME - 1) ** 3 / 2);
  return {
    /** Reserves the next turn. Returns the milliseconds until that turn; 0 or less means now. */
    take(): number {
      const time = now();
      const due = Math.max(next, time - SLACK);
      next = due + 1000 / at(time);
      return due - time;
    },
    halve(throughput: number) {
      const time = now();
      level = Math.max(MIN_RATE, Math.min(at(time), throughput || Number.POSITIVE_INFINITY));
      since = time;
    },
  };
}
