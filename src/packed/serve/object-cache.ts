/** A cache of immutable objects in memory, limited by bytes. */
import { createFlights } from './flights.ts';

/** An object, and its size in memory. */
export type Weighed<T> = { readonly value: T; readonly bytes: number };

/** Objects by key. All objects of one key have the same type. */
export type Objects = {
  /** Returns an object, loading it on a miss. Failures are not cached. */
  readonly get: <T>(key: string, load: () => Promise<Weighed<T>>) => T | Promise<T>;
};

/**
 * Makes a cache that evicts the least recently used objects. Concurrent requests for an object share one load.
 *
 * @param limit largest total size in bytes; a larger object is returned, but not cached.
 * @param now returns the time in milliseconds.
 */
export function createObjects(limit: number, now: () => number): Objects {
  const entries = new Map<string, Weighed<unknown>>();
  const join = createFlights(now);
  let bytes = 0;
  const keep = (key: string, object: Weighed<unknown>) => {
    if (entries.has(key) || object.bytes > limit) return;
    entries.set(key, object);
    bytes += object.bytes;
    for (const [oldest, { bytes: freed }] of entries) {
      if (bytes <= limit) return;
      entries.delete(oldest);
      bytes -= freed;
    }
  };
  return {
    get: <T>(key: string, load: () => Promise<Weighed<T>>) => {
      const found = entries.get(key);
      if (found) {
        // Moves the object to the end of the map, whose order is that of use.
        entries.delete(key);
        entries.set(key, found);
        return found.value as T;
      }
      return join(key, async () => {
        const object = await load();
        keep(key, object);
        return object.value;
      });
    },
  };
}
