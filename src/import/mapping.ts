/** The mapping file: which column, or which part of a JSON object, becomes which field. */
import * as z from 'zod';
import { UsageError } from '../errors.ts';
import { type Diagnostic, diagnose } from '../source/diagnostic.ts';
import { locate, schemaFaults } from '../source/schema-issues.ts';
import { readExactly } from '../source/yaml-document.ts';

/** A column, or the path of a value in a JSON object: names joined by dots. `.` is the whole. */
const source = z.string().min(1);

const conversion = z.strictObject({
  from: z.union([source, z.array(source)]).optional(),
  join: z.string().optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  map: z.record(z.string(), z.string()).optional(),
  split: z.string().min(1).optional(),
  decimal: z.enum([',', '.']).optional(),
  prefix: z.string().optional(),
  true: z.array(z.string()).optional(),
  false: z.array(z.string()).optional(),
  uuid: z.uuid().optional(),
});

/** How one value is found: where, and what is made of it. */
const value = z.union([source, conversion], {
  error: 'expected a column, or a mapping with "from" or "value"',
});

/** Entries of a list, each from columns of its own; with `each`, one for every item of a list in the source. */
function entries<Shape extends z.ZodRawShape>(shape: Shape) {
  const entry = z.strictObject({ each: source.optional(), split: z.string().min(1).optional(), ...shape });
  return z.array(entry);
}

/** Schema of a mapping file, as YAML gives it. */
const mappingSchema = z.strictObject({
  rows: source.optional(),
  delimiter: z.string().length(1).optional(),
  encoding: z.string().min(1).optional(),
  id: value,
  title: value,
  currency: value,
  email: value.optional(),
  phone: value.optional(),
  zip_code: value.optional(),
  city: value,
  state: value.optional(),
  address: value.optional(),
  country: value,
  latitude: value,
  longitude: value,
  facilities: z.union([value, z.array(value)]).optional(),
  photo: entries({
    url: value.optional(),
    file: value.optional(),
    thumbnail: value.optional(),
    description: value.optional(),
    position: value.optional(),
  }).optional(),
  hotel_policy: entries({ policy_type: value, detail: value }).optional(),
  payment_method: entries({ is_enabled: value, method_type: value }).optional(),
});

/** A checked mapping. */
export type Mapping = z.output<typeof mappingSchema>;
/** How one value is found. */
export type ValueMapping = z.output<typeof value>;

/** Checks the text of a mapping file. */
export function readMapping(
  text: string,
  file: string,
): { mapping: Mapping } | { mapping: undefined; diagnostics: readonly Diagnostic[] } {
  const document = readExactly(text, file);
  if (document.diagnostics.length > 0) return { mapping: undefined, diagnostics: document.diagnostics };
  if (typeof document.value !== 'object' || document.value === null || Array.isArray(document.value)) {
    return {
      mapping: undefined,
      diagnostics: [diagnose('not-a-mapping', file, null, { found: 'something else' })],
    };
  }
  const result = mappingSchema.safeParse(document.value);
  if (result.success) return { mapping: result.data };
  const faults = schemaFaults(result.error, document.value, mappingSchema);
  return { mapping: undefined, diagnostics: faults.map((fault) => locate(fault, file, document)) };
}

/** Every column, or first name of a path, that a mapping reads from a row. */
function columnsOf(mapping: Mapping): Set<string> {
  const columns = new Set<string>();
  const add = (mapped: ValueMapping | undefined) => {
    const from = typeof mapped === 'string' ? mapped : mapped?.from;
    for (const name of [from ?? []].flat()) columns.add(name);
  };
  for (const [field, mapped] of Object.entries(mapping)) {
    if (field === 'rows' || field === 'delimiter' || field === 'encoding' || mapped === undefined) continue;
    for (const part of [mapped as unknown].flat()) {
      if (typeof part === 'string') add(part);
      else if (part && typeof part === 'object' && 'each' in part) columns.add(String(part.each));
      else if (isConversion(part)) add(part);
      else for (const inner of Object.values(part as Record<string, ValueMapping>)) add(inner);
    }
  }
  columns.delete('.');
  return columns;
}

function isConversion(part: unknown): part is z.output<typeof conversion> {
  return conversion.safeParse(part).success;
}

/** @throws UsageError `unknown-column` when a mapping names a column that a table has not. */
export function checkColumns(mapping: Mapping, header: readonly string[]): void {
  const missing = [...columnsOf(mapping)].filter((column) => !header.includes(column));
  if (missing.length === 0) return;
  throw new UsageError(
    'unknown-column',
    `The mapping names columns that the table has not: ${missing.join(', ')}. The table has: ${header.join(', ')}.`,
  );
}
