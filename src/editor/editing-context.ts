import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { clientSideLinkProps } from '../explorer/navigation.ts';
import type { ValueStore } from '../explorer/value-store.ts';
import type { CatalogueResponse, FieldInfo } from './catalogue-info.ts';
import type { EditorClient } from './client.ts';
import type { Remote } from './remote-state.ts';
import type { UnsavedDraftStore } from './unsaved-drafts.ts';
import { type EditorView, editorQuery } from './url-state.ts';

/** `reverted`: a phrase such as "Phone of Rose Cottage"; undefined if the file was removed. */
export type RestoreOffer = { readonly path: string; readonly title: string; readonly reverted?: string };

export type Editor = {
  readonly client: EditorClient;
  readonly drafts: UnsavedDraftStore;
  readonly isStorageFailing: Pick<ValueStore<boolean>, 'get' | 'subscribe'>;
  /** Why reloading the catalogue failed; empty if it did not. */
  readonly problem: string;
  readonly catalogue: CatalogueResponse;
  /** If there are unsaved changes, asks the user first. `replace` only changes the URL and keeps the open form. */
  readonly go: (view: EditorView, how?: 'replace') => void;
  /** Reloads the list after changes that send no `files` event. */
  readonly refresh: () => void;
  readonly list: EditorView;
  readonly changeCount: number;
  /** Paths in the latest `files` event; null if any file may have changed. */
  readonly changedPaths: readonly string[] | null;
  readonly offerRestore: (restorable: RestoreOffer) => void;
  readonly withdrawRestore: (path: string) => void;
  readonly remote: Remote;
  /** Makes screen readers read the text aloud. */
  readonly announce: (text: string) => void;
  /** Asks the user before another view opens; `leave` opens it. Undefined while everything is saved. */
  readonly guard: { current: ((leave: () => void) => void) | undefined };
};

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  return useContext(EditorContext)!;
}

export function fieldInfo({ fields }: CatalogueResponse, name: string, list?: string): FieldInfo {
  const all = list === undefined ? fields : fields.find((field) => field.name === list)!.fields;
  return all.find((field) => field.name === name)!;
}

export function editorLinkProps({ go }: Editor, view: EditorView) {
  return clientSideLinkProps(editorQuery(view), () => go(view));
}
