// Code editors read `01234` as a number, but `check` reads every scalar as text. The schema of a text therefore accepts
// all types of scalars. It excludes other types with `not`, because editors offer `true` and `null` where `type`
// allows them.

import * as z from 'zod';
import { authoredSchema } from '../contract/authored.ts';
import { COUNTRIES, CURRENCIES } from '../contract/country-and-currency-tables.ts';
import { VALUE_PATTERNS } from '../contract/declared-field-values.ts';
import type { ValueSchemaName } from '../contract/field-value-schemas.ts';
import { type DeclaredOptions, type EntryField, type Field, fieldLabel } from '../contract/fields.ts';
import { PAYMENT_METHOD_TYPES } from '../contract/payment-method-types.ts';
import { fieldsIn, type Terms } from '../contract/terms.ts';
import { foldToLetters, MAX_TITLE } from '../contract/unicode.ts';
import type { TermList } from '../contract/vocabulary.ts';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../source/diagnostic-codes.ts';
import { CONTROL_CHARACTER } from '../text/control-characters.ts';

/** Draft 7, with extensions of the YAML language server. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export function authoredSchemaText(terms: Terms): string {
  return `${indentedJson(authoredJsonSchema(terms), '')}\n`;
}

/** Puts each entry of the outer levels on its own line. Inner levels, with hundreds of terms, are on one line. */
export function indentedJson(value: unknown, margin: string): string {
  const inner = `${margin}  `;
  const flat = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || flat.length < 100 || margin.length > 10) return flat;
  const lines = Array.isArray(value)
    ? value.map((entry) => inner + indentedJson(entry, inner))
    : Object.entries(value)
        .filter(([, entry]) => entry !== undefined)
        .map(([key, entry]) => `${inner}${JSON.stringify(key)}: ${indentedJson(entry, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join(',\n')}\n${margin}${close}`;
}

export function authoredJsonSchema(terms: Terms): JsonSchema {
  const { title, description } = authoredSchema.meta() ?? {};
  const $schema = 'http://json-schema.org/draft-07/schema#';
  return { $schema, title, description, ...objectOf('', terms) };
}

function objectOf(list: string, terms: Terms): JsonSchema {
  const fields = [...fieldsIn(terms.fields, list)];
  const properties = fields.map(([name, field]) => {
    const schema = schemaOf(name, field, terms);
    // Above a field without a title, editors would show the title of the whole schema, "Property".
    return [name, { title: fieldLabel(name, list, terms.fields), ...explained(field, schema), ...schema }];
  });
  const required = fields.flatMap(([name, field]) => (field.required ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

function schemaOf(name: string, field: Field | EntryField, all: Terms): JsonSchema {
  if ('declared' in field && field.declared) return declaredForm(field, field.declared);
  const terms = field.vocabulary && all.vocabulary[field.vocabulary];
  if (field.schema === 'id' && field.required) return { ...filled(UUID, 'invalid-id'), type: 'string' };
  if (field.kind === 'words') return list(terms ? known(terms) : FORMS.filled);
  if (field.kind !== 'entries')
    return terms ? known(terms) : FORMS[field.schema ?? (field.kind as ValueSchemaName)];
  const { label: title, entry } = field as Field;
  const items = { title, description: entry?.description, ...objectOf(name, all) };
  return name === 'photo' ? { ...list({ ...items, anyOf: PHOTO_SOURCES }), uniqueItems: true } : list(items);
}

function declaredForm({ kind, required }: Field, declared: DeclaredOptions): JsonSchema {
  const schema = typedForm(declared, required === true);
  return kind === 'words' ? { ...list(typedForm(declared, true)), uniqueItems: true } : schema;
}

function typedForm(
  { type, terms, areLanguageTags, minimum, maximum, above }: DeclaredOptions,
  isFilled: boolean,
): JsonSchema {
  const form = isFilled ? filled : text;
  const optional = (pattern: string) => trimmed(isFilled ? pattern : `(?:${pattern})?`);
  if (terms) {
    const names = Object.fromEntries(terms.words.map((word) => [word, terms.labels[word] ?? word]));
    return { ...form(optional(terms.words.join('|')), 'unknown-choice'), ...offered(names) };
  }
  switch (type) {
    case 'integer':
    case 'decimal':
      return {
        ...form(optional(VALUE_PATTERNS[type]), 'invalid-value'),
        not: { type: ['array', 'object', 'boolean', ...(isFilled ? ['null'] : [])] },
        ...(minimum !== undefined && { minimum: Number(minimum) }),
        ...(maximum !== undefined && { maximum: Number(maximum) }),
        ...(above !== undefined && { exclusiveMinimum: Number(above) }),
        ...(type === 'integer' && { multipleOf: 1 }),
      };
    case 'boolean':
      return isFilled ? FORMS.flag : FORMS.boolean;
    case 'date':
    case 'time':
      return form(optional(VALUE_PATTERNS[type]), 'invalid-value');
    case 'link':
      return form(optional(VALUE_PATTERNS.link), 'invalid-link');
    case 'lines':
      return isFilled ? FORMS.paragraph : FORMS.lines;
    default:
      return areLanguageTags
        ? form(optional('[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*'), 'invalid-language')
        : isFilled
          ? FORMS.filled
          : FORMS.text;
  }
}

function explained({ description, examples = [] }: Field | EntryField, schema: JsonSchema): JsonSchema {
  // No examples if values are offered anyway, or if an example is a list of mappings, which editors cannot offer.
  const isOffered = 'defaultSnippets' in schema || examples.some(isListOfMappings);
  if (examples.length === 0 || isOffered) return { description };
  return { description, examples: examples.map(asYamlValue) };
}

function isListOfMappings(example: unknown): boolean {
  return Array.isArray(example) && typeof example[0] === 'object';
}

/** Examples in the table of fields are texts. Converts them to the types that YAML readers infer. */
function asYamlValue(example: unknown): unknown {
  if (Array.isArray(example)) return example.map(asYamlValue);
  if (typeof example === 'object' && example !== null) {
    return Object.fromEntries(Object.entries(example).map(([key, value]) => [key, asYamlValue(value)]));
  }
  return typeof example === 'string' && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(example)
    ? JSON.parse(example)
    : example;
}

function messageOf(code: DiagnosticCode): string {
  const { help, explanation } = DIAGNOSTIC_CODES[code];
  return `${help({}) || explanation} (${code})`;
}

const NO_SCALAR = { type: ['array', 'object'] };
const NO_SCALAR_OR_NULL = { type: ['array', 'object', 'null'] };

function text(pattern: string, code: DiagnosticCode): JsonSchema {
  return { not: NO_SCALAR, pattern, errorMessage: messageOf(code) };
}

function filled(pattern: string, code: DiagnosticCode): JsonSchema {
  return { ...text(pattern, code), not: NO_SCALAR_OR_NULL };
}

function boolean(pattern: string, ...other: 'null'[]): JsonSchema {
  return {
    anyOf: [{ type: ['boolean', ...other] }, { type: 'string', pattern: trimmed(pattern) }],
    errorMessage: messageOf('invalid-boolean'),
  };
}

/** Editors also offer a code by its name. Allows white space around the code, because `check` removes it. */
function codeOf(names: Readonly<Record<string, string>>, code: DiagnosticCode): JsonSchema {
  return { ...wordOf(Object.keys(names), code), ...offered(names) };
}

function wordOf(words: readonly string[], code: DiagnosticCode): JsonSchema {
  return { type: 'string', pattern: trimmed(words.join('|')), errorMessage: messageOf(code) };
}

function known({ words, labels }: TermList): JsonSchema {
  const names = Object.fromEntries(words.map((word) => [word, labels[word] ?? word]));
  return { ...filled(FILLED, 'empty-text'), ...offered(names) };
}

/** Offers values without an `enum`, which editors would show in full when the mouse rests on the field. */
function offered(names: Readonly<Record<string, string>>, named = Object.entries(names)): JsonSchema {
  const entries = Object.entries(names);
  const byValue = entries.map(([value, name]) => ({ label: value, description: name, body: value }));
  const byName = named
    .filter(([value, name]) => foldToLetters(value) !== foldToLetters(name) && !Object.hasOwn(names, name))
    .map(([value, name]) => ({ label: name, description: value, body: value }));
  return {
    defaultSnippets: [...byValue, ...byName],
    allOf: entries.map(([value, name]) => ({
      if: { const: value },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { description: name },
    })),
  };
}

function coordinate(limit: number, whole: string, code: DiagnosticCode): JsonSchema {
  return {
    not: { type: ['array', 'object', 'boolean', 'null'] },
    minimum: -limit,
    maximum: limit,
    pattern: trimmed(`-?(?:(?:${whole})(?:\\.[0-9]{1,30})?|${limit}(?:\\.0{1,30})?)`),
    errorMessage: messageOf(code),
  };
}

function list(items: JsonSchema): JsonSchema {
  return {
    not: { type: ['object', 'string', 'number', 'boolean'] },
    items,
    errorMessage: messageOf('wrong-type'),
  };
}

function trimmed(pattern: string): string {
  return `^\\s*(?:${pattern})\\s*$`;
}

const CONTROLS = CONTROL_CHARACTER.source.slice(1, -1);
const WORDS = `[^${CONTROLS}\\s](?:[^${CONTROLS}]*[^${CONTROLS}\\s])?`;
const FILLED = trimmed(WORDS);
const OPTIONAL = trimmed(`(?:${WORDS})?`);
const CONTROLS_BUT_LINE_ENDS = CONTROLS.replace(
  '\\u0000-\\u001f',
  '\\u0000-\\u0009\\u000b\\u000c\\u000e-\\u001f',
);
const LINES = `[^${CONTROLS_BUT_LINE_ENDS}\\s](?:[^${CONTROLS_BUT_LINE_ENDS}]*[^${CONTROLS_BUT_LINE_ENDS}\\s])?`;
const FILLED_LINES = trimmed(LINES);
const OPTIONAL_LINES = trimmed(`(?:${LINES})?`);
/** A city has at most 120 bytes, which may have been 180 characters before Unicode normalisation. */
const CITY = `^(?=\\s*[^]{0,180}?\\s*$)${FILLED.slice(1)}`;
/** A character may have been six UTF-16 units before Unicode normalisation: U+16126 has three parts of two units. */
const LONG = `^(?=\\s*[^]{0,${6 * MAX_TITLE}}?\\s*$)`;
const TITLE = LONG + FILLED.slice(1);
const HEADING = LONG + OPTIONAL.slice(1);
const EMAIL = trimmed(
  `(?:${z.regexes.email.source.slice(1, -1)}|[!-~]+@(?=[^]*[\\u0080-\\uffff])[^${CONTROLS}\\s@]+|[!-~]+@[\\w.-]+\\.[Xx][Nn]--[\\w-]+)?`,
);
const PHONE = trimmed(`(?:\\+[^${CONTROLS}]*[^${CONTROLS}\\s])?`);
const LINK = trimmed(`[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s\\\\\\/${CONTROLS}][^\\s\\\\${CONTROLS}]*`);
const PATH = trimmed(
  `(?![\\/~]|[A-Za-z]:)[^\\s\\\\${CONTROLS}](?:[^\\\\${CONTROLS}]*[^\\s\\\\\\/${CONTROLS}])?`,
);
const DATE = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const CLOCK = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const INSTANT = trimmed(`(?:${DATE}(?:T${CLOCK}:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-]${CLOCK}))?)?`);
const UUID = trimmed(
  z.regexes
    .uuid()
    .source.slice(1, -1)
    .replace(/f{8}(?:-f{4}){3}-f{12}/, '[fF]{8}(?:-[fF]{4}){3}-[fF]{12}'),
);

const METHOD_TYPE_NAMES: Readonly<Record<(typeof PAYMENT_METHOD_TYPES)[number], string>> = {
  direct: 'through a payment gateway',
  property: 'on site or through the owner',
};

const FORMS: Readonly<Record<ValueSchemaName, JsonSchema>> = {
  text: text(OPTIONAL, 'control-character'),
  filled: filled(FILLED, 'empty-text'),
  word: filled(FILLED, 'empty-text'),
  lines: text(OPTIONAL_LINES, 'control-character'),
  paragraph: filled(FILLED_LINES, 'empty-text'),
  boolean: boolean('(?:true|false)?', 'null'),
  flag: boolean('true|false'),
  instant: text(INSTANT, 'invalid-time'),
  id: text(UUID, 'invalid-id'),
  title: filled(TITLE, 'title-too-long'),
  heading: text(HEADING, 'title-too-long'),
  city: filled(CITY, 'city-too-long'),
  country: codeOf(COUNTRIES, 'unknown-country'),
  currency: codeOf(CURRENCIES, 'unknown-currency'),
  email: text(EMAIL, 'invalid-email'),
  phone: { ...text(PHONE, 'invalid-phone'), minimum: 1 },
  latitude: coordinate(90, '[1-8]?[0-9]', 'invalid-latitude'),
  longitude: coordinate(180, '[1-9]?[0-9]|1[0-7][0-9]', 'invalid-longitude'),
  path: text(PATH, 'invalid-photo-path'),
  link: text(LINK, 'invalid-url'),
  position: {
    not: { type: ['array', 'object', 'boolean'] },
    minimum: 1,
    maximum: 999_999_999,
    multipleOf: 1,
    pattern: trimmed('[1-9][0-9]{0,8}'),
    errorMessage: messageOf('invalid-position'),
  },
  method: { ...wordOf(PAYMENT_METHOD_TYPES, 'unknown-method-type'), ...offered(METHOD_TYPE_NAMES, []) },
};

/** A photo has a file or a URL. The conditions are below `not`, because editors offer no values from there. */
const PHOTO_SOURCES = [
  ['file', 'url', 'thumbnail'],
  ['url', 'file'],
].map(([given = '', ...others]) => ({
  required: [given],
  not: {
    anyOf: [is(given, { type: 'null' }), ...others.map((other) => is(other, { not: { type: 'null' } }))],
  },
  errorMessage: messageOf('photo-source'),
}));

function is(field: string, schema: JsonSchema): JsonSchema {
  return { required: [field], properties: { [field]: schema } };
}
