/** Bounded concurrency over work that is made as it goes: nothing is held but what is in flight. */

/**
 * Calls `work` for every item, at most `concurrency` at a time. After a failure no further item is begun; those in
 * flight are waited for.
 *
 * `p-limit`, which bounds a few things elsewhere, is given every task at once: it would hold a promise and a closure
 * for each of half a million objects, and go on with those that wait after one has failed. Here an item is taken from
 * `items` when there is a place for it, so that memory stays flat and nothing is written after an error.
 *
 * @throws the first error.
 */
export async function forEach<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
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
