/** The download for spreadsheets: a property a row, in columns of one text each (RFC 4180). */
import { PUBLISHED_FIELDS, type PublishedField } from '../contract/fields.ts';
import type { Property } from '../contract/property.ts';

/** What a spreadsheet may take for a formula (OWASP, "CSV Injection"): so begins a cell, blanks aside. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/;

/** A column: its type in a Table Schema (Data Package v2; its published profile has no lists), and the text of its cells. */
type Column = {
  readonly type: 'string' | 'number';
  /** What is particular about the text, for its readers. */
  readonly description?: string;
  readonly cell: (property: Property) => string;
};

const number = (name: 'latitude' | 'longitude'): Column => ({
  type: 'number',
  cell: (property) => property[name],
});

/** The columns that are more than the text of a field. What a property has several of stands in one cell. */
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

/** Columns behind that of the id. */
const ENTRIES = PUBLISHED_FIELDS.map((name): [name: string, column: Column] => [
  name,
  SPECIAL[name] ?? { type: 'string', cell: (property) => property[name] as string },
]);
const CELLS = ENTRIES.map(([name, { type, cell }]) =>
  type === 'number'
    ? cell
    : (property: Property) => (name === 'phone' ? inQuotes(cell(property)) : quoted(cell(property))),
);

/** The columns with their types, as a Table Schema has them. */
export const TABLE_FIELDS: readonly {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
}[] = [
  { name: 'id', type: 'string' },
  ...ENTRIES.map(([name, { type, description }]) => ({ name, type, ...(description && { description }) })),
];

/**
 * The row of names, without a byte-order mark: for parsers of CSV and readers of data packages it would be part of the first
 * name, or break the file. Spreadsheets ask for the encoding when they import the file.
 */
export const TABLE_HEAD = `${TABLE_FIELDS.map(({ name }) => name).join(',')}\r\n`;

/** The row of a property. */
export function tableRow(id: string, property: Property): string {
  let row = quoted(id);
  for (const cell of CELLS) row += `,${cell(property)}`;
  return `${row}\r\n`;
}

/** A cell of text: always in quotes, and behind an apostrophe where a spreadsheet would compute it. */
function quoted(value: string): string {
  return inQuotes(FORMULA.test(value) ? `'${value}` : value);
}

function inQuotes(value: string): string {
  return `"${value.includes('"') ? value.replaceAll('"', '""') : value}"`;
}

/** An entry of a list in one cell. */
function listed(value: string): string {
  return /[",]/.test(value) ? inQuotes(value) : value;
}

/**
 * A phone number of digits and separators can call no function, so that no apostrophe spoils it for programs. A spreadsheet
 * would compute `+353-1-605` and take `+35316057700` for a number; with spaces both stay the text that programs read, too.
 */
function phoneCell({ phone }: Property): string {
  if (!/^\+\d[\d .()/-]*$/.test(phone)) return FORMULA.test(phone) ? `'${phone}` : phone;
  const spaced = phone.replace(/[ .()/-]+/g, ' ').trim();
  return spaced.includes(' ') ? spaced : spaced.replace(/(?=\d{4}$)/, ' ');
}
