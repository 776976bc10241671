import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Concurrency, maxInFlight } from './pace.ts';

/** Number of items to start before the event loop gets a turn: the items that run may shrink an adaptive `width`. */
const STARTS_PER_TURN = 16;

/**
 * Reads the next item only when it can start. After an error, waits for the items in flight, then throws the
 * error. Used instead of p-limit, which needs three times as many promises.
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  width: Concurrency,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let started = 0;
  let running = 0;
  let ended = () => {};
  const failures: unknown[] = [];
  const run = async (item: Item) => {
    running++;
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
    running--;
    ended();
  };
  const nextEnd = () =>
    new Promise<void>((resolve) => {
      ended = resolve;
    });
  try {
    for (const item of items) {
      void run(item);
      if (typeof width !== 'number' && ++started % STARTS_PER_TURN === 0) await nextTurn();
      while (running >= maxInFlight(width)) await nextEnd();
      if (failures.length > 0) break;
    }
  } finally {
    while (running > 0) await nextEnd();
  }
  if (failures.length > 0) throw failures[0];
}

export function* batches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
