import * as z from 'zod';
import { memoizeByObject } from '../values/memoize.ts';
import { declaredFieldSchema, quickTestOf } from './declared-field-values.ts';
import { addIssue, alwaysCheck, FIELD_VALUE_SCHEMAS, type ValueSchemaName } from './field-value-schemas.ts';
import type { FIELDS, Field, FieldTable } from './fields.ts';
import { fieldsIn, STANDARD_FIELD_TABLE } from './terms.ts';
import { isReversedPeriod } from './visibility.ts';

type Scalar<Of> = Of extends { readonly schema: infer Name extends ValueSchemaName }
  ? (typeof FIELD_VALUE_SCHEMAS)[Name]
  : Of extends { readonly kind: infer Kind extends ValueSchemaName }
    ? (typeof FIELD_VALUE_SCHEMAS)[Kind]
    : never;
type Value<Of> = Of extends { readonly fields: infer Entry }
  ? z.ZodArray<z.ZodObject<Shape<Entry, 'entry'>, z.core.$strict>>
  : Of extends { readonly kind: 'words' }
    ? z.ZodArray<typeof FIELD_VALUE_SCHEMAS.word>
    : Scalar<Of>;
type Absent<Schema extends z.ZodType, Of> = Of extends 'entry' ? z.ZodOptional<Schema> : z.ZodDefault<Schema>;
type Shape<Fields, Of extends 'property' | 'entry'> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly required: true }
    ? Value<Fields[Name]>
    : Absent<Value<Fields[Name]>, Of>;
};

const photoCheck = alwaysCheck((context) => {
  if (typeof context.value !== 'object' || context.value === null || Array.isArray(context.value)) return;
  const { file, url, thumbnail } = context.value as Readonly<Record<string, unknown>>;
  if ((file === undefined) === (url === undefined)) {
    addIssue(context, 'photo-source', { given: file === undefined ? 'neither' : 'both' });
  }
  if (file !== undefined && thumbnail !== undefined)
    addIssue(context, 'needless-thumbnail', {}, ['thumbnail']);
});

const photosCheck = alwaysCheck((context) => {
  if (!Array.isArray(context.value)) return;
  const positions = new Map<number, number>();
  const sources = new Map<string, number>();
  (context.value as (Readonly<Record<string, unknown>> | null)[]).forEach((entry, index) => {
    // Values of the wrong type are already reported.
    if (typeof entry !== 'object' || entry === null) return;
    const position = entry.position ?? index + 1;
    const taken = typeof position === 'number' ? positions.get(position) : undefined;
    if (taken !== undefined) {
      const args = { position: Number(position), first: taken + 1 };
      addIssue(context, 'duplicate-position', args, [index, 'position']);
    } else if (typeof position === 'number') positions.set(position, index);
    const source = entry.id ?? entry.file ?? entry.url;
    const same = typeof source === 'string' ? sources.get(source) : undefined;
    if (same !== undefined)
      addIssue(context, 'duplicate-photo', { source: String(source), first: same + 1 }, [index]);
    else if (typeof source === 'string') sources.set(source, index);
  });
});

const liveTimesCheck = alwaysCheck((context) => {
  const { live_from: from, live_until: until } = Object(context.value) as Record<string, string>;
  if (isReversedPeriod({ live_from: from, live_until: until }))
    addIssue(context, 'live-times-reversed', { from: from!, until: until! }, ['live_until']);
});

function shapeOf(fields: FieldTable, list = ''): Record<string, z.ZodType> {
  const schemas = [...fieldsIn(fields, list)].map(([name, field]): [string, z.ZodType] => {
    const schema = schemaOf(name, field as Field, fields);
    const absent = list ? schema.optional() : schema.default(isList(field) ? [] : '');
    const { description, examples } = field;
    const whole = (field.required ? schema : absent).meta({ description, ...(examples && { examples }) });
    return [name, quickly(whole, field as Field)];
  });
  return Object.fromEntries(schemas);
}

/** Runs the schema only for values that fail the quick test. An absent optional text becomes an empty string. */
function quickly(schema: z.ZodType, { declared, kind, required }: Field): z.ZodType {
  if (!declared || kind === 'words') return schema;
  const isSound = quickTestOf(declared);
  return z.withParser(schema, (value = required ? null : '') =>
    typeof value === 'string' && (value === '' ? !required : isSound(value)) ? value : z.INVALID,
  );
}

const isList = ({ kind }: Pick<Field, 'kind'>) => kind === 'words' || kind === 'entries';

function schemaOf(name: string, field: Field, table: FieldTable): z.ZodType {
  const { kind, schema, entry, declared } = field;
  if (declared) return declaredFieldSchema(name, { ...field, declared });
  if (kind === 'words') return z.array(FIELD_VALUE_SCHEMAS.word);
  if (kind !== 'entries') return FIELD_VALUE_SCHEMAS[schema ?? (kind as ValueSchemaName)];
  const [ofEntry, ofList] = name === 'photo' ? [[photoCheck], [photosCheck]] : [[], []];
  const object = z.strictObject(shapeOf(table, name)).check(...ofEntry);
  return z.array(object.meta({ description: entry?.description ?? '' })).check(...ofList);
}

function schemaFor(fields: FieldTable) {
  return z
    .strictObject(shapeOf(fields) as Shape<typeof FIELDS, 'property'>)
    .check(liveTimesCheck)
    .meta({ title: 'Property', description: 'One property of the catalogue.' });
}

/** For a catalogue that declares no fields. Keys are in the order in which `catalogue format` writes them. */
export const authoredSchema = schemaFor(STANDARD_FIELD_TABLE);

export type AuthoredProperty = z.output<typeof authoredSchema>;
export type AuthoredPhoto = AuthoredProperty['photo'][number];

/** Each thread builds the schema of a field table only once. */
export const authoredSchemaOf: (fields: FieldTable) => typeof authoredSchema = memoizeByObject(
  (fields: FieldTable) =>
    fields.all.size === STANDARD_FIELD_TABLE.all.size ? authoredSchema : schemaFor(fields),
);
