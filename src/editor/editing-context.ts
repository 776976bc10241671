/** What every part of the page has at hand. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { linkWithin } from '../explorer/navigation.ts';
import type { CatalogueAnswer, FieldInfo } from './catalogue-info.ts';
import type { EditorClient } from './client.ts';
import { type EditorView, editorQuery } from './view.ts';

/** The editor as a whole. */
export type Editor = {
  readonly client: EditorClient;
  readonly catalogue: CatalogueAnswer;
  /** Shows another view. With unsaved changes it asks first, and the answer may be to stay. */
  readonly go: (view: EditorView, how?: 'replace') => void;
  /** Number of times that something on the disk was changed. */
  readonly pulse: number;
  /** Paths that changed last; null: too many to name. */
  readonly changedPaths: readonly string[] | null;
  /** Says something to everyone, also to those who do not see it. */
  readonly announce: (text: string) => void;
  /** Set while there are unsaved changes. It is called before another view is shown. */
  readonly guard: { current: ((leave: () => void) => void) | undefined };
};

export const EditorContext = createContext<Editor | undefined>(undefined);

/** The editor. */
export function useEditor(): Editor {
  return useContext(EditorContext)!;
}

/** A field of a property, or of the entries of a list. */
export function fieldInfo({ fields }: CatalogueAnswer, name: string, list?: string): FieldInfo {
  const all = list === undefined ? fields : fields.find((field) => field.name === list)!.fields;
  return all.find((field) => field.name === name)!;
}

/** What a link to a view needs. */
export function viewLink({ go }: Editor, view: EditorView) {
  return linkWithin(editorQuery(view) + location.hash, () => go(view));
}
