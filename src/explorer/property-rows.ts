/** Rows for fields of a property without a specific design. */
import type { ExplorerSettings } from '../contract/explorer.ts';

export type DetailRow = { readonly label: string; readonly value: string };

/** Lists the labelled fields that have a value, in the order of the labels. */
export function detailRows(property: object, labels: ExplorerSettings['labels'] = {}): DetailRow[] {
  return Object.entries(labels)
    .map(([name, label]) => ({ label, value: textOf((property as Record<string, unknown>)[name] ?? '') }))
    .filter(({ value }) => value !== '');
}

/** Formats a value as text; joins the parts of a list or entry. */
function textOf(value: unknown): string {
  if (typeof value !== 'object') return String(value);
  return Object.values(value ?? {})
    .map(textOf)
    .join(', ');
}
