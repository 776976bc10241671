/** Rows of the page of a property: fields that it shows without a design of their own. */
import type { ExplorerSettings } from '../contract/explorer.ts';

/** A field as a row: its label and its value. */
export type DetailRow = { readonly label: string; readonly value: string };

/** The labelled fields that have a value, in the order of the labels. */
export function detailRows(property: object, labels: ExplorerSettings['labels'] = {}): DetailRow[] {
  return Object.entries(labels)
    .map(([name, label]) => ({ label, value: textOf((property as Record<string, unknown>)[name] ?? '') }))
    .filter(({ value }) => value !== '');
}

/** A value as a text: the parts of a list or an entry, one after the other. */
function textOf(value: unknown): string {
  if (typeof value !== 'object') return String(value);
  return Object.values(value ?? {})
    .map(textOf)
    .join(', ');
}
