import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { authoredSchema } from '../contract/authored.ts';
import { COUNTRIES, CURRENCIES } from '../contract/country-and-currency-tables.ts';
import type { Field, FieldTable } from '../contract/fields.ts';
import { PAYMENT_METHOD_TYPES } from '../contract/payment-method-types.ts';
import { STANDARD_FIELD_TABLE } from '../contract/terms.ts';
import { cutText } from '../text/shorten.ts';
import type { Mapping } from '../values/mapping.ts';
import { ownValue } from '../values/own-value.ts';
import { correctorFor } from './correction.ts';
import {
  findSimilarCountry,
  findSimilarCurrency,
  successorCurrency,
} from './country-and-currency-aliases.ts';
import { createDiagnostic, type Diagnostic } from './diagnostic.ts';
import type { DiagnosticArgs, DiagnosticCode } from './diagnostic-codes.ts';
import { nearestWord } from './did-you-mean.ts';
import { isInOtherCurrency } from './quantity.ts';
import { type DocumentWithSpans, UNREADABLE, type ValuePath } from './yaml-document.ts';

export type SchemaIssue = {
  readonly code: DiagnosticCode;
  readonly path: ValuePath;
  /** Set if the issue is about a key of the mapping at `path`. */
  readonly key?: string;
  readonly args: DiagnosticArgs;
};

export function locateIssue(fault: SchemaIssue, file: string, document: DocumentWithSpans): Diagnostic {
  const { code, path, key, args } = fault;
  if (key === undefined) return createDiagnostic(code, file, document.spanOf(path), args, path);
  return createDiagnostic(code, file, document.spanOfKey(path, key), args, [...path, key]);
}

/** Returns the first issue of each path and key, and none for values that could not be read. */
export function schemaIssues(
  error: z.ZodError,
  value: unknown,
  schema: z.ZodType = authoredSchema,
  fields: FieldTable = STANDARD_FIELD_TABLE,
): SchemaIssue[] {
  const faults: SchemaIssue[] = [];
  const seen = new Set<string>();
  const add = (fault: SchemaIssue) => {
    const place = JSON.stringify([fault.path, fault.key ?? null]);
    if (seen.has(place)) return;
    seen.add(place);
    faults.push(fault);
  };
  for (const issue of error.issues) for (const fault of issuesOf(issue, value, schema, fields)) add(fault);
  return faults;
}

function issuesOf(
  issue: z.core.$ZodIssue,
  value: unknown,
  schema: z.ZodType,
  fields: FieldTable,
): SchemaIssue[] {
  const path = issue.path;
  if (valueAt(value, path) === UNREADABLE) return [];
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(shapeAt(schema, path));
    const present = new Set(keysAt(value, path));
    const absent = known.filter((name) => !present.has(name));
    return issue.keys.map((key) => {
      if (key === '<<') return { code: 'merge-key', path, key, args: {} };
      const suggestion = nearestWord(key, absent);
      const args: Record<string, string> = { key, known: known.join(', '), within: fieldPathText(path) };
      if (suggestion) args.suggestion = suggestion;
      return { code: 'unknown-key', path, key, args };
    });
  }
  if (issue.code === 'invalid_type') {
    const found = valueAt(value, path);
    if ((found === undefined || found === null) && typeof path.at(-1) === 'string') {
      return [missing(path, schema, found === null)];
    }
    return [{ code: 'wrong-type', path, args: typeArgs(issue.expected, found, path) }];
  }
  if (issue.code === 'custom' && issue.params && 'code' in issue.params) {
    const { code, ...args } = issue.params as { code: DiagnosticCode } & Record<string, string | number>;
    if (code === 'reserved-id' && path.length > 1) args.within = fieldPathText(path);
    return [{ code, path, args: withSuggestion(code, args, fieldAt(path, fields), value) }];
  }
  return [{ code: 'invalid-setting', path, args: { key: path.join('.'), reason: reasonOf(issue) } }];
}

function reasonOf(issue: z.core.$ZodIssue): string {
  const message = issue.message.replace(/^Invalid (?:input|option): /, '').replace(/\.$/, '');
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function missing(path: ValuePath, schema: z.ZodType, empty: boolean): SchemaIssue {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const field = shapeAt(schema, parent)[key];
  const example = (field as z.ZodType | undefined)?.meta()?.examples;
  const args: Record<string, string> = { key, within: fieldPathText(parent) };
  // A new id each time, since editors may copy the example.
  if (key === 'id') args.example = randomUUID();
  else if (Array.isArray(example) && typeof example[0] === 'string') args.example = example[0];
  if (empty) args.empty = 'yes';
  return { code: 'missing-key', path, args };
}

function shapeAt(schema: z.ZodType, path: ValuePath): Readonly<Record<string, unknown>> {
  let nodes = alternativesOf(schema);
  for (const step of path) {
    nodes = nodes.flatMap((node) =>
      alternativesOf(typeof step === 'number' ? elementOf(node) : fieldOf(node, String(step))),
    );
  }
  return (nodes as Definition[]).find((node) => node?.shape)?.shape ?? {};
}

type Definition = {
  shape?: Readonly<Record<string, unknown>>;
  _zod?: { def: { innerType?: unknown; in?: unknown; element?: unknown; options?: readonly unknown[] } };
};

function alternativesOf(schema: unknown): readonly unknown[] {
  const { innerType, in: input, options } = (schema as Definition | undefined)?._zod?.def ?? {};
  const inner = innerType ?? input;
  if (inner) return alternativesOf(inner);
  return options ? options.flatMap(alternativesOf) : [schema];
}

function elementOf(schema: unknown): unknown {
  return (schema as Definition | undefined)?._zod?.def.element;
}

function fieldOf(schema: unknown, key: string): unknown {
  const { shape = {} } = (schema ?? {}) as { shape?: Record<string, unknown> };
  return ownValue(shape, key);
}

function valueAt(value: unknown, path: ValuePath): unknown {
  let node = value;
  for (const step of path) {
    if (node === UNREADABLE) return UNREADABLE;
    if (node === null || typeof node !== 'object') return undefined;
    node = (node as Record<PropertyKey, unknown>)[step];
  }
  return node;
}

function keysAt(value: unknown, path: ValuePath): string[] {
  const node = valueAt(value, path);
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, entry]) => (entry === null ? [] : key));
}

export function fieldPathText(path: ValuePath): string {
  const [list, index] = path;
  if (list === undefined) return '';
  return typeof index === 'number' ? `entry ${index + 1} of ${String(list)}` : path.join('.');
}

function typeArgs(expected: string, found: unknown, path: ValuePath): DiagnosticArgs {
  const advice =
    expected === 'array'
      ? `Write it as a list: "${String(path.at(-1))}:", then one line for each entry, starting with "  - ".`
      : expected === 'object' || expected === 'record'
        ? `Write it as "field: value" lines, indented below ${typeof path.at(-1) === 'number' ? 'the dash' : 'its name'}.`
        : typeof found === 'object' && found !== null
          ? 'Write one plain value; put it in quotes if it has ": " or starts with "[", "{" or "-".'
          : 'Write a value, or delete the line.';
  return { expected: TYPE_NAMES[expected] ?? expected, found: describeValue(found), advice };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = String(value);
  return `the text "${cutText(text, 40)}"`;
}

function fieldAt(
  path: ValuePath,
  fields: FieldTable,
): { readonly name: string; readonly field?: Field | undefined } {
  const [first, , key] = path.map(String);
  return key === undefined ? { name: first ?? '', field: fields.all.get(first ?? '') } : { name: key };
}

function withSuggestion(
  code: DiagnosticCode,
  args: Record<string, string | number>,
  { name, field }: ReturnType<typeof fieldAt>,
  property: unknown,
): DiagnosticArgs {
  const value = String(args.value ?? '');
  if (code === 'unknown-method-type') {
    const suggestion = nearestWord(value, PAYMENT_METHOD_TYPES);
    return suggestion ? { ...args, suggestion } : args;
  }
  if (!CORRECTED.has(code)) return args;
  const { currency } = Object(property) as Mapping;
  if (name === 'price_from' && isInOtherCurrency(value, { currency }))
    return { ...args, type: `an amount in ${currency}` };
  const terms = field?.declared?.terms;
  const proposed = terms
    ? { names: terms.labels, find: (text: string) => nearestWord(text, terms.words) }
    : PROPOSALS[name];
  const corrected = correctorFor(name, field)?.(value, Object(property) as Record<string, unknown>);
  const suggestion = corrected ?? proposed?.find(value);
  if (suggestion === undefined) return args;
  // An editor who wrote the code in lower case (`gb`) knows its meaning, so the message does not explain it.
  const isKnown = !proposed || suggestion === value.trim().toUpperCase();
  return { ...args, suggestion, ...(isKnown ? {} : { name: proposed.names[suggestion] ?? '' }) };
}

const CORRECTED: ReadonlySet<DiagnosticCode> = new Set([
  'invalid-latitude',
  'invalid-longitude',
  'invalid-phone',
  'invalid-boolean',
  'invalid-time',
  'unknown-country',
  'unknown-currency',
  'invalid-value',
  'invalid-link',
  'invalid-language',
  'unknown-choice',
] as const);

const PROPOSALS: Readonly<
  Record<string, { names: Readonly<Record<string, string>>; find: (text: string) => string | undefined }>
> = {
  country: { names: COUNTRIES, find: findSimilarCountry },
  currency: { names: CURRENCIES, find: (text) => successorCurrency(text) ?? findSimilarCurrency(text) },
};
