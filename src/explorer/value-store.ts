import { useEffect, useState } from 'preact/hooks';

export type ValueStore<Value> = {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls `changed` after each change. Returns a function that unsubscribes. */
  readonly subscribe: (changed: () => void) => () => void;
};

export function createValueStore<Value>(first: Value): ValueStore<Value> {
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

export function useStore<Value>(store: Pick<ValueStore<Value>, 'get' | 'subscribe'>): Value {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const update = () => setValue(() => store.get());
    update();
    return store.subscribe(update);
  }, [store]);
  return value;
}
