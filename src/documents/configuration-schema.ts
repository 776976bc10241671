// Editors read `25` as a number and `true` as a boolean, but `check` reads every scalar as text. The schema therefore
// accepts all types of scalars.
import * as z from 'zod';
import { configurationSchema } from '../contract/configuration.ts';
import { fieldOptionsSchema } from '../contract/field-declarations.ts';
import { KNOWN_FIELDS, type KnownField } from '../contract/known-fields.ts';
import { indentedJson, type JsonSchema } from './property-schema.ts';

type Node = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: boolean | Node;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
};

export function configurationSchemaText(): string {
  return `${indentedJson(configurationJsonSchema(), '')}\n`;
}

export function configurationJsonSchema(): JsonSchema {
  const [input, output] = [nodeOf(configurationSchema, 'input'), nodeOf(configurationSchema, 'output')];
  const { properties, ...rest } = acceptAllScalars(input, output) as JsonSchema & { properties: JsonSchema };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Catalogue',
    description: 'Settings of a catalogue.',
    ...rest,
    properties: { ...properties, fields: fieldsForm(input.properties?.fields?.description) },
  };
}

function nodeOf(schema: z.ZodType, io: 'input' | 'output'): Node {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Node;
}

function fieldsForm(description = ''): JsonSchema {
  const options = acceptAllScalars(nodeOf(fieldOptionsSchema, 'input'), nodeOf(fieldOptionsSchema, 'output'));
  const { default: _default, ...own } = options.properties as JsonSchema;
  const form = { ...options, properties: own };
  const known = Object.entries(KNOWN_FIELDS as Readonly<Record<string, KnownField>>).map(([name, field]) => [
    name,
    { ...form, title: field.label, description: field.description },
  ]);
  return {
    description,
    ...MAPPING,
    properties: Object.fromEntries(known),
    additionalProperties: { ...form, description: 'A field of your own.' },
    propertyNames: { pattern: '^[a-z][a-z0-9_]{0,39}$' },
  };
}

/** Allows texts as well, since a single word can replace a mapping (`tiles: openstreetmap`). */
const MAPPING = { not: { type: ['array', 'number', 'boolean'] } };
const LIST = { not: { type: ['object', 'string', 'number', 'boolean'] } };
const SCALAR = { not: { type: ['array', 'object'] } };

/**
 * Converts a schema whose scalars are texts to one that accepts all types of scalars.
 * @param output the schema of the parsed values: only this schema has the limits of numbers
 */
function acceptAllScalars(input: Node, output: Node = {}): JsonSchema {
  const { description } = input;
  const about = description === undefined ? {} : { description };
  if (input.properties || input.type === 'object') {
    const { additionalProperties: others } = input;
    const properties = Object.entries(input.properties ?? {}).map(([key, node]) => [
      key,
      acceptAllScalars(node, output.properties?.[key]),
    ]);
    return {
      ...about,
      ...MAPPING,
      properties: Object.fromEntries(properties),
      additionalProperties: typeof others === 'object' ? acceptAllScalars(others) : others,
    };
  }
  if (input.items) return { ...about, ...LIST, items: acceptAllScalars(input.items, output.items) };
  if (input.anyOf) return { ...about, anyOf: input.anyOf.map((node) => acceptAllScalars(node)) };
  if (output.type === 'number' || output.type === 'integer') {
    const { minimum, maximum } = output;
    return { ...about, ...SCALAR, pattern: input.pattern, minimum, maximum, multipleOf: 1 };
  }
  const booleans = input.enum?.includes('true') ? [true, false] : [];
  if (input.enum) return { ...about, enum: [...booleans, ...input.enum, null] };
  if (input.const !== undefined) return { ...about, const: input.const };
  return { ...about, ...(input.type && SCALAR), ...(input.pattern && { pattern: input.pattern }) };
}
