/** The same function, which finds each answer once. */
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
