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
import { ownValue } from '../values/own-value.ts';

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
  /** Without a byte-order mark, which CSV parsers would take as part of the first name. Spreadsheets ask for the encoding. */
  readonly head: string;
  readonly rowOf: (id: string, property: Property & Declarations) => string;
};

/** Columns depend only on the declaration, never on the data: the interface's, declared fields, translations. */
export function tableOf(fields: FieldTable = INTERFACE): Table & { readonly fields: readonly Described[] } {
  const described = [
    ...OWN.map(([name, { type, description }]) => ({ name, type, ...(description && { description }) })),
    ...declaredColumns(fields),
    ...translatedColumns(fields),
  ];
  return {
    ...tableWith(described),
    fields: described.map((column) => ({ ...column, title: labelOf(column.name, '', fields) })),
  };
}

const OWN: readonly [name: string, column: Pick<Column, 'type' | 'description'>][] = [
  ['id', { type: 'string' }],
  ...ENTRIES,
];

export function tableWith(columns: readonly { readonly name: string; readonly type: string }[]): Table {
  const declared = columns.slice(OWN.length).map(({ name, type }) => cellOf(name, type));
  return {
    head: `${columns.map(({ name }) => name).join(',')}\r\n`,
    rowOf(id, property) {
      let row = quoted(id);
      for (const cell of CELLS) row += `,${cell(property)}`;
      for (const cell of declared) row += `,${cell(property)}`;
      return `${row}\r\n`;
    },
  };
}

function cellOf(name: string, type: string): (property: Declarations) => string {
  const [base = '', language] = name.split('@');
  const isPlain = ['integer', 'number', 'boolean'].includes(type);
  if (language === undefined)
    return ({ attributes }) => declaredCell(isPlain, ownValue(attributes ?? {}, name) ?? null);
  return ({ translations }) => {
    const { title, attributes = {} } = ownValue(translations ?? {}, language) ?? {};
    return quotedOr(base === 'title' ? title : ownValue(attributes, base));
  };
}

/** Types of Data Package columns. A time has no seconds. */
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

function declaredColumns({ attributes }: FieldTable): Described[] {
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
    return {
      name,
      ...(isList ? { type: 'string' } : TYPES[type]),
      ...(isList && { description: LIST_FORM }),
      ...(terms &&
        !isList && { categories: terms.words.map((value) => ({ value, label: terms.labels[value] })) }),
      ...(Object.keys(constraints).length > 0 && { constraints }),
    };
  });
}

function declaredCell(isPlain: boolean, value: Attribute): string {
  if (value === null) return '';
  if (Array.isArray(value)) return quoted(value.map(listed).join(','));
  return isPlain ? String(value) : quoted(String(value));
}

function translatedColumns({ all }: FieldTable): Described[] {
  return [...all].flatMap(([name, { base, language }]) =>
    base === undefined || language === undefined ? [] : [{ name, type: 'string' }],
  );
}

function quotedOr(text: string | undefined): string {
  return text === undefined ? '' : quoted(text);
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

/** Not a formula, so without an apostrophe. A spreadsheet would compute `+353-1-605`: with spaces only, it stays a text. */
function phoneCell({ phone }: Property): string {
  if (!/^\+\d[\d .()/-]*$/.test(phone)) return FORMULA.test(phone) ? `'${phone}` : phone;
  const spaced = phone.replace(/[ .()/-]+/g, ' ').trim();
  return spaced.includes(' ') ? spaced : spaced.replace(/(?=\d{4}$)/, ' ');
}
