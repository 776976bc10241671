/** Values that change, and those who want to know. */
import { useEffect, useState } from 'preact/hooks';

/** A value that changes. */
export type ValueStore<Value> = {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls after each change. Returns what ends that. */
  readonly subscribe: (changed: () => void) => () => void;
};

/** Makes a store. */
export function createStore<Value>(first: Value): ValueStore<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const changed of listeners) changed();
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** The value of a store. The component is drawn again when it changes. */
export function useStore<Value>(store: Pick<ValueStore<Value>, 'get' | 'subscribe'>): Value {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const update = () => setValue(() => store.get());
    update();
    return store.subscribe(update);
  }, [store]);
  return value;
}
