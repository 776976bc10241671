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
  const found = new Map<string, T>();
  return (key) => {
    let known = found.get(key);
    if (known === undefined) {
      known = find(key);
      found.set(key, known);
    }
    return known;
  };
}
