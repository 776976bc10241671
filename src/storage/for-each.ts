/**
 * Calls `work` for every item, at most `concurrency` at a time. After a failure no further item is begun; those in
 * flight are waited for. An item is taken from `items` when there is a place for it: half a million of them take no memory.
 *
 * `p-limit` bounds short lists elsewhere. It is given every task at once: it would hold a promise and a closure for each
 * object, and go on with those that wait after one has failed.
 *
 * @throws the first error.
 */
export async function forEach<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const runner = async () => {
    while (failures.length === 0) {
      const { done, value } = iterator.next();
      if (done) return;
      try {
        await work(value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runner));
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
