import { VALUE_PATTERNS } from '../declared-field-values.ts';
import type { DeclaredOptions, Field, FieldTable } from '../fields.ts';
import type { JsonObject } from './input.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * Adds the schema `Attributes` if the catalogue declares fields, and `Translations` if it has several languages. Also
 * adds members of these types to the schemas of a property. For a catalogue with only one language, removes `languages`
 * from `Index`. If that catalogue also declares no fields, removes `declaration` from `Changes`.
 */
export function withDeclaredFields(
  schemas: JsonObject,
  { attributes, all, languages }: FieldTable,
): JsonObject {
  const added: [name: string, schema: JsonObject][] = [];
  if (attributes.size > 0) added.push(['attributes', attributesSchema(attributes)]);
  if (languages.length > 0) added.push(['translations', translationsSchema(all, languages)]);
  const result: JsonObject = { ...schemas };
  const drop = (name: string, member: string) => {
    const schema = result[name] as JsonObject | undefined;
    if (!schema) return;
    const { [member]: _member, ...properties } = schema.properties as JsonObject;
    result[name] = { ...schema, properties };
  };
  if (languages.length === 0) drop('Index', 'languages');
  if (added.length === 0) {
    drop('Changes', 'declaration');
    return result;
  }
  const extend = (name: string, members: JsonObject, required: readonly string[]) => {
    const schema = result[name] as JsonObject | undefined;
    if (!schema) return;
    const properties = { ...(schema.properties as JsonObject), ...members };
    result[name] = { ...schema, properties, required: [...(schema.required as string[]), ...required] };
  };
  const names = added.map(([name]) => name);
  const members = Object.fromEntries(names.map((name) => [name, ref(componentOf(name))]));
  for (const name of ['Property', 'PropertyRecord']) extend(name, members, names);
  if (languages.length > 0) {
    extend('Index', {}, ['languages']);
  }
  for (const [name, schema] of added) result[componentOf(name)] = schema;
  return Object.fromEntries(Object.entries(result).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const componentOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function attributesSchema(attributes: FieldTable['attributes']): JsonObject {
  return {
    type: 'object',
    description: 'Fields that this catalogue declares.',
    properties: Object.fromEntries([...attributes].map(([name, field]) => [name, attributeSchema(field)])),
    required: [...attributes.keys()],
  };
}

function attributeSchema({ kind, label, description, required, declared }: Field): JsonObject {
  const about = {
    title: label,
    description: [description, choicesOf(declared!), unitOf(declared!)].filter(Boolean).join(' '),
  };
  const { type, ...schema } = valueSchema(declared!);
  if (kind === 'words')
    return { ...about, type: 'array', items: { type: type!, ...schema }, ...(required && { minItems: 1 }) };
  if (required) return { ...about, type: type!, ...schema };
  const values = schema.enum as string[] | undefined;
  return { ...about, type: [type as string, 'null'], ...schema, ...(values && { enum: [...values, null] }) };
}

function choicesOf({ terms }: DeclaredOptions): string {
  if (!terms) return '';
  return `${terms.words.map((word) => `\`${word}\`: ${terms.labels[word]}`).join('; ')}.`;
}

function unitOf({ unit }: DeclaredOptions): string {
  return unit === undefined ? '' : `Unit: ${unit}.`;
}

function valueSchema({ type, minimum, maximum, above, maxLength, terms }: DeclaredOptions): JsonObject {
  const text = { type: 'string' };
  if (terms) return { ...text, enum: [...terms.words] };
  switch (type) {
    case 'integer':
      return {
        type: 'integer',
        ...(minimum !== undefined && { minimum: Number(minimum) }),
        ...(maximum !== undefined && { maximum: Number(maximum) }),
        ...(above !== undefined && { exclusiveMinimum: Number(above) }),
      };
    case 'decimal':
    case 'time':
      return { ...text, pattern: `^(?:${VALUE_PATTERNS[type]})$` };
    case 'boolean':
      return { type: 'boolean' };
    case 'date':
      return { ...text, format: 'date' };
    case 'link':
      return { ...text, format: 'uri' };
    default:
      return { ...text, ...(maxLength !== undefined && { maxLength }) };
  }
}

function translationsSchema(all: FieldTable['all'], [first, ...others]: readonly string[]): JsonObject {
  const text = { type: 'string' };
  const names = [...all].flatMap(([, { base, language }]) =>
    base && language === others[0] && base !== 'title' ? [base] : [],
  );
  const translation: JsonObject = {
    type: 'object',
    properties: {
      title: text,
      ...(names.length > 0 && {
        attributes: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, text])) },
      }),
      photo: {
        type: 'object',
        description: 'Translated descriptions, by the id of the photo.',
        additionalProperties: text,
      },
      hotel_policy: {
        type: 'array',
        description: 'Translated details in the order of the policies; null without a translation.',
        items: { type: ['string', 'null'] },
      },
    },
  };
  return {
    type: 'object',
    description: `Translated texts by language, as far as they exist. All other texts are in the language ${first}.`,
    properties: Object.fromEntries(others.map((language) => [language, translation])),
  };
}
