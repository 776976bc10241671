import type { ExplorerSettings } from '../contract/explorer.ts';
import { FIELDS_WITH_OWN_LAYOUT } from '../contract/fields-with-own-layout.ts';

export type DetailRow = { readonly label: string; readonly value: string };

/** Rows of fields that have a value but no fixed place on the page. The label of an unknown field is its name. */
export function detailRows(property: object, labels: ExplorerSettings['labels'] = {}): DetailRow[] {
  return Object.entries(property)
    .filter(([name]) => !FIELDS_WITH_OWN_LAYOUT.includes(name))
    .map(([name, value]) => ({ label: labels[name] ?? name, value: textOf(value) }))
    .filter(({ value }) => value !== '');
}

function textOf(value: unknown): string {
  if (typeof value !== 'object') return String(value);
  return Object.values(value ?? {})
    .map(textOf)
    .join(', ');
}
