import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { inPageLinkProps } from '../explorer/navigation.ts';
import type { ValueStore } from '../explorer/value-store.ts';
import type { CatalogueResponse, FieldInfo } from './catalogue-info.ts';
import type { EditorClient } from './client.ts';
import type { Drafts } from './drafts.ts';
import type { Remote } from './remote-state.ts';
import { type EditorView, editorQuery } from './url-state.ts';

/** `taken`: what was taken back, in words; undefined for a removed file. */
export type Restorable = { readonly path: string; readonly title: string; readonly taken?: string };

export type Editor = {
  readonly client: EditorClient;
  readonly drafts: Drafts;
  readonly keepsNothing: Pick<ValueStore<boolean>, 'get' | 'subscribe'>;
  /** Why reloading the catalogue failed; empty if it did not. */
  readonly problem: string;
  readonly catalogue: CatalogueResponse;
  /** Asks first if there are unsaved changes; the user may stay. `replace` keeps the open form and changes the URL. */
  readonly go: (view: EditorView, how?: 'replace') => void;
  /** Reloads the list, for changes that send no event. */
  readonly refresh: () => void;
  readonly list: EditorView;
  readonly changeCount: number;
  /** Paths in the latest event; null when there are too many to list. */
  readonly changedPaths: readonly string[] | null;
  readonly offerRestore: (restorable: Restorable) => void;
  readonly withdrawRestore: (path: string) => void;
  readonly remote: Remote;
  /** Read aloud by screen readers. */
  readonly announce: (text: string) => void;
  /** Called before another view opens. Undefined while everything is saved. */
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

export function viewLink({ go }: Editor, view: EditorView) {
  return inPageLinkProps(editorQuery(view), () => go(view));
}
