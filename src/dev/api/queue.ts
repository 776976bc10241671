/** One thing after the other, for each key. */

/** Acts when everything that was asked for before, with the same key, has ended. */
export type Queue = <Result>(key: string, act: () => Promise<Result>) => Promise<Result>;

export function createQueue(): Queue {
  const last = new Map<string, Promise<unknown>>();
  return (key, act) => {
    const next = (last.get(key) ?? Promise.resolve()).then(act, act);
    last.set(key, next);
    const forget = () => {
      if (last.get(key) === next) last.delete(key);
    };
    next.then(forget, forget);
    return next;
  };
}
