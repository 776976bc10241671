/** The names of the fields in a file: which are unknown, and which field each of those means. */
import { entryFields, FIELD_NAMES, LIST_FIELDS } from '../contract/fields.ts';
import { isMapping, type Mapping } from '../mapping.ts';
import type { DiagnosticArgs } from './codes.ts';
import { nearest } from './did-you-mean.ts';
import { placeName, type SchemaIssue } from './schema-issues.ts';
import { fieldMeantBy, policyMeantBy, snakeCase } from './synonym.ts';
import { UNREAD, type ValuePath } from './yaml-document.ts';

/** Names that are compared with all others; suggestions for more of them would not help. */
const MAX_COMPARED = 50;

/** A value with nothing but known fields, and what is wrong with the names of the others. */
export type NamedValue = { readonly value: Mapping; readonly faults: readonly SchemaIssue[] };

/**
 * Takes out the unknown fields. The field that such a name means counts as one that cannot be read: it is there,
 * so it is not missing.
 */
export function judgeNames(value: Mapping): NamedValue {
  const faults: SchemaIssue[] = [];
  const named = judgeMapping(value, '', [], faults);
  for (const list of LIST_FIELDS) {
    const entries = named[list];
    if (!Array.isArray(entries)) continue;
    named[list] = entries.map((entry, index) =>
      isMapping(entry) ? judgeMapping(entry, list, [list, index], faults) : entry,
    );
  }
  return { value: named, faults };
}

function judgeMapping(
  value: Mapping,
  list: string,
  path: ValuePath,
  faults: SchemaIssue[],
): Record<string, unknown> {
  const fields: readonly string[] = list === '' ? FIELD_NAMES : [...entryFields(list).keys()];
  const named: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    if (fields.includes(key)) named[key] = value[key];
    else unknown.push(key);
  }
  const absent = new Set(fields.filter((field) => named[field] === undefined || named[field] === null));
  for (const key of unknown) {
    const meant = meaningOf(key, list, fields, absent, faults.length);
    faults.push({
      code: 'unknown-key',
      path,
      key,
      args: { key, known: fields.join(', '), within: placeName(path), ...meant },
    });
    const { suggestion } = meant;
    if (suggestion === undefined || !absent.delete(String(suggestion))) continue;
    named[String(suggestion)] = UNREAD;
  }
  return named;
}

/** What a message says of the meaning of a name. */
function meaningOf(
  key: string,
  list: string,
  fields: readonly string[],
  absent: ReadonlySet<string>,
  count: number,
): DiagnosticArgs {
  const same = snakeCase(key);
  const field = fields.includes(same) ? same : fieldMeantBy(key, list);
  if (field !== undefined) return absent.has(field) ? { suggestion: field } : { present: field };
  const policy = list === '' ? policyMeantBy(key) : undefined;
  if (policy !== undefined) return { policy };
  const near = count < MAX_COMPARED ? nearest(key, absent) : undefined;
  return near === undefined ? {} : { suggestion: near };
}
