/** Checks field names, and maps unknown ones to the field they mean. */
import { entryFields, FIELD_NAMES, LIST_FIELDS } from '../contract/fields.ts';
import { isMapping, type Mapping } from '../mapping.ts';
import type { DiagnosticArgs } from './codes.ts';
import { nearest } from './did-you-mean.ts';
import { placeName, type SchemaIssue } from './schema-issues.ts';
import { fieldMeantBy, policyMeantBy, snakeCase } from './synonym.ts';
import { UNREAD, type ValuePath } from './yaml-document.ts';

/** Largest number of names compared with all fields; suggestions beyond that help nobody. */
const MAX_COMPARED = 50;

/** A mapping of known fields only, and the issues of the other names. */
export type NamedValue = { readonly value: Mapping; readonly faults: readonly SchemaIssue[] };

/**
 * Drops unknown fields. A field that an unknown name means counts as present but unreadable, so it is not reported
 * missing.
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
    if (key === MERGE_KEY) {
      faults.push({ code: 'merge-key', path, key, args: {} });
      for (const field of keysIn(value[key])) if (absent.delete(field)) named[field] = UNREAD;
      continue;
    }
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

/** Takes the fields of another mapping in YAML 1.1. */
const MERGE_KEY = '<<';

/** Lists the keys of a mapping, or of those in a list. */
function keysIn(value: unknown): string[] {
  return [value].flat().flatMap((one) => (isMapping(one) ? Object.keys(one) : []));
}

/** Returns message arguments about the field that a name means. */
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
