/** The download for spreadsheets: a property a row, in columns of one text each (RFC 4180). */
import { PUBLISHED_FIELDS, type PublishedField } from '../contract/fields.ts';
import type { Property } from '../contract/property.ts';

/** What a spreadsheet may take for a formula (OWASP, "CSV Injection"): so begins a cell, blanks aside. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/;

/** A column: its type in a Table Schema (Data Package v2), and the text of its cells. */
type Column = {
  readonly type: 'string' | 'number' | 'list';
  readonly delimiter?: string;
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
  facilities: { type: 'list', cell: ({ facilities }) => facilities.join(',') },
  photo: { type: 'list', delimiter: ' ', cell: ({ photo }) => photo.map(({ url }) => url).join(' ') },
  hotel_policy: {
    type: 'string',
    cell: ({ hotel_policy }) =>
      hotel_policy.map(({ policy_type, detail }) => `${policy_type}: ${detail}`).join('\n'),
  },
  payment_method: {
    type: 'list',
    cell: ({ payment_method }) =>
      payment_method
        .filter(({ is_enabled }) => is_enabled)
        .map(({ method_type }) => method_type)
        .join(','),
  },
};

/** Columns behind that of the id. */
const ENTRIES = PUBLISHED_FIELDS.filter((name) => name !== 'id').map(
  (name): [name: string, column: Column] => [
    name,
    SPECIAL[name] ?? { type: 'string', cell: (property) => property[name] as string },
  ],
);
const CELLS = ENTRIES.map(([, { type, cell }]) =>
  type === 'number' ? cell : (property: Property) => quoted(cell(property)),
);

/** The columns with their types, as a Table Schema has them. */
export const TABLE_FIELDS: readonly {
  readonly name: string;
  readonly type: string;
  readonly delimiter?: string;
}[] = [
  { name: 'id', type: 'string' },
  ...ENTRIES.map(([name, { type, delimiter }]) => ({ name, type, ...(delimiter ? { delimiter } : {}) })),
];

/** The row of names. The mark before it has spreadsheets read UTF-8. */
export const TABLE_HEAD = `\uFEFF${TABLE_FIELDS.map(({ name }) => quoted(name)).join(',')}\r\n`;

/** The row of a property. */
export function tableRow(id: string, property: Property): string {
  let row = quoted(id);
  for (const cell of CELLS) row += `,${cell(property)}`;
  return `${row}\r\n`;
}

/** A cell of text: always in quotes, and behind an apostrophe where a spreadsheet would compute it. */
function quoted(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return `"${safe.includes('"') ? safe.replaceAll('"', '""') : safe}"`;
}
