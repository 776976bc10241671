/** The CSV download: one row per property, one text per column (RFC 4180). */
import { PUBLISHED_FIELDS, type PublishedField } from '../contract/fields.ts';
import type { Property } from '../contract/property.ts';

/** Start of a text that a spreadsheet may run as a formula (OWASP, "CSV Injection"), leading blanks aside. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/;

/** A column: its type in a Table Schema (Data Package v2, whose published profile has no lists) and its cells' text. */
type Column = {
  readonly type: 'string' | 'number';
  /** Format of the cell, for readers of the schema. */
  readonly description?: string;
  readonly cell: (property: Property) => string;
};

const number = (name: 'latitude' | 'longitude'): Column => ({
  type: 'number',
  cell: (property) => property[name],
});

/** Columns whose cell is not simply the field's text. Lists share one cell. */
const SPECIAL: { readonly [Name in PublishedField]?: Column } & {
  readonly [Name in keyof Property as Property[Name] extends string ? never : Name]: Column;
} = {
  latitude: number('latitude'),
  longitude: number('longitude'),
  phone: { type: 'string', description: 'With spaces as its only separators.', cell: phoneCell },
  facilities: {
    type: 'string',
    description: 'Separated by commas; one that has a comma or a quote is in quotes, as in a row of CSV.',
    cell: ({ facilities }) => facilities.map(listed).join(','),
  },
  photo: {
    type: 'string',
    description: 'Addresses, separated by spaces.',
    cell: ({ photo }) => photo.map(({ url }) => url).join(' '),
  },
  hotel_policy: {
    type: 'string',
    cell: ({ hotel_policy }) =>
      hotel_policy.map(({ policy_type, detail }) => `${policy_type}: ${detail}`).join('\n'),
  },
  payment_method: {
    type: 'string',
    description: 'Those that are accepted, separated by commas.',
    cell: ({ payment_method }) =>
      payment_method
        .filter(({ is_enabled }) => is_enabled)
        .map(({ method_type }) => method_type)
        .join(','),
  },
};

/** Columns after `id`. */
const ENTRIES = PUBLISHED_FIELDS.map((name): [name: string, column: Column] => [
  name,
  SPECIAL[name] ?? { type: 'string', cell: (property) => property[name] as string },
]);
const CELLS = ENTRIES.map(([name, { type, cell }]) =>
  type === 'number'
    ? cell
    : (property: Property) => (name === 'phone' ? inQuotes(cell(property)) : quoted(cell(property))),
);

/** Columns with their types, in the form of a Table Schema. */
export const TABLE_FIELDS: readonly {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
}[] = [
  { name: 'id', type: 'string' },
  ...ENTRIES.map(([name, { type, description }]) => ({ name, type, ...(description && { description }) })),
];

/**
 * Header row, without a byte-order mark: CSV parsers and data-package readers would take it as part of the first name,
 * or fail. Spreadsheets ask for the encoding on import.
 */
export const TABLE_HEAD = `${TABLE_FIELDS.map(({ name }) => name).join(',')}\r\n`;

/** Returns a property's row. */
export function tableRow(id: string, property: Property): string {
  let row = quoted(id);
  for (const cell of CELLS) row += `,${cell(property)}`;
  return `${row}\r\n`;
}

/** Quotes a text cell, and prefixes an apostrophe when a spreadsheet would compute it. */
function quoted(value: string): string {
  return inQuotes(FORMULA.test(value) ? `'${value}` : value);
}

function inQuotes(value: string): string {
  return `"${value.includes('"') ? value.replaceAll('"', '""') : value}"`;
}

/** Formats one entry of a list for a shared cell. */
function listed(value: string): string {
  return /[",]/.test(value) ? inQuotes(value) : value;
}

/**
 * Formats a phone number. Digits and separators cannot call a function, so no apostrophe is added, which would be in
 * the way of programs. A spreadsheet would compute `+353-1-605` and read `+35316057700` as a number; with spaces, both
 * stay text.
 */
function phoneCell({ phone }: Property): string {
  if (!/^\+\d[\d .()/-]*$/.test(phone)) return FORMULA.test(phone) ? `'${phone}` : phone;
  const spaced = phone.replace(/[ .()/-]+/g, ' ').trim();
  return spaced.includes(' ') ? spaced : spaced.replace(/(?=\d{4}$)/, ' ');
}
