/** Immutable objects in memory, bounded by bytes. */

/** An object, and what it takes in memory. */
export type Weighed<T> = { readonly value: T; readonly bytes: number };

/** Objects by key. What a key names is always of one type. */
export type Objects = {
  /** The object of this key, loaded when it is not there. What fails is not kept. */
  readonly get: <T>(key: string, load: () => Promise<Weighed<T>>) => T | Promise<T>;
};

/**
 * After this many milliseconds no request joins a load: a platform may drop what was begun for a request that
 * has gone.
 */
const LONGEST_LOAD = 10_000;

/**
 * Makes a place for objects. Those that were used longest ago go first; requests that come while an object is loaded
 * share the load.
 *
 * @param limit bytes that the objects may take together. One that is larger is given and not kept.
 * @param now time in milliseconds.
 */
export function createObjects(limit: number, now: () => number): Objects {
  const held = new Map<string, Weighed<unknown>>();
  const loads = new Map<string, { readonly started: number; readonly value: Promise<unknown> }>();
  let bytes = 0;
  const keep = (key: string, object: Weighed<unknown>) => {
    if (held.has(key) || object.bytes > limit) return;
    held.set(key, object);
    bytes += object.bytes;
    for (const [oldest, { bytes: freed }] of held) {
      if (bytes <= limit) return;
      held.delete(oldest);
      bytes -= freed;
    }
  };
  return {
    get: <T>(key: string, load: () => Promise<Weighed<T>>) => {
      const found = held.get(key);
      if (found) {
        // The order of a map is that of insertion: the end is what was used last.
        held.delete(key);
        held.set(key, found);
        return found.value as T;
      }
      const begun = loads.get(key);
      if (begun && now() - begun.started < LONGEST_LOAD) return begun.value as Promise<T>;
      const value = load().then((object) => {
        keep(key, object);
        return object.value;
      });
      const mine = { started: now(), value };
      loads.set(key, mine);
      const done = () => {
        if (loads.get(key) === mine) loads.delete(key);
      };
      value.then(done, done);
      return value;
    },
  };
}
