import { createValueStore, type ValueStore } from '../explorer/value-store.ts';
import type { EditorClient } from './client.ts';

export type PhotoStore = Pick<ValueStore<ReadonlyMap<string, string>>, 'get' | 'subscribe'> & {
  readonly load: (path: string) => void;
  readonly add: (path: string, photo: Blob) => void;
};

export function createPhotoStore(client: Pick<EditorClient, 'photo'>): PhotoStore {
  const store = createValueStore<ReadonlyMap<string, string>>(new Map());
  const asked = new Set<string>();
  const add = (path: string, photo: Blob) => {
    asked.add(path);
    store.set(new Map(store.get()).set(path, URL.createObjectURL(photo)));
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    add,
    load(path) {
      if (asked.has(path)) return;
      asked.add(path);
      client.photo(path, new AbortController().signal).then(
        (photo) => add(path, photo),
        () => asked.delete(path),
      );
    },
  };
}
