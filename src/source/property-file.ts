import type * as z from 'zod';
import { type AuthoredProperty, authoredSchemaOf } from '../contract/authored.ts';
import { ENTRY_LIST_FIELDS, type FieldTable } from '../contract/fields.ts';
import { fieldsIn, type Terms } from '../contract/terms.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import { createDiagnostic, createSpans, type Diagnostic } from './diagnostic.ts';
import { checkFieldNames } from './field-name-check.ts';
import { isNullWord } from './null-word.ts';
import { type PartialProperty, partialPropertyOf } from './readable-property.ts';
import { describeValue, locateIssue, type SchemaIssue, schemaIssues } from './schema-issues.ts';
import { readYamlQuickly, type TextRanges } from './simple-yaml.ts';
import { decodeSource } from './source-text.ts';
import { findTextsBehindHash } from './text-behind-hash.ts';
import { withoutDuplicateWords } from './vocabulary-word.ts';
import { findWarnings, type WarningInput } from './warnings.ts';
import {
  type DocumentWithSpans,
  type ExactDocument,
  readYamlExactly,
  type ValuePath,
} from './yaml-document.ts';
import type { TextRange } from './yaml-errors.ts';

export type CheckedPropertyFile = {
  readonly property: AuthoredProperty | undefined;
  readonly readable: PartialProperty | undefined;
  readonly diagnostics: Diagnostic[];
  /** True: the file has no YAML aliases, which repeat values. Undefined: it may have some. */
  readonly isFlat?: boolean;
};

export function checkPropertyFile(bytes: Buffer, file: string, terms: Terms): CheckedPropertyFile {
  const source = decodeSource(bytes, file);
  if ('code' in source) return refused(source);
  const { text } = source;
  const quick = readYamlQuickly(text);
  const sound = isMapping(quick) ? soundProperty(quick, terms, undefined) : undefined;
  if (sound?.property) {
    const { property } = sound;
    const faults = [...sound.faults, ...findTextsBehindHash(text, terms.fields)];
    const document = faults.length > 0 ? openText(text, file) : undefined;
    const diagnostics = document ? faults.map((fault) => locateIssue(fault, file, document)) : [];
    return { property, readable: property, diagnostics, isFlat: true };
  }
  const document = readYamlExactly(text, file);
  const { diagnostics } = document;
  const value = diagnostics.length === 0 ? document.value : document.partialValue;
  if (!isMapping(value)) {
    return diagnostics.length === 0
      ? refused(notAMapping(document, file, text))
      : { property: undefined, readable: undefined, diagnostics };
  }
  if (SETTINGS.some((name) => Object.hasOwn(value, name)) && !Object.hasOwn(value, 'title'))
    return refused(createDiagnostic('misnamed-configuration', file, null, { right: 'yes' }));
  const { property, readable, faults } = checkMapping(value, terms, document.isPlain);
  const found = [
    ...diagnostics,
    ...[...faults, ...findTextsBehindHash(text, terms.fields)].map((fault) =>
      locateIssue(fault, file, document),
    ),
  ];
  const isSound = found.every(({ severity }) => severity === 'warning');
  return { property: isSound ? property : undefined, readable, diagnostics: found };
}

/** A file with one of these settings and without a title is a misplaced or renamed `catalogue.yaml`, not a property. */
const SETTINGS = ['base_url', 'page_sizes', 'cache_control'];

/** `property` is undefined if there is an error. Diagnostics have a path but no position. */
export type CheckedPropertyValues = CheckedPropertyFile & { readonly readable: PartialProperty };

/** Like {@link checkPropertyFile}, for values without a file. Every scalar must be a text or null. */
export function checkPropertyValues(value: Mapping, terms: Terms): CheckedPropertyValues {
  const sound = soundProperty(value, terms, undefined);
  const { property, readable, faults } = sound.property
    ? { ...sound, readable: sound.property }
    : checkInvalid(value, terms, undefined, sound.error);
  return { property, readable, diagnostics: faults.map(withoutPlace) };
}

/** Like {@link checkPropertyValues}, but finds no warnings and reads only `id` and `draft`, in a third of the time. */
export function checkPropertyForErrors(value: Mapping, { fields }: Terms) {
  const { error } = authoredSchemaOf(fields).safeParse(withoutNullValues(value));
  const { raw, faults } = error ? errorsOf(value, fields, error) : { raw: value, faults: [] };
  return {
    readable: partialPropertyOf(raw, fields, ['id', 'draft']),
    diagnostics: faults.map(withoutPlace),
  };
}

function withoutPlace({ code, path, key, args }: SchemaIssue): Diagnostic {
  return createDiagnostic(code, '', null, args, key === undefined ? path : [...path, key]);
}

export function parsePropertyFile(bytes: Buffer, file: string): DocumentWithSpans {
  const source = decodeSource(bytes, file);
  return openText('code' in source ? '' : source.text, file);
}

function openText(text: string, file: string): DocumentWithSpans {
  const ranges: TextRanges = new Map();
  const quick = readYamlQuickly(text, ranges);
  if (!isMapping(quick)) return readYamlExactly(text, file);
  const spanAt = createSpans(text);
  let exact: ExactDocument | undefined;
  const exactly = () => (exact ??= readYamlExactly(text, file));
  return {
    value: quick,
    spanOf(path) {
      const range = rangeAt(quick, ranges, path);
      return range ? spanAt(...range) : exactly().spanOf(path);
    },
    spanOfKey: (path, key) => exactly().spanOfKey(path, key),
  };
}

function rangeAt(value: Mapping, ranges: TextRanges, path: ValuePath): TextRange | undefined {
  const [first] = path;
  if (path.length === 1 && value[first as string] === undefined) return ranges.get(value)?.get('');
  let parent: unknown;
  let found: unknown = value;
  for (const step of path) {
    parent = found;
    found = (Object(parent) as Record<PropertyKey, unknown>)[step];
  }
  return typeof found === 'string' || found === null ? ranges.get(parent)?.get(path.at(-1)!) : undefined;
}

function refused(diagnostic: Diagnostic): CheckedPropertyFile {
  return { property: undefined, readable: undefined, diagnostics: [diagnostic] };
}

/** Matches a look-alike of a colon, or an unusual space after a colon: input methods and web pages produce both. */
const ODD_COLON = /^[ \t]*\w+[ \t]*(?:[：﹕︓]|:[\u00a0\u2000-\u200a\u202f\u3000])/m;
const ORDINARY_COLON =
  'The colon or the space behind the names looks like an ordinary one, and is not: type both again in each line.';

function notAMapping(document: ExactDocument, file: string, text: string): Diagnostic {
  if (document.value === null || document.value === undefined) {
    return createDiagnostic('empty-file', file, null, { comments: /(?:^|[ \t])#/m.test(text) ? 'yes' : '' });
  }
  const found = describeValue(document.value);
  const advice = ODD_COLON.test(text) ? ORDINARY_COLON : '';
  return createDiagnostic('not-a-mapping', file, document.spanOf([]), { found, advice });
}

type Sound =
  | { readonly property: AuthoredProperty; readonly faults: readonly SchemaIssue[] }
  | { readonly property?: undefined; readonly error: z.ZodError };

function soundProperty(value: Mapping, terms: Terms, isPlain: WarningInput['isPlain']): Sound {
  const raw = withoutNullValues(value);
  const { data: property, error } = authoredSchemaOf(terms.fields).safeParse(raw);
  if (error) return { error };
  const faults = findWarnings({ raw, property, ...terms, isPlain });
  if (!faults.some(({ code }) => code === 'repeated-facility')) return { property, faults };
  const facilities = withoutDuplicateWords(property.facilities, terms.vocabulary.facilities);
  return { property: { ...property, facilities }, faults };
}

type CheckedMapping = {
  readonly property: AuthoredProperty | undefined;
  readonly readable: PartialProperty;
  readonly faults: readonly SchemaIssue[];
};

function checkMapping(written: Mapping, terms: Terms, isPlain: WarningInput['isPlain']): CheckedMapping {
  const { fields } = terms;
  const value = isPlain ? nullWordsToNull(written, fields, isPlain) : written;
  const sound = soundProperty(value, terms, isPlain);
  return sound.property
    ? { ...sound, readable: sound.property }
    : checkInvalid(value, terms, isPlain, sound.error);
}

/** `before`: what the schema found when names were not yet checked. Reused if all names are known. */
function checkInvalid(
  value: Mapping,
  { fields, ...terms }: Terms,
  isPlain: WarningInput['isPlain'],
  before: z.ZodError,
): CheckedMapping {
  const { raw, faults } = errorsOf(value, fields, before);
  const readable = partialPropertyOf(raw, fields);
  const doubts = findWarnings({ raw, property: readable, fields, ...terms, isPlain });
  return { property: undefined, readable, faults: [...faults, ...doubts] };
}

function errorsOf(value: Mapping, fields: FieldTable, before: z.ZodError) {
  const named = checkFieldNames(value, fields);
  const raw = withoutNullValues(named.value);
  const schema = authoredSchemaOf(fields);
  const error = named.faults.length === 0 ? before : schema.safeParse(raw).error;
  return {
    raw,
    faults: [...named.faults, ...(error ? schemaIssues(error, named.value, schema, fields) : [])],
  };
}

/**
 * In declared fields, translations and descriptions of photos, an unquoted null word, such as `~`, means no value.
 * Elsewhere it is text.
 */
function nullWordsToNull(value: Mapping, fields: FieldTable, isPlain: ExactDocument['isPlain']): Mapping {
  const without = (mapping: Mapping, list: string, path: ValuePath): Mapping => {
    const names = Object.keys(mapping).filter((name) => {
      const field = fieldsIn(fields, list).get(name);
      const mayBeNull =
        field && ('declared' in field || field.language || `${list}.${name}` === 'photo.description');
      const text = mapping[name];
      return mayBeNull && typeof text === 'string' && isNullWord(text) && isPlain([...path, name]);
    });
    return names.length === 0
      ? mapping
      : { ...mapping, ...Object.fromEntries(names.map((name) => [name, null])) };
  };
  const lists = ENTRY_LIST_FIELDS.flatMap((list) => {
    const entries = value[list];
    const item = (entry: unknown, index: number) =>
      isMapping(entry) ? without(entry, list, [list, index]) : entry;
    return Array.isArray(entries) ? [[list, entries.map(item)] as const] : [];
  });
  return { ...without(value, '', []), ...Object.fromEntries(lists) };
}

function withoutNullValues(value: Mapping): Mapping {
  if (!hasNull(value, true)) return value;
  const full = Object.entries(dropNulls(value));
  return Object.fromEntries(
    full.map(([key, entry]) => [
      key,
      Array.isArray(entry) ? entry.map((item) => (isMapping(item) ? dropNulls(item) : item)) : entry,
    ]),
  );
}

function dropNulls(value: Mapping): Mapping {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

function hasNull(value: Mapping, deep = false): boolean {
  for (const key in value) {
    const entry = value[key];
    if (entry === null) return true;
    if (deep && Array.isArray(entry) && entry.some((item) => isMapping(item) && hasNull(item))) return true;
  }
  return false;
}

export function guessId(text: string): string | undefined {
  return /^["']?id["']?:[ \t]*["']?([0-9a-f-]{36})/im.exec(text)?.[1]?.toLowerCase();
}
