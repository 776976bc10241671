import * as z from 'zod';
import {
  ENTRY_LIST_FIELDS,
  type EntryField,
  type EntryListFieldName,
  type FieldTable,
  type ScalarFieldName,
} from '../../contract/fields.ts';
import { KNOWN_FIELDS } from '../../contract/known-fields.ts';
import { fieldsIn, STANDARD_FIELD_TABLE } from '../../contract/terms.ts';
import { UsageError } from '../../errors/errors.ts';
import { createDiagnostic, type Diagnostic } from '../../source/diagnostic.ts';
import { nearestWord } from '../../source/did-you-mean.ts';
import { FIELD_NAME_PATTERN } from '../../source/field-name-check.ts';
import { describeValue, locateIssue, type SchemaIssue, schemaIssues } from '../../source/schema-issues.ts';
import { readYamlExactly } from '../../source/yaml-document.ts';
import { cutText } from '../../text/shorten.ts';
import { isMapping } from '../../values/mapping.ts';
import { memoizeByObject } from '../../values/memoize.ts';
import { ROW_KEY } from '../table/row.ts';
import { columnMeaning } from '../words/column-names.ts';

/** Name of a column, or a dotted path into a JSON object; `.` is the whole object. */
const source = z.string().min(1);

const conversion = z.strictObject({
  from: z.union([source, z.array(source)]).optional(),
  join: z.string().optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  else: source.optional(),
  missing: z.enum(['draft', 'skip', 'point', 'country']).optional(),
  map: z.record(z.string(), z.string()).optional(),
  split: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
  decimal: z.enum([',', '.']).optional(),
  prefix: z.string().optional(),
  true: z.array(z.string()).optional(),
  false: z.array(z.string()).optional(),
  uuid: z.uuid().optional(),
  point: z.enum(['lat-lng', 'lng-lat']).optional(),
});

const value = z.union([source, conversion], {
  error: 'expected a column, or a mapping with "from" or "value"',
});

const entries = (shape: z.ZodRawShape) =>
  z.array(z.strictObject({ each: source.optional(), split: z.string().min(1).optional(), ...shape }));

const words = z.union([value, z.array(value)]);

function needed({ required }: Pick<EntryField, 'required'>, schema: typeof value | typeof words = value) {
  return required ? schema : schema.optional();
}

export const scalarFields = memoizeByObject(({ all }: FieldTable) =>
  [...all].filter(([, { kind }]) => kind !== 'words' && kind !== 'entries'),
);

export const declaredListFields = memoizeByObject(({ attributes }: FieldTable) =>
  [...attributes].filter(([, { kind }]) => kind === 'words'),
);

/** Both coordinates are required fields, but rows without them become drafts instead of being refused. */
export function isCoordinateField(field: unknown): boolean {
  return field === 'latitude' || field === 'longitude';
}

function mappingSchemaOf(fields: FieldTable) {
  const scalars = scalarFields(fields).map(([name, field]) => {
    const schema = name === 'draft' ? words : value;
    return [name, isCoordinateField(name) ? schema.optional() : needed(field, schema)] as const;
  });
  const lists = declaredListFields(fields).map(([name, field]) => [name, needed(field, words)] as const);
  return z.strictObject({
    rows: source.optional(),
    delimiter: z.string().length(1).optional(),
    encoding: z.string().min(1).optional(),
    skip: z.coerce.number().int().min(0).optional(),
    sheet: z.string().min(1).optional(),
    ...(Object.fromEntries([...scalars, ...lists]) as {
      [Field in ScalarFieldName]: z.ZodOptional<typeof value>;
    }),
    facilities: words.optional(),
    ...(Object.fromEntries(
      ENTRY_LIST_FIELDS.map((list) => {
        const inner = [...fieldsIn(fields, list)].map(([key, field]) => [key, needed(field)] as const);
        return [list, entries(Object.fromEntries(inner)).optional()];
      }),
    ) as unknown as { [List in EntryListFieldName]: z.ZodOptional<z.ZodArray<z.ZodType<EntryMapping>>> }),
  });
}

export type EntryMapping = {
  readonly each?: string | undefined;
  readonly split?: string | undefined;
} & Readonly<Record<string, ValueSource | undefined>>;
export type TableMapping = z.output<ReturnType<typeof mappingSchemaOf>>;
export type Conversion = z.output<typeof conversion>;
export type ValueSource = string | Conversion;
/** A mapping that may lack required fields. Only the setting `skip` is a number. */
export type Proposal = {
  readonly [field: string]: ValueSource | readonly MappingPart[] | number | undefined;
};
export type MappingPart = ValueSource | EntryMapping;

/** Parts of a field's mapping: perhaps several for a list or `draft`, at most one for other fields. */
export function mappingPartsOf(value: Proposal[string]): readonly MappingPart[] {
  return [value ?? []].flat() as MappingPart[];
}

/** The name of a column becomes `{ from: name }`. */
export function conversionOf(value: unknown): Conversion {
  return typeof value === 'string' ? { from: value } : Object(value);
}

const WRITE = 'Write "field: column" lines, or delete the file: "catalogue import" then proposes a mapping.';

export function readMapping(
  text: string,
  file: string,
  fields: FieldTable = STANDARD_FIELD_TABLE,
): { mapping: TableMapping } | { mapping: undefined; diagnostics: readonly Diagnostic[] } {
  const document = readYamlExactly(text, file);
  const { value } = document;
  const refused = (diagnostics: readonly Diagnostic[]) => ({ mapping: undefined, diagnostics });
  if (document.diagnostics.length > 0) return refused(document.diagnostics);
  if (!isMapping(value)) {
    const args = { found: describeValue(value), advice: WRITE };
    return refused([createDiagnostic('not-a-mapping', file, document.spanOf([]), args)]);
  }
  const schema = mappingSchemaOf(fields);
  // A list may be empty: the owner has deleted its last line, since that line's column is gone.
  const isEmptied = (name: string) => value[name] === null && ENTRY_LIST_FIELDS.some((list) => list === name);
  const mapped = Object.fromEntries(Object.entries(value).filter(([name]) => !isEmptied(name)));
  const result = schema.safeParse(mapped);
  if (result.success) return { mapping: result.data };
  const faults = schemaIssues(result.error, value, schema).map((fault): SchemaIssue => {
    const key = String(fault.path[0]);
    const { code, path, args = {}, key: name = '' } = fault;
    if (code === 'unknown-key' && path.length === 0 && Object.hasOwn(KNOWN_FIELDS, name))
      return { code, path, key: name, args: { key: name, declare: `${name}: {}`, option: '--declare' } };
    if (
      code === 'unknown-key' &&
      path.length === 0 &&
      args.suggestion === undefined &&
      FIELD_NAME_PATTERN.test(name)
    )
      return { ...fault, args: { ...args, declare: `${name}: { type: text }`, own: 'yes' } };
    if (fault.path.length !== 1 || Object.hasOwn(value, key)) return fault;
    return { code: 'missing-key', path: fault.path, args: { key, within: '', example: '<column>' } };
  });
  return refused(faults.map((fault) => locateIssue(fault, file, document)));
}

/** Members of the mapping that are settings, not fields. */
const READING: ReadonlySet<string> = new Set(['rows', 'delimiter', 'encoding', 'skip', 'sheet']);

export function columnsOf(mapping: Readonly<Record<string, unknown>>): string[] {
  const columns = new Set<string>();
  const add = (mapped: ValueSource | undefined, list = '') => {
    const from = typeof mapped === 'string' ? [mapped] : [mapped?.from ?? [], mapped?.else ?? []];
    for (const name of from.flat()) {
      columns.add(name === '.' ? list : list === '' ? name : `${list}.${name}`);
    }
  };
  for (const [field, mapped] of Object.entries(mapping)) {
    if (READING.has(field) || mapped === undefined) continue;
    for (const part of [mapped as unknown].flat()) {
      if (typeof part === 'string' || isConversion(part)) {
        add(part);
        continue;
      }
      const { each = '', split, ...inner } = part as EntryMapping;
      if (each !== '') columns.add(each);
      for (const one of Object.values(inner)) add(one, split === undefined ? each : '');
    }
  }
  columns.delete('');
  columns.delete('.');
  return [...columns];
}

const isConversion = (part: unknown): part is Conversion => conversion.safeParse(part).success;

/** `photos.0.url` becomes `photos.url` if a list of photos has an item 0. */
function withoutIndexes(column: string, paths: ReadonlyMap<string, number>): string {
  return column
    .split('.')
    .reduce((path, name) => (Number(name) < (paths.get(path) ?? 0) ? path : `${path}.${name}`));
}

export function isAtOrBelow(path: string, other: string): boolean {
  return other === path || other.startsWith(`${path}.`);
}

type MappingFile = {
  readonly path: string;
  readonly before: string;
  /** Columns that are new since the mapping was proposed. */
  readonly fresh: readonly string[];
  readonly notes: readonly { readonly [key in 'code' | 'message' | 'help']: string }[];
};

/** @throws UsageError `unknown-column` if the mapping names a column that no row has */
export function checkColumns(
  mapping: TableMapping,
  paths: ReadonlyMap<string, number>,
  { path, before, fresh, notes }: MappingFile,
): void {
  const known = [...paths.keys()];
  const isKnown = (column: string) => known.some((one) => isAtOrBelow(column, one));
  const isMissing = (column: string) => !isKnown(column) && !isKnown(withoutIndexes(column, paths));
  const missing = columnsOf(mapping).filter(isMissing);
  if (missing.length === 0) return;
  const lines = before.split('\n').map((line) => line.replace(/^#.*| # .*/, ''));
  const named = missing.map((column) => {
    const line = lines.findIndex((one) => one.includes(column)) + 1;
    const meant = columnMeaning(column)?.meaning;
    const near =
      nearestWord(column, known) ??
      known.find((one) => meant !== undefined && columnMeaning(one)?.meaning === meant) ??
      known.find((one) => one === ROW_KEY);
    const hints = [...(line > 0 ? [`line ${line}`] : []), ...(near ? [`did you mean "${near}"?`] : [])];
    return `"${column}"${hints.length > 0 ? ` (${hints.join('; ')})` : ''}`;
  });
  const [which, columns] = fresh.length > 0 ? ['New in the source', fresh] : ['The source has', known];
  const shown = `${which}: ${cutText(columns.join(', '), 1000)}.`;
  const key = known.includes(ROW_KEY) ? ` "${ROW_KEY}" is the name that each row has in the source.` : '';
  const isOneColumn = known.length === 1 && /[,;\t|]/.test(known[0]!);
  const change = isOneColumn
    ? 'Remove the quotes around whole lines.'
    : 'Change the name there; if the column is gone for good, delete the line.';
  const guess = notes.find(({ code }) => code === 'rows-guessed');
  const hint = guess ? ` ${guess.message} ${guess.help}` : '';
  const message = `${path} names what no row has: ${named.join(', ')}. ${shown}${key} ${change}${hint}`;
  throw new UsageError('unknown-column', message);
}
