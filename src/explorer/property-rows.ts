/** What the page of a property shows without a design of its own. */
import { fieldOf, PUBLISHED_FIELDS } from '../contract/fields.ts';
import type { Property } from '../contract/property.ts';

/** A field as a row: its label and its value. */
export type DetailRow = { readonly label: string; readonly value: string };

/** The texts of a property that have no place of their own on its page, in the order of the fields. */
export function detailRows(property: Property): DetailRow[] {
  return PUBLISHED_FIELDS.flatMap((name) => {
    const { label, hasOwnPlace } = fieldOf(name);
    const value = name === 'id' || hasOwnPlace ? undefined : property[name];
    return typeof value === 'string' && value !== '' ? [{ label, value }] : [];
  });
}
