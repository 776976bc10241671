/** Memory cache of immutable objects, limited by bytes. */
import { createSharedLoads } from './shared-loads.ts';

/** `bytes`: size of the value in memory. */
export type SizedValue<T> = { readonly value: T; readonly bytes: number };

/** A key must always be used with the same type. */
export type ObjectCache = {
  /** Loads on a miss. Failures are not cached. */
  readonly get: <T>(key: string, load: () => Promise<SizedValue<T>>) => T | Promise<T>;
};

/**
 * Evicts the least recently used objects. Concurrent requests for the same object share one load.
 * @param limit maximum bytes in total; a larger object is returned but not cached
 * @param now returns the present time in milliseconds
 */
export function createObjectCache(limit: number, now: () => number): ObjectCache {
  const entries = new Map<string, SizedValue<unknown>>();
  const join = createSharedLoads(now);
  let bytes = 0;
  const keep = (key: string, object: SizedValue<unknown>) => {
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
    get: <T>(key: string, load: () => Promise<SizedValue<T>>) => {
      const found = entries.get(key);
      if (found) {
        // The map is in order of use: this entry moves to the end.
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
