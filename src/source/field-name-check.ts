import { isValidValue } from '../contract/declared-field-values.ts';
import { ENTRY_LIST_FIELDS, type FieldTable, type FieldType } from '../contract/fields.ts';
import { fieldsIn } from '../contract/terms.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import type { DiagnosticArgs } from './diagnostic-codes.ts';
import { nearestWord } from './did-you-mean.ts';
import {
  findFieldBySynonym,
  findKnownFieldBySynonym,
  findPolicyBySynonym,
  snakeCase,
} from './field-synonym.ts';
import { fieldPathText, type SchemaIssue } from './schema-issues.ts';
import { UNREADABLE, type ValuePath } from './yaml-document.ts';

const MAX_COMPARED = 50;

export type CheckedFieldNames = { readonly value: Mapping; readonly faults: readonly SchemaIssue[] };

/** If an unknown name is a likely typo of a field, that field counts as present but unreadable, not as missing. */
export function checkFieldNames(value: Mapping, fields: FieldTable): CheckedFieldNames {
  const faults: SchemaIssue[] = [];
  const named = judgeMapping(value, { list: '', path: [], table: fields }, faults);
  for (const list of ENTRY_LIST_FIELDS) {
    const entries = named[list];
    if (!Array.isArray(entries)) continue;
    named[list] = entries.map((entry, index) =>
      isMapping(entry) ? judgeMapping(entry, { list, path: [list, index], table: fields }, faults) : entry,
    );
  }
  return { value: named, faults };
}

type Where = { readonly list: string; readonly path: ValuePath; readonly table: FieldTable };

function judgeMapping(value: Mapping, where: Where, faults: SchemaIssue[]): Record<string, unknown> {
  const { list, path, table } = where;
  const fields = [...fieldsIn(table, list).keys()];
  const named: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    if (fields.includes(key)) named[key] = value[key];
    else unknown.push(key);
  }
  const absent = new Set(fields.filter((field) => named[field] === undefined || named[field] === null));
  for (const key of unknown) {
    if (key === MERGE_KEY) {
      faults.push({ code: 'merge-key', path, key, args: {} });
      for (const field of keysIn(value[key])) if (absent.delete(field)) named[field] = UNREADABLE;
      continue;
    }
    const meant = meaningOf(key, value[key], where, absent, faults.length);
    faults.push({
      code: 'unknown-key',
      path,
      key,
      args: { key, known: fields.join(', '), within: fieldPathText(path), ...meant },
    });
    const { suggestion } = meant;
    if (suggestion === undefined || !absent.delete(String(suggestion))) continue;
    named[String(suggestion)] = UNREADABLE;
  }
  return named;
}

const MERGE_KEY = '<<';

function keysIn(value: unknown): string[] {
  return [value].flat().flatMap((one) => (isMapping(one) ? Object.keys(one) : []));
}

function meaningOf(
  key: string,
  value: unknown,
  { list, table }: Where,
  absent: ReadonlySet<string>,
  count: number,
): DiagnosticArgs {
  const field = findFieldBySynonym(key, list, table);
  if (field !== undefined) return absent.has(field) ? { suggestion: field } : { present: field };
  const [base = '', language] = key.split('@');
  const known = list === '' ? findKnownFieldBySynonym(base, table) : undefined;
  if (known !== undefined && known === snakeCase(base)) return { declare: `${known}: {}` };
  const policy = list === '' ? findPolicyBySynonym(key) : undefined;
  if (policy !== undefined) return { policy };
  if (known !== undefined) return { declare: `${known}: {}`, meant: known };
  if (language !== undefined && fieldsIn(table, list).get(base)?.translate)
    return languageArgs(base, language, table);
  const near = count < MAX_COMPARED ? nearestWord(key, absent) : undefined;
  if (near !== undefined) return { suggestion: near };
  return list === '' && FIELD_NAME_PATTERN.test(key)
    ? { declare: `${key}: { type: ${typeOf(value)} }`, own: 'yes' }
    : {};
}

export const FIELD_NAME_PATTERN = /^[a-z][a-z0-9_]{0,39}$/;

function languageArgs(base: string, language: string, { languages }: FieldTable): DiagnosticArgs {
  const [, ...others] = languages;
  const [primary] = language.toLowerCase().split('-');
  const near = others.find((tag) => tag.split('-')[0] === primary) ?? nearestWord(language, others);
  return near === undefined ? { language } : { language, suggestion: `${base}@${near}` };
}

function typeOf(value: unknown): FieldType {
  if (Array.isArray(value)) return 'text';
  const text = String(value ?? '');
  if (text.includes('\n')) return 'lines';
  return GUESSED.find((type) => isValidValue(type, text)) ?? 'text';
}

const GUESSED = ['boolean', 'integer', 'decimal', 'date', 'time', 'link'] as const;
