/** What the page shows, as its address says it. The fragment of the address is the token, and stays. */

/** One of its views. */
export type EditorView =
  | { readonly kind: 'list' }
  | { readonly kind: 'new' }
  | { readonly kind: 'changes' }
  /** A property, by the path of its file. */
  | { readonly kind: 'property'; readonly path: string }
  /** A property, by its id: as the catalogue's pages know it. */
  | { readonly kind: 'id'; readonly id: string };

/** Reads the query of the page. */
export function parseEditorView(query: string): EditorView {
  const values = new URLSearchParams(query);
  const [path, id] = [values.get('property'), values.get('id')];
  if (path) return { kind: 'property', path };
  if (id) return { kind: 'id', id };
  const kind = values.get('view');
  return kind === 'new' || kind === 'changes' ? { kind } : { kind: 'list' };
}

/** The query of a view, with `?`. */
export function editorQuery(view: EditorView): string {
  switch (view.kind) {
    case 'list':
      return '?';
    case 'property':
      return `?${new URLSearchParams({ property: view.path })}`;
    case 'id':
      return `?${new URLSearchParams({ id: view.id })}`;
    default:
      return `?view=${view.kind}`;
  }
}
