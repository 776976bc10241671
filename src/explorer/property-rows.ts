import type { ExplorerSettings } from '../contract/explorer.ts';
import { PLACED_FIELDS } from '../contract/fields-with-own-layout.ts';

export type DetailRow = { readonly label: string; readonly value: string };

/** Lists the fields without a specific design that have a value, in their order; the name is the label of an unknown field. */
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
