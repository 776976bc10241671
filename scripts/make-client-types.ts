/**
 * Writes the types of the client, `src/client/types.ts`, from the schemas of what the API publishes, so that they stand
 * alone: a consumer needs no zod to compile.
 *
 *     npx tsx scripts/make-client-types.ts
 */
import { writeFileSync } from 'node:fs';
import { openApiSchemas } from '../src/contract/openapi/schemas.ts';
import { PROBLEM_CODES } from '../src/contract/problem.ts';
import { isMain } from './command-line.ts';

const FILE = new URL('../src/client/types.ts', import.meta.url);

/** A schema as `openApiSchemas` gives it: JSON Schema 2020-12, as far as it is used there. */
type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

/** Types that have another name here, since the schema's says too little outside of the document. */
const NAMES: Readonly<Record<string, string>> = { Index: 'CatalogueIndex' };

const SIMPLE: Readonly<Record<string, string | undefined>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The text of the file. @throws Error for a schema that this does not know. */
export function clientTypes(): string {
  const schemas = Object.entries(openApiSchemas(true)) as unknown as [string, Schema][];
  const types = schemas.map(
    ([name, schema]) =>
      `${comment(schema, '')}export type ${NAMES[name] ?? name} = ${typeOf(schema, '', name)};\n`,
  );
  const codes = Object.keys(PROBLEM_CODES).map((code) => `  | '${code}'`);
  return `/** What the API publishes. Made by scripts/make-client-types.ts: edit the schemas instead. */

/** Permanent code of a cause: the fragment of a problem's \`type\`. */
export type ProblemCode =
${codes.join('\n')};

${types.join('\n')}`;
}

function typeOf(schema: Schema, indent: string, name: string): string {
  const { $ref, type, properties, required = [], items } = schema;
  if ($ref) return nameOf($ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent, name)).join(' | ');
  if (type === 'array' && items) {
    const inner = typeOf(items, indent, name);
    return items.anyOf || items.enum ? `(${inner})[]` : `${inner}[]`;
  }
  if (type === 'object' && properties) {
    const inside = `${indent}  `;
    const lines = Object.entries(properties).map(([key, value]) => {
      const isThere = required.includes(key);
      const inner = typeOf(value, inside, `${name}.${key}`);
      return `${comment(value, inside)}${inside}${key}${isThere ? `: ${inner}` : `?:${orUndefined(inner, inside)}`};\n`;
    });
    return `{\n${lines.join('')}${indent}}`;
  }
  const found = [type].flat().map((one) => SIMPLE[one ?? '']);
  if (found.includes(undefined))
    throw new Error(`${name} has a schema without a type here: ${JSON.stringify(schema)}.`);
  return found.join(' | ');
}

/** A type that may be absent, as the formatter writes it. */
function orUndefined(type: string, indent: string): string {
  if (!type.includes('\n')) return ` ${type} | undefined`;
  return `\n${indent}  | ${type.replaceAll('\n', '\n    ')}\n${indent}  | undefined`;
}

function nameOf(reference: string): string {
  const name = reference.replace('#/components/schemas/', '');
  return NAMES[name] ?? name;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function comment({ description }: Schema, indent: string): string {
  return description ? `${indent}/** ${description} */\n` : '';
}

if (isMain(import.meta.url)) writeFileSync(FILE, clientTypes());
