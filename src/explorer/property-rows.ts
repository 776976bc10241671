import type { ExplorerSettings } from '../contract/explorer.ts';
import { PLACED_FIELDS } from '../contract/fields-with-own-layout.ts';

export type DetailRow = { readonly label: string; readonly value: string };

/** Fields with a value that have no fixed place in the page. An unknown field has its name as label. */
export function detailRows(property: object, labels: ExplorerSettings['labels'] = {}): DetailRow[] {
  return Object.entries(property)
    .filter(([name]) => !PLACED_FIELDS.includes(name))
    .map(([name, value]) => ({ label: labels[name] ?? name, value: textOf(value) }))
    .filter(({ value }) => value !== '');
}

function textOf(value: unknown): string {
  if (typeof value !== 'object') return String(value);
  return Object.values(value ?? {})
    .map(textOf)
    .join(', ');
}
