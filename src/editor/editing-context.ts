/** Context that all parts of the page share. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { linkWithin } from '../explorer/navigation.ts';
import type { ValueStore } from '../explorer/store.ts';
import type { CatalogueResponse, FieldInfo } from './catalogue-info.ts';
import type { EditorClient } from './client.ts';
import type { Drafts } from './drafts.ts';
import type { Remote } from './remote-state.ts';
import { type EditorView, editorQuery } from './url-state.ts';

export type RemovedProperty = { readonly path: string; readonly title: string };

export type Editor = {
  readonly client: EditorClient;
  readonly drafts: Drafts;
  /** Whether the browser refuses to keep drafts. */
  readonly keepsNothing: Pick<ValueStore<boolean>, 'get' | 'subscribe'>;
  /** Why the catalogue cannot be loaded again, such as in a new session; empty when it can. */
  readonly problem: string;
  readonly catalogue: CatalogueResponse;
  /**
   * Opens another view, after a question when there are unsaved changes; the user may decide to stay. `replace`: the
   * open form stays open under another address.
   */
  readonly go: (view: EditorView, how?: 'replace') => void;
  /** Loads what changed of the list, for changes that no event announces. */
  readonly refresh: () => void;
  /** The list as it was last shown, with its search. */
  readonly list: EditorView;
  /** Number of changes on the disk so far. */
  readonly changeCount: number;
  /** Paths of the latest changes; null when there are too many to list. */
  readonly changedPaths: readonly string[] | null;
  readonly offerRestore: (removed: RemovedProperty) => void;
  /** Where records are, and what colleagues sent. */
  readonly remote: Remote;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
  /** Set while there are unsaved changes; called before another view opens. */
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
  return linkWithin(editorQuery(view), () => go(view));
}
