/** The CSV download: one row per property, one text per column (RFC 4180). */
import type { Attribute, Declarations } from '../contract/declarations.ts';
import {
  type FieldTable,
  type FieldType,
  labelOf,
  PUBLISHED_FIELDS,
  type PublishedField,
} from '../contract/fields.ts';
import type { Property } from '../contract/property.ts';
import { INTERFACE } from '../contract/terms.ts';

/** Start of a text that a spreadsheet may run as a formula (OWASP, "CSV Injection"), leading blanks aside. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/;

type Column = {
  readonly type: 'string' | 'number';
  readonly description?: string;
  readonly cell: (property: Property) => string;
};

const number = (name: 'latitude' | 'longitude'): Column => ({
  type: 'number',
  cell: (property) => property[name],
});

const LIST_FORM = 'Separated by commas; one that has a comma or a quote is in quotes, as in a row of CSV.';

const SPECIAL: { readonly [Name in PublishedField]?: Column } & {
  readonly [Name in keyof Property as Property[Name] extends string ? never : Name]: Column;
} = {
  latitude: number('latitude'),
  longitude: number('longitude'),
  phone: { type: 'string', description: 'With spaces as its only separators.', cell: phoneCell },
  facilities: {
    type: 'string',
    description: LIST_FORM,
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

const ENTRIES = PUBLISHED_FIELDS.map((name): [name: string, column: Column] => [
  name,
  SPECIAL[name] ?? { type: 'string', cell: (property) => property[name] as string },
]);
const CELLS = ENTRIES.map(([name, { type, cell }]) =>
  type === 'number'
    ? cell
    : (property: Property) => (name === 'phone' ? inQuotes(cell(property)) : quoted(cell(property))),
);

type Described = { readonly name: string; readonly type: string; readonly [member: string]: unknown };

export type Table = {
  readonly fields: readonly Described[];
  /**
   * Header row, without a byte-order mark: CSV parsers and data-package readers would take it as part of the first name,
   * or fail. Spreadsheets ask for the encoding on import.
   */
  readonly head: string;
  readonly rowOf: (id: string, property: Property & Declarations) => string;
};

/**
 * Makes the table of a catalogue. Columns follow from the declaration, never from the data: those of the interface, of
 * declared fields, of translations.
 */
export function tableOf(fields: FieldTable = INTERFACE): Table {
  const declared = [...declaredColumns(fields), ...translatedColumns(fields)];
  const described = [
    { name: 'id', type: 'string' },
    ...ENTRIES.map(([name, { type, description }]) => ({ name, type, ...(description && { description }) })),
    ...declared.map(({ described: column }) => column),
  ];
  return {
    fields: described.map((column) => ({ ...column, title: labelOf(column.name, '', fields) })),
    head: `${described.map(({ name }) => name).join(',')}\r\n`,
    rowOf(id, property) {
      let row = quoted(id);
      for (const cell of CELLS) row += `,${cell(property)}`;
      for (const { cell } of declared) row += `,${cell(property)}`;
      return `${row}\r\n`;
    },
  };
}

type DeclaredColumn = { readonly described: Described; readonly cell: (property: Declarations) => string };

/** Type of a column, by the type of the field. A time has no seconds. */
const TYPES: Readonly<Record<FieldType, Readonly<Record<string, string>> & { readonly type: string }>> = {
  text: { type: 'string' },
  lines: { type: 'string' },
  integer: { type: 'integer' },
  decimal: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'date' },
  time: { type: 'time', format: '%H:%M' },
  link: { type: 'string', format: 'uri' },
  choice: { type: 'string' },
};

function declaredColumns({ attributes }: FieldTable): DeclaredColumn[] {
  return [...attributes].map(([name, field]) => {
    const { kind, required, declared } = field;
    const { type, minimum, maximum, above, maxLength, terms } = declared!;
    const limit = (value: string) => (type === 'integer' || type === 'decimal' ? Number(value) : value);
    const limits = {
      ...(required && { required: true }),
      ...(minimum !== undefined && { minimum: limit(minimum) }),
      ...(maximum !== undefined && { maximum: limit(maximum) }),
      ...(above !== undefined && { exclusiveMinimum: limit(above) }),
      ...(maxLength !== undefined && { maxLength }),
      ...(terms && { enum: terms.words }),
    };
    const isList = kind === 'words';
    const constraints = isList ? (required ? { required: true } : {}) : limits;
    const described = {
      name,
      ...(isList ? { type: 'string' } : TYPES[type]),
      ...(isList && { description: LIST_FORM }),
      ...(terms &&
        !isList && { categories: terms.words.map((value) => ({ value, label: terms.labels[value] })) }),
      ...(Object.keys(constraints).length > 0 && { constraints }),
    };
    return { described, cell: ({ attributes: values }) => declaredCell(type, values?.[name] ?? null) };
  });
}

/** Formats a value. A number, a date or a choice cannot call a function, so it gets no apostrophe. */
function declaredCell(type: FieldType, value: Attribute): string {
  if (value === null) return '';
  if (Array.isArray(value)) return quoted(value.map(listed).join(','));
  if (type === 'integer' || type === 'decimal' || type === 'boolean') return String(value);
  return type === 'text' || type === 'lines' ? quoted(String(value)) : inQuotes(String(value));
}

function translatedColumns({ all }: FieldTable): DeclaredColumn[] {
  return [...all].flatMap(([name, { base, language }]) => {
    if (base === undefined || language === undefined) return [];
    const cell = ({ translations }: Declarations) => {
      const { title, attributes } = translations?.[language] ?? {};
      const text = base === 'title' ? title : attributes?.[base];
      return text === undefined ? '' : quoted(text);
    };
    return [{ described: { name, type: 'string' }, cell }];
  });
}

function quoted(value: string): string {
  return inQuotes(FORMULA.test(value) ? `'${value}` : value);
}

function inQuotes(value: string): string {
  return `"${value.includes('"') ? value.replaceAll('"', '""') : value}"`;
}

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
