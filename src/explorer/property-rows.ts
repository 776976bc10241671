/** What the page of a property shows without a design of its own. */
import { labelOf } from '../contract/fields.ts';
import type { Property } from '../contract/property.ts';

/** A field as a row: its label and its value. */
export type DetailRow = { readonly label: string; readonly value: string };

/** The fields that have a place of their own on the page. */
const PLACED: ReadonlySet<string> = new Set<keyof Property>([
  'title',
  'currency',
  'email',
  'phone',
  'zip_code',
  'city',
  'state',
  'address',
  'country',
  'latitude',
  'longitude',
  'facilities',
  'photo',
  'hotel_policy',
  'payment_method',
]);

/** All other fields of a property that say anything, in their order. */
export function detailRows(property: Property): DetailRow[] {
  return Object.entries(property)
    .filter(([name]) => !PLACED.has(name))
    .map(([name, value]) => ({ label: labelOf(name), value: textOf(value) }))
    .filter(({ value }) => value !== '');
}

/** A value as a text: the parts of a list or an entry, one after the other. */
function textOf(value: unknown): string {
  if (typeof value !== 'object') return String(value);
  return Object.values(value ?? {})
    .map(textOf)
    .join(', ');
}
