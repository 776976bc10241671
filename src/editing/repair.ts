import { ENTRY_LIST_FIELDS, type FieldTable } from '../contract/fields.ts';
import { fieldsIn, type Terms } from '../contract/terms.ts';
import { findFieldBySynonym } from '../source/field-synonym.ts';
import { readYamlQuickly } from '../source/simple-yaml.ts';
import { type ExactDocument, readYamlExactly } from '../source/yaml-document.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import type { AuthoredValue, FieldValues } from './field-values.ts';
import type { Refusal } from './refusal.ts';
import { type Renaming, renameKeys, setFields } from './set-fields.ts';
import { withoutTabIndentation } from './tab-indentation.ts';
import { needsNewId, type ValueRepair, valueRepairsOf, withValueRepairs } from './value-repair.ts';

export type Repair = ValueRepair & {
  /** Position of the value before any repair, counted from 1. Columns are UTF-16 units. */
  readonly line: number;
  readonly column: number;
};

/** `reason`: why the text stays as it was, and what to do. */
type RefusedRepair = Repair & { readonly reason: string };

export type RepairedText = {
  readonly text: string;
  readonly repairs: readonly Repair[];
  readonly refused: readonly RefusedRepair[];
};

/**
 * Repairs values and field names that can mean only one thing, replaces tabs in indentation, and adds a missing id.
 * Undefined if the text is unreadable or needs no repair.
 */
export function repairText(text: string, terms: Terms): RepairedText | undefined {
  const quick = readYamlQuickly(text);
  if (
    quick !== undefined &&
    valueRepairsOf(quick, terms).length + renamesOf(quick, terms.fields).length === 0
  )
    return undefined;
  const exact = readYamlExactly(text, '');
  if (exact.diagnostics.length === 0) return repairDocument(text, exact, terms);
  const indented = withoutTabIndentation(text);
  if (!indented) return undefined;
  const again = readYamlExactly(indented.text, '');
  if (again.diagnostics.length > 0) return undefined;
  const repairs = indented.changes.map((change) => ({ ...change, path: [], column: 1 }));
  const repaired = repairDocument(indented.text, again, terms);
  return {
    text: repaired?.text ?? indented.text,
    repairs: [...repairs, ...(repaired?.repairs ?? [])],
    refused: repaired?.refused ?? [],
  };
}

/** Repairs values that are not from a file. Every scalar must be a text or null. A missing id stays missing. */
export function repairValues(
  values: Mapping,
  terms: Terms,
): { readonly values: Mapping; readonly changes: readonly ValueRepair[] } {
  const isMade = needsNewId(values, terms.fields);
  const changes = valueRepairsOf(values, terms).filter(({ path: [field] }) => field !== 'id' || !isMade);
  return { values: withValueRepairs(values, changes), changes };
}

function repairDocument(text: string, exact: ExactDocument, terms: Terms): RepairedText | undefined {
  const named = withNames(text, exact, terms.fields);
  const read = named.text === text ? exact : readYamlExactly(named.text, '');
  const valued = withValues(named.text, read, terms);
  const repairs = [...named.repairs, ...valued.repairs];
  const refused = [...named.refused, ...valued.refused];
  return repairs.length + refused.length === 0 ? undefined : { text: valued.text, repairs, refused };
}

/** Corrects the names of translations (`Title@fr`) and of declared fields. */
function renamesOf(value: unknown, fields: FieldTable): Renaming[] {
  if (!isMapping(value)) return [];
  const lists = ENTRY_LIST_FIELDS.flatMap((list) => {
    const entries = value[list];
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry: unknown, index) =>
      isMapping(entry) ? namesIn(entry, list, [list, index], fields) : [],
    );
  });
  return [...namesIn(value, '', [], fields), ...lists];
}

function namesIn(
  mapping: Mapping,
  list: string,
  path: readonly (string | number)[],
  fields: FieldTable,
): Renaming[] {
  const known = fieldsIn(fields, list);
  const found = Object.keys(mapping).flatMap((key) => {
    const to = known.has(key) ? undefined : findFieldBySynonym(key, list, fields);
    const isOwn = to !== undefined && (fields.attributes.has(to) || to.includes('@') || key.includes('@'));
    return isOwn && (list === '' || to.includes('@') || key.includes('@')) && !Object.hasOwn(mapping, to)
      ? [{ path: [...path, key], to }]
      : [];
  });
  // If two names mean one field, a person has to decide.
  return found.filter(({ to }) => found.filter((other) => other.to === to).length === 1);
}

function withNames(text: string, exact: ExactDocument, fields: FieldTable): RepairedText {
  const renames = renamesOf(exact.value, fields);
  const done = changedWhereSafe(text, renames, (before, some) => renameKeys(before, some));
  const repairs = renames.map((rename) => {
    const { path, to } = rename;
    const { line, column } = exact.spanOfKey(path.slice(0, -1), String(path.at(-1)));
    return { path, line, column, from: String(path.at(-1)), to, refusal: done.refusals.get(rename) };
  });
  return { text: done.text, ...divided(repairs) };
}

function withValues(text: string, exact: ExactDocument, terms: Terms): RepairedText {
  const changes = valueRepairsOf(exact.value, terms);
  const values = withValueRepairs(exact.value as Mapping, changes);
  const fields = [...new Set(changes.map(({ path: [field] }) => String(field)))];
  const done = changedWhereSafe(text, fields, (before, names) => {
    const wanted = names.map((name) => [name, values[name] as AuthoredValue]);
    return setFields(before, Object.fromEntries(wanted) as FieldValues, terms.fields);
  });
  const repairs = changes.map(({ path, from, to }) => {
    const { line, column } = exact.spanOf(path);
    return { path, line, column, from, to, refusal: done.refusals.get(String(path[0])) };
  });
  return { text: done.text, ...divided(repairs) };
}

/** Applies all changes at once, since each call parses the text; if that is refused, applies them one by one. */
function changedWhereSafe<Change>(
  text: string,
  changes: readonly Change[],
  apply: (text: string, changes: readonly Change[]) => ReturnType<typeof setFields>,
) {
  const refusals = new Map<Change, Refusal>();
  if (changes.length === 0) return { text, refusals };
  const all = apply(text, changes);
  if ('text' in all) return { text: all.text, refusals };
  let changed = text;
  for (const change of changes) {
    const one = apply(changed, [change]);
    if ('text' in one) changed = one.text;
    else refusals.set(change, one);
  }
  return { text: changed, refusals };
}

function divided(all: readonly (Repair & { readonly refusal: Refusal | undefined })[]) {
  const repairs: Repair[] = [];
  const refused: RefusedRepair[] = [];
  for (const { refusal, ...repair } of all) {
    if (!refusal) repairs.push(repair);
    else refused.push({ ...repair, reason: refusal.message });
  }
  return { repairs, refused };
}
