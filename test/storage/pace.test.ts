/** The pace of requests, against stores in a time of their own. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Bucket, BucketError } from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import { forEachConcurrently } from '../../src/storage/for-each.ts';
import { logKey } from '../../src/storage/lock-log.ts';
import {
  BusyResponse,
  concurrencyOf,
  createPace,
  maxInFlight,
  type Pace,
  runPaced,
} from '../../src/storage/pace.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import { openMemory } from './memory.ts';

const busy = () => new BucketError('bucket-busy', 'SlowDown', true);

/** A clock that stands still while there is something to do. */
function createTime() {
  let now = 0;
  let isOver = false;
  const due: { at: number; resolve: () => void }[] = [];
  return {
    now: () => now,
    host: {
      instant: () => ({ monotonic: now, wall: now }),
      sleep: (milliseconds: number) =>
        new Promise<void>((resolve) => {
          const at = now + milliseconds;
          const place = due.findIndex((one) => one.at > at);
          due.splice(place < 0 ? due.length : place, 0, { at, resolve });
        }),
    },
    async run(work: Promise<unknown>): Promise<void> {
      const end = work.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        for (let turn = 0; turn < 3; turn++) await nextTurn();
        const next = due.shift();
        if (!next) continue;
        now = next.at;
        next.resolve();
      }
      await end;
    },
  };
}

type Network = {
  /** Milliseconds until an answer. */
  readonly latency: number;
  /** Milliseconds of the processor for each request, one after the other. */
  readonly cost?: number;
  /** Tells whether a request at this time is refused. */
  readonly refuses?: (now: number) => boolean;
};

/** Writes that many objects. Returns what happened. */
async function publish(count: number, { latency, cost = 0.25, refuses = () => false }: Network) {
  const time = createTime();
  const pace = createPace({ host: time.host });
  let [free, asked, taken, flying, highest] = [0, 0, 0, 0, 0];
  const store: Bucket = {
    ...openMemory({ now: () => new Date(0) }),
    async write() {
      asked++;
      highest = Math.max(highest, ++flying);
      free = Math.max(free, time.now()) + cost;
      await time.host.sleep(free - time.now() + latency);
      flying--;
      if (refuses(time.now())) throw busy();
      taken++;
      return { tag: '' };
    },
  };
  const bucket = withRetry(store, { pace, sleep: time.host.sleep, random: () => 0.5 });
  const numbers = Array.from({ length: count }, (_, number) => `${number}`);
  await time.run(
    forEachConcurrently(numbers, pace, (key) => bucket.write(key, Buffer.from('x'), CONTROL_OBJECT_HEADERS)),
  );
  return { seconds: time.now() / 1000, asked, taken, highest, pace };
}

/** Refuses a share of what exceeds a rate, beyond a tenth of a second's worth at once. */
function tokens(rate: number, share: number) {
  let [left, last, number] = [rate / 10, 0, 0];
  return (now: number) => {
    left = Math.min(rate / 10, left + ((now - last) * rate) / 1000) - 1;
    last = now;
    if (left >= 0) return false;
    left = 0;
    return ++number % Math.round(1 / share) === 0;
  };
}

describe('requests in flight', () => {
  it.each([
    [30, 8],
    [100, 16],
  ])('with %d ms an answer, 22,080 objects take at most %d s', async (latency, most) => {
    const { seconds, highest } = await publish(22_080, { latency });
    // Half of it is left to the rest of a publish.
    expect(seconds).toBeLessThan(0.8 * most);
    expect(highest).toBeLessThanOrEqual(256);
  });

  it('stay few where more bring nothing', async () => {
    const { highest, seconds, pace } = await publish(5000, { latency: 0.3 });
    expect(pace.inFlight).toBeLessThanOrEqual(64);
    expect(highest).toBeLessThanOrEqual(80);
    expect(seconds).toBeLessThan(1.4);
  });

  it('are as many as asked for', async () => {
    const pace = createPace({ concurrency: 5 });
    await runPaced(pace, async () => {
      throw busy();
    }).catch(() => {});
    expect(maxInFlight(pace)).toBe(5);
  });

  it('are one for a bucket without a pace', () => {
    expect([concurrencyOf({}), concurrencyOf({}, 4)]).toEqual([32, 4]);
  });
});

describe('a store that refuses', () => {
  it.each([
    [0.3, 1],
    [30, 1],
    [100, 1],
    [0.3, 0.2],
    [30, 0.2],
    [100, 0.2],
  ])(
    'above 500 requests a second is asked at most 1.3 times (%d ms an answer, share %d)',
    async (latency, share) => {
      const { asked, taken, seconds } = await publish(10_000, { latency, refuses: tokens(500, share) });
      expect(taken).toBe(10_000);
      expect(asked / taken).toBeLessThan(1.3);
      // It is not asked much less than it takes, either.
      expect(seconds).toBeLessThan(share === 1 ? 30 : 25);
    },
  );

  it.each([
    ['429', new BusyResponse({ status: 429 })],
    ['SlowDown', busy()],
    ['a time-out', Object.assign(new Error('late'), { cause: new DOMException('late', 'TimeoutError') })],
    ['undici', new TypeError('fetch failed', { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } })],
  ])('halves what is in flight, once for those that were sent together: %s', async (_name, error) => {
    const pace = createPace();
    const turns = await Promise.all([pace.turn(), pace.turn(), pace.turn()]);
    for (const settle of turns) settle(error);
    expect(pace.inFlight).toBe(16);
  });

  it('changes nothing for a refusal of another kind', async () => {
    const pace = createPace();
    (await pace.turn())(new BucketError('bucket-denied', 'no', false));
    expect(pace.inFlight).toBe(32);
  });
});

it('few large bodies are in memory at a time', async () => {
  const pace = createPace();
  let most = 0;
  let flying = 0;
  await forEachConcurrently(
    Array.from({ length: 60 }, (_, index) => index),
    pace,
    () =>
      pace.carry(16 * 2 ** 20, async () => {
        most = Math.max(most, ++flying);
        await nextTurn();
        await nextTurn();
        flying--;
      }),
  );
  // Those started before the first is counted, and four of 16 MB.
  expect(most).toBeLessThanOrEqual(20);
});

it('a request that waited for its turn starts only within its limit, and the log never waits', async () => {
  const order: string[] = [];
  const pace: Pace = {
    ...createPace(),
    async turn() {
      order.push('turn');
      return () => {};
    },
  };
  const limit = {
    holder: 'one',
    remaining: () => 1000,
    signal: new AbortController().signal,
    unsettled() {},
    async ready() {
      order.push('ready');
    },
  };
  const memory = openMemory({ now: () => new Date(0) });
  const bucket = withRetry(memory, { pace });
  await bucket.limited(limit).write('a', Buffer.from('x'), CONTROL_OBJECT_HEADERS);
  await bucket.limited(limit).write(logKey(1), Buffer.from('x'), CONTROL_OBJECT_HEADERS);
  expect(order).toEqual(['turn', 'ready', 'ready']);
});
