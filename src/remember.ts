/** Memoises the last result of a function. */
export function rememberLast<T>(find: (key: string) => T): (key: string) => T {
  let last: { readonly key: string; readonly answer: T } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, answer: find(key) };
    return last.answer;
  };
}

/** Memoises all results of a function. */
export function remember<T>(find: (key: string) => T): (key: string) => T {
  return remembering(new Map<string, T>(), find);
}

/** Memoises the results of a function, each for as long as its argument lives. */
export function rememberOf<Key extends object, T>(find: (key: Key) => T): (key: Key) => T {
  return remembering(new WeakMap<Key, T>(), find);
}

type Known<Key, T> = { get(key: Key): T | undefined; set(key: Key, value: T): unknown };

function remembering<Key, T>(found: Known<Key, T>, find: (key: Key) => T): (key: Key) => T {
  return (key) => {
    let known = found.get(key);
    if (known === undefined) {
      known = find(key);
      found.set(key, known);
    }
    return known;
  };
}
