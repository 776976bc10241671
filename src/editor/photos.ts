/** The edited property's photos: those in the content folder, and those to upload once the property has a file. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Authored, FieldValues } from './api.ts';
import { type EditorClient, messageOf } from './client.ts';
import { isWaiting, photoPath, waitingName } from './photo-files.ts';
import type { PhotoStore } from './photo-store.ts';
import type { Values } from './snapshots.ts';
import { entriesAt } from './snapshots.ts';

/** The result of uploading photos. */
type Sent = { readonly fields: FieldValues; readonly problems: readonly string[] };

export type Photos = {
  readonly store: PhotoStore;
  /** Returns the URL of a photo's thumbnail; undefined while it loads. */
  readonly urlOf: (file: string) => string | undefined;
  /** Adds a photo, and returns the value of its field `file`, or why it cannot be used. */
  readonly take: (file: File) => Promise<{ readonly file: string } | { readonly problem: string }>;
  /** Uploads the waiting photos. Returns the field `photo` with the uploaded ones, and the problems of others. */
  readonly send: (path: string, values: Values) => Promise<Sent>;
};

/** @param pathOf returns the path of the property's file; undefined while it has none. */
export function createPhotos(
  client: EditorClient,
  store: PhotoStore,
  pathOf: () => string | undefined,
): Photos {
  const waiting = new Map<string, File>();
  const keyOf = (file: string) => (isWaiting(file) ? file : photoPath(pathOf() ?? '', file));
  const takeIn = async (path: string, file: File) => {
    try {
      const answer = await client.addPhoto(path, file);
      store.add(answer.path, file);
      return { file: answer.file };
    } catch (error) {
      return { problem: `${file.name}: ${messageOf(error)}` };
    }
  };
  return {
    store,
    urlOf(file) {
      if (file === '') return undefined;
      const key = keyOf(file);
      if (!isWaiting(file)) store.load(key);
      return store.get().get(key);
    },
    async take(file) {
      const path = pathOf();
      if (path === undefined) {
        const name = waitingName(waiting.size, file.name);
        waiting.set(name, file);
        store.add(name, file);
        return { file: name };
      }
      return takeIn(path, file);
    },
    async send(path, values) {
      const list: Authored[] = [];
      const problems: string[] = [];
      for (const entry of entriesAt(values, 'photo') as readonly { readonly file?: string }[]) {
        const file = entry.file && waiting.get(entry.file);
        const taken: { readonly file?: string; readonly problem?: string } = file
          ? await takeIn(path, file)
          : {};
        if (taken.problem) problems.push(taken.problem);
        else list.push({ ...entry, ...taken });
      }
      return { fields: list.length === 0 ? {} : { photo: list }, problems };
    },
  };
}

export const PhotosContext = createContext<Photos | undefined>(undefined);

export function usePhotos(): Photos {
  return useContext(PhotosContext)!;
}
