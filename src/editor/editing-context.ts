/** Context that all parts of the page share. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { linkWithin } from '../explorer/navigation.ts';
import type { CatalogueAnswer, FieldInfo } from './catalogue-info.ts';
import type { EditorClient } from './client.ts';
import { type EditorView, editorQuery } from './view.ts';

export type Editor = {
  readonly client: EditorClient;
  readonly catalogue: CatalogueAnswer;
  /** Opens another view, after a question when there are unsaved changes; the user may decide to stay. */
  readonly go: (view: EditorView, how?: 'replace') => void;
  /** Number of changes on the disk so far. */
  readonly changeCount: number;
  /** Paths of the latest changes; null when there are too many to list. */
  readonly changedPaths: readonly string[] | null;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
  /** Set while there are unsaved changes; called before another view opens. */
  readonly guard: { current: ((leave: () => void) => void) | undefined };
};

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  return useContext(EditorContext)!;
}

/** Returns a field of a property, or of a list's entries. */
export function fieldInfo({ fields }: CatalogueAnswer, name: string, list?: string): FieldInfo {
  const all = list === undefined ? fields : fields.find((field) => field.name === list)!.fields;
  return all.find((field) => field.name === name)!;
}

/** Returns the attributes of a link to a view. */
export function viewLink({ go }: Editor, view: EditorView) {
  return linkWithin(editorQuery(view) + location.hash, () => go(view));
}
