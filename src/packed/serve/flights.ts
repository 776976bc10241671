/**
 * Milliseconds after which a request no longer joins a load in progress: a platform may drop work of a request that has
 * ended.
 */
const LONGEST_LOAD = 10_000;

/**
 * Returns a loader whose concurrent calls for one key share one load.
 *
 * @param now returns the time in milliseconds.
 */
export function createFlights(now: () => number): <T>(key: string, load: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, { readonly started: number; readonly value: Promise<unknown> }>();
  return <T>(key: string, load: () => Promise<T>) => {
    const begun = flights.get(key);
    if (begun && now() - begun.started < LONGEST_LOAD) return begun.value as Promise<T>;
    const value = load();
    const mine = { started: now(), value };
    flights.set(key, mine);
    const done = () => {
      if (flights.get(key) === mine) flights.delete(key);
    };
    value.then(done, done);
    return value;
  };
}
