import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AuthoredValue, FieldValues } from './api.ts';
import { type EditorClient, errorMessage, FailedRequest } from './client.ts';
import {
  isHeic,
  isPendingUpload,
  pendingUploadName,
  photoPath,
  withoutPendingPrefix,
} from './photo-files.ts';
import type { PhotoStore } from './photo-url-store.ts';
import { entriesAt, type FormValues } from './undo-history.ts';

/** Keys are names of photos in the form. `files`: file name after the upload. `problems`: why the upload failed. */
export type PhotoUploadResult = {
  readonly files: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, string>;
};

export type FormPhotos = {
  readonly store: PhotoStore;
  readonly urlOf: (file: string) => string | undefined;
  readonly take: (photo: File) => string;
  readonly upload: (path: string, values: FormValues) => Promise<PhotoUploadResult>;
  /** Discards the copies of uploaded photos. Call it once a save has written the names of the uploaded files. */
  readonly removeUploaded: (names: Iterable<string>) => void;
  /** Stores all added photos in the draft. Call it when a dropped draft is stored again: the drop deleted them. */
  readonly keepAll: () => void;
};

type Kept = {
  readonly kept: ReadonlyMap<string, File>;
  readonly keep: (name: string, photo: File) => void;
  readonly refuse: (name: string, problem: string) => void;
};

export function createFormPhotos(
  client: EditorClient,
  store: PhotoStore,
  pathOf: () => string | undefined,
  { kept, keep, refuse }: Kept,
): FormPhotos {
  const waiting = new Map(kept);
  const show = (name: string, photo: File) => {
    if (!isHeic(photo)) return store.add(name, photo);
    client.convertPhoto(photo).then(
      (picture) => {
        if (waiting.has(name)) waiting.set(name, new File([picture], photo.name, { type: picture.type }));
        store.add(name, picture);
      },
      (error: unknown) => {
        // The upload will report any other failure.
        if (error instanceof FailedRequest && error.failure.code === 'bad-photo')
          refuse(name, `${photo.name}: ${error.message}`);
      },
    );
  };
  for (const [name, photo] of kept) show(name, photo);
  const keyOf = (file: string) => (isPendingUpload(file) ? file : photoPath(pathOf() ?? '', file));
  return {
    store,
    urlOf(file) {
      if (file === '') return undefined;
      const key = keyOf(file);
      if (!isPendingUpload(file)) store.load(key);
      return store.get().get(key);
    },
    take(photo) {
      const name = pendingUploadName(Date.now() + waiting.size, photo.name);
      waiting.set(name, photo);
      show(name, photo);
      keep(name, photo);
      return name;
    },
    async upload(path, values) {
      const [files, problems] = [new Map<string, string>(), new Map<string, string>()];
      for (const name of filesOf(values)) {
        if (!isPendingUpload(name)) continue;
        const photo = waiting.get(name);
        const label = withoutPendingPrefix(name);
        if (!photo) {
          problems.set(name, `${label} is no longer in this browser. Remove it, and add it again.`);
          continue;
        }
        try {
          const answer = await client.addPhoto(path, photo);
          if (!isHeic(photo)) store.add(answer.path, photo);
          files.set(name, answer.file);
        } catch (error) {
          problems.set(name, `${label}: ${errorMessage(error)}`);
        }
      }
      return { files, problems };
    },
    removeUploaded(names) {
      for (const name of names) waiting.delete(name);
    },
    keepAll() {
      for (const [name, photo] of waiting) keep(name, photo);
    },
  };
}

function filesOf(values: FormValues): string[] {
  const entries = entriesAt(values, 'photo') as readonly ({ readonly file?: string } | null)[];
  return entries.flatMap((entry) => entry?.file ?? []);
}

function withFiles(values: FieldValues, nameOf: (file: string) => string | undefined): FieldValues {
  if (filesOf(values).every((file) => nameOf(file) === file)) return values;
  const entries = entriesAt(values, 'photo') as readonly { readonly file?: string }[];
  const photo = entries.flatMap((entry): AuthoredValue[] => {
    if (entry?.file === undefined) return [entry];
    const file = nameOf(entry.file);
    return file === undefined ? [] : [{ ...entry, file }];
  });
  return { ...values, photo };
}

export function withUploadedNames(values: FormValues, files: PhotoUploadResult['files']): FormValues {
  return withFiles(values, (file) => files.get(file) ?? file);
}

export function withoutPendingUploads(values: FieldValues): FieldValues {
  return withFiles(values, (file) => (isPendingUpload(file) ? undefined : file));
}

export function withMovedPhotos(values: FormValues, from: string, to: string): FormValues {
  const up = '../'.repeat(to.split('/').length - 1);
  return withFiles(values, (file) => (isPendingUpload(file) ? file : up + photoPath(from, file)));
}

export const PhotosContext = createContext<FormPhotos | undefined>(undefined);

export function usePhotos(): FormPhotos {
  return useContext(PhotosContext)!;
}
