/** Milliseconds after which calls no longer join a running load, since the platform may have ended it. */
const MAX_JOINABLE_AGE = 10_000;

/** Concurrent calls with the same key share a load. @param now returns the present time in milliseconds */
export function createSharedLoads(now: () => number): <T>(key: string, load: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, { readonly started: number; readonly value: Promise<unknown> }>();
  return <T>(key: string, load: () => Promise<T>) => {
    const begun = flights.get(key);
    if (begun && now() - begun.started < MAX_JOINABLE_AGE) return begun.value as Promise<T>;
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
