import { isListCondition, NO_LIST_FILTER, type PropertyListFilter } from './list-filter.ts';

export type EditorView =
  | { readonly kind: 'list'; readonly filter?: PropertyListFilter }
  | { readonly kind: 'new' }
  | { readonly kind: 'changes' }
  | { readonly kind: 'property'; readonly path: string }
  | { readonly kind: 'id'; readonly id: string };

export function parseEditorView(query: string): EditorView {
  const values = new URLSearchParams(query);
  const [path, id] = [values.get('property'), values.get('id')];
  if (path) return { kind: 'property', path };
  if (id) return { kind: 'id', id };
  const kind = values.get('view');
  if (kind === 'new' || kind === 'changes') return { kind };
  const show = values.get('show') ?? '';
  const condition = isListCondition(show) ? show : NO_LIST_FILTER.condition;
  const filter = { text: values.get('q') ?? '', country: values.get('country') ?? '', condition };
  return { kind: 'list', filter };
}

export function editorQuery(view: EditorView): string {
  switch (view.kind) {
    case 'list': {
      const { text, country, condition } = view.filter ?? NO_LIST_FILTER;
      const values = { q: text, country, show: condition === NO_LIST_FILTER.condition ? '' : condition };
      return `?${new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''))}`;
    }
    case 'property':
      return `?${new URLSearchParams({ property: view.path })}`;
    case 'id':
      return `?${new URLSearchParams({ id: view.id })}`;
    default:
      return `?view=${view.kind}`;
  }
}
