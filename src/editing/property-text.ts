import type { AuthoredProperty } from '../contract/authored.ts';
import type { Field, FieldName, FieldTable, RequiredFieldName, ScalarFieldName } from '../contract/fields.ts';
import { fieldsIn, STANDARD_FIELD_TABLE, type Terms } from '../contract/terms.ts';
import { fieldYaml } from './field-text.ts';
import type { AuthoredValue, FieldValues } from './field-values.ts';
import { scalarText } from './scalar.ts';

export type PhotoEntry = ({ file: string } | { url: string; thumbnail?: string }) & {
  description?: string;
  id?: string;
  position?: number;
};

/** Empty texts and lists count as absent, so they are not written. */
export type PropertyValues = { readonly [Name in ScalarFieldName]?: string | undefined } & {
  readonly [Name in RequiredFieldName]: string;
} & { readonly [Name in Exclude<FieldName, ScalarFieldName | 'photo'>]?: AuthoredProperty[Name] } & {
  readonly photo?: readonly PhotoEntry[];
};

export type PropertyComments = {
  /** Lines at the top of the file, with line endings. */
  readonly head?: string;
  readonly absent?: (field: string) => string;
};

/** Parsed with the failsafe schema of YAML 1.2, the result has exactly the given texts. Unknown fields come last. */
export function propertyYaml(
  property: PropertyValues | FieldValues,
  { head = '', absent = () => '' }: PropertyComments = {},
  fields: FieldTable = STANDARD_FIELD_TABLE,
): string {
  const groups = new Map<Field['group'] | 'head', string>([['head', head]]);
  const lineOf = (name: string, otherwise: (field: string) => string) => {
    const value = (property as Readonly<Record<string, unknown>>)[name];
    return isAbsent(value) ? otherwise(name) : fieldYaml(name, asAuthored(value), fields);
  };
  for (const [name, { group }] of fields.all)
    groups.set(group, (groups.get(group) ?? '') + lineOf(name, absent));
  const others = Object.keys(property).filter((name) => !fields.all.has(name));
  const known = [...groups.values()].filter((group) => group !== '').join('\n');
  return known + others.map((name) => lineOf(name, () => '')).join('');
}

function isAbsent(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function asAuthored(value: unknown): AuthoredValue {
  if (typeof value === 'string' && value !== '') return value;
  if (isAbsent(value)) return null;
  if (Array.isArray(value)) return value.map(asAuthored);
  if (typeof value !== 'object') return String(value);
  const isText = (inner: unknown) => typeof inner === 'string' && inner !== '';
  if (Object.values(value as object).every(isText)) return value as AuthoredValue;
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, asAuthored(inner)]));
}

/** Fields without a value become commented-out examples. @param schemaLine comment that names the JSON Schema */
export function newPropertyText(property: PropertyValues, schemaLine: string, terms: Terms): string {
  const trimmed = Object.entries(property).map(([field, value]) => [
    field,
    typeof value === 'string' ? value.trim() : value,
  ]);
  const head = `${schemaLine}
# Lines that start with "#" show what else a property may hold: fill in a value, and remove the mark.
`;
  const absent = (field: string) => commented(field, terms);
  return propertyYaml(Object.fromEntries(trimmed) as PropertyValues, { head, absent }, terms.fields);
}

function commented(field: string, { fields, vocabulary: { facilities } }: Terms): string {
  const { kind, description, language, examples = [] } = fields.all.get(field)!;
  if (language) return '';
  const [example] = examples;
  const written = (name: string, value: unknown) =>
    scalarText(String(value), { number: fields.unquoted.has(name) });
  if (kind !== 'words' && kind !== 'entries')
    return `# ${field}: ${written(field, example)} # ${description}\n`;
  const lines =
    kind === 'words'
      ? [
          `  - ${field === 'facilities' ? (facilities.words[0] ?? 'wifi') : String((example as unknown[])[0])}`,
        ]
      : (example as Record<string, unknown>[]).flatMap((entry) =>
          [...fieldsIn(fields, field).keys()]
            .filter((key) => Object.hasOwn(entry, key))
            .map(
              (key, index) =>
                `${index === 0 ? '  - ' : '    '}${key}: ${written(`${field}.${key}`, entry[key])}`,
            ),
        );
  return [`${field}: # ${description}`, ...lines].map((line) => `# ${line}\n`).join('');
}
