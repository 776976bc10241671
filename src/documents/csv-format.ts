import type { Attribute, DetailValues } from '../contract/detail-values.ts';
import {
  type FieldTable,
  type FieldType,
  fieldLabel,
  PUBLISHED_FIELDS,
  type PublishedFieldName,
} from '../contract/fields.ts';
import type { Property } from '../contract/property.ts';
import { STANDARD_FIELD_TABLE } from '../contract/terms.ts';
import { ownValue } from '../values/own-value.ts';

const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/;

type Cell = (property: Property & DetailValues, id: string) => string;

type Column = { readonly type: 'string' | 'number'; readonly description?: string; readonly cell: Cell };

const LIST_FORM = 'Separated by commas; one that has a comma or a quote is in quotes, as in a row of CSV.';

/** Columns whose cells are not just the text of a field in quotes. */
const SPECIAL_COLUMNS: {
  readonly [Name in PublishedFieldName as Property[Name] extends string ? never : Name]: Column;
} & {
  readonly [name: string]: Column | undefined;
} = {
  latitude: { type: 'number', cell: ({ latitude }) => latitude },
  longitude: { type: 'number', cell: ({ longitude }) => longitude },
  phone: {
    type: 'string',
    description: 'With spaces as its only separators.',
    cell: ({ phone }) => inQuotes(phoneCell(phone)),
  },
  facilities: {
    type: 'string',
    description: LIST_FORM,
    cell: ({ facilities }) => quoted(facilities.map(listed).join(',')),
  },
  photo: {
    type: 'string',
    description: 'Addresses, separated by spaces.',
    cell: ({ photo }) => quoted(photo.map(({ url }) => url).join(' ')),
  },
  hotel_policy: {
    type: 'string',
    cell: ({ hotel_policy }) =>
      quoted(hotel_policy.map(({ policy_type, detail }) => `${policy_type}: ${detail}`).join('\n')),
  },
  payment_method: {
    type: 'string',
    description: 'Those that are accepted, separated by commas.',
    cell: ({ payment_method }) =>
      quoted(
        payment_method
          .filter(({ is_enabled }) => is_enabled)
          .map(({ method_type }) => method_type)
          .join(','),
      ),
  },
};

/** Columns that every catalogue has, in their order. */
const COMMON_COLUMNS: ReadonlyMap<string, Column> = new Map([
  ['id', { type: 'string', cell: (_property, id) => quoted(id) } satisfies Column],
  ...PUBLISHED_FIELDS.map((name): [string, Column] => [
    name,
    SPECIAL_COLUMNS[name] ?? { type: 'string', cell: (property) => quoted(property[name] as string) },
  ]),
]);

type Described = { readonly name: string; readonly type: string; readonly [member: string]: unknown };

export type CsvFormat = {
  /**
   * First line: names of columns. Has no byte-order mark: CSV parsers would read it as part of the first name.
   * Spreadsheets do not need it, because they ask for the encoding.
   */
  readonly head: string;
  readonly rowOf: (id: string, property: Property & DetailValues) => string;
};

/**
 * Columns depend only on the configuration, never on the data. The API's fields come first, then declared fields, then
 * translations.
 */
export function csvFormatOfFields(
  fields: FieldTable = STANDARD_FIELD_TABLE,
): CsvFormat & { readonly fields: readonly Described[] } {
  const described = [
    ...Array.from(COMMON_COLUMNS, ([name, { type, description }]) => ({
      name,
      type,
      ...(description && { description }),
    })),
    ...declaredColumns(fields),
    ...translatedColumns(fields),
  ];
  return {
    ...csvFormatWithColumns(described),
    fields: described.map((column) => ({ ...column, title: fieldLabel(column.name, '', fields) })),
  };
}

/** @param columns the columns that a release lists. Another version of this tool may have built the release */
export function csvFormatWithColumns(
  columns: readonly { readonly name: string; readonly type: string }[],
): CsvFormat {
  const cells = columns.map(({ name, type }) => COMMON_COLUMNS.get(name)?.cell ?? declaredColumn(name, type));
  return {
    head: `${columns.map(({ name }) => name).join(',')}\r\n`,
    rowOf: (id, property) => `${cells.map((cell) => cell(property, id)).join(',')}\r\n`,
  };
}

function declaredColumn(name: string, type: string): Cell {
  const [base = '', language] = name.split('@');
  const isPlain = ['integer', 'number', 'boolean'].includes(type);
  if (language === undefined)
    return ({ attributes }) => declaredCell(isPlain, ownValue(attributes ?? {}, name) ?? null);
  return ({ translations }) => {
    const { title, attributes = {} } = ownValue(translations ?? {}, language) ?? {};
    return quotedOr(base === 'title' ? title : ownValue(attributes, base));
  };
}

/** Types of columns in a data package. A time has no seconds. */
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

/**
 * Separates the groups of a phone number with spaces, because a spreadsheet would compute `+353-1-605`. The result does
 * not look like a formula, so it needs no apostrophe.
 */
function phoneCell(phone: string): string {
  if (!/^\+\d[\d .()/-]*$/.test(phone)) return FORMULA.test(phone) ? `'${phone}` : phone;
  const spaced = phone.replace(/[ .()/-]+/g, ' ').trim();
  return spaced.includes(' ') ? spaced : spaced.replace(/(?=\d{4}$)/, ' ');
}
