import pLimit from 'p-limit';

/**
 * Calls `work` for every item, at most `concurrency` at a time. After a failure no further item is begun; those in
 * flight are waited for. An item is taken from `items` when there is a place for it, so a million of them take no memory.
 *
 * @throws the first error.
 */
export async function forEach<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const limit = pLimit(concurrency);
  const failures: unknown[] = [];
  const place = () => limit(() => {});
  try {
    for (const item of items) {
      void limit(work, item).catch((error: unknown) => failures.push(error));
      if (limit.activeCount === concurrency) await place();
      if (failures.length > 0) break;
    }
  } finally {
    // The only place is free when everything has ended.
    limit.concurrency = 1;
    await place();
  }
  if (failures.length > 0) throw failures[0];
}

/** Items in groups of at most `size`. */
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
