import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { inFlightOf, type Width } from './pace.ts';

/** Items started without a pause; then bodies that were read count ({@link Pace.carry}). */
const AT_ONCE = 16;

/**
 * Calls `work` for every item, at most `width` at a time. After a failure it starts no further item and waits for those
 * in flight. It takes items lazily, so a million of them need no memory.
 *
 * @throws the first error.
 */
export async function forEach<Item>(
  items: Iterable<Item>,
  width: Width,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit(inFlightOf(width));
  let started = 0;
  const failures: unknown[] = [];
  const place = () => limit(() => {});
  try {
    for (const item of items) {
      void limit(work, item).catch((error: unknown) => failures.push(error));
      if (typeof width !== 'number' && ++started % AT_ONCE === 0) await nextTurn();
      for (;;) {
        limit.concurrency = inFlightOf(width);
        if (limit.activeCount < limit.concurrency) break;
        await place();
      }
      if (failures.length > 0) break;
    }
  } finally {
    // With a concurrency of one, the place is free once all calls have ended.
    limit.concurrency = 1;
    await place();
  }
  if (failures.length > 0) throw failures[0];
}

/** Yields the items in groups of at most `size`. */
export function* groups<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
