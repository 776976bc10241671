import { randomUUID } from 'node:crypto';
import { ENTRY_LIST_FIELDS, FIELD_NAMES, type FieldTable } from '../contract/fields.ts';
import { PAYMENT_METHOD_TYPES } from '../contract/payment-method-types.ts';
import { fieldsIn, type Terms } from '../contract/terms.ts';
import { toNfc } from '../contract/unicode.ts';
import type { Vocabulary } from '../contract/vocabulary.ts';
import { type Corrector, correctorFor } from '../source/correction.ts';
import { repairedText } from '../source/damaged-text.ts';
import { certainMatch } from '../source/did-you-mean.ts';
import { isNullWord } from '../source/null-word.ts';
import { readYamlQuickly } from '../source/simple-yaml.ts';
import { findFieldBySynonym } from '../source/synonym.ts';
import { type TextKind, textKindOf } from '../source/text-kind.ts';
import { correctedWord } from '../source/vocabulary-word.ts';
import { type ExactDocument, readYamlExactly } from '../source/yaml-document.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import { memoizeByObject } from '../values/memoize.ts';
import type { AuthoredValue, FieldValues } from './field-values.ts';
import { withoutTabIndentation } from './indentation.ts';
import type { Refusal } from './refusal.ts';
import { type Renaming, renameKeys, setFields } from './set-fields.ts';

export type Repair = {
  readonly path: readonly (string | number)[];
  /** Position of the value before any repair, counted from 1. Columns are UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly from: string;
  readonly to: string;
};

/** `reason`: why the text stays as it was, and what to do. */
type RefusedRepair = Repair & { readonly reason: string };

export type RepairedText = {
  readonly text: string;
  readonly repairs: readonly Repair[];
  readonly refused: readonly RefusedRepair[];
};

export type ValueChange = Pick<Repair, 'path' | 'from' | 'to'>;

/** Repairs values that can mean only one thing, and adds a missing id. Undefined if unreadable or nothing needs it. */
export function repairText(text: string, terms: Terms): RepairedText | undefined {
  const quick = readYamlQuickly(text);
  if (quick !== undefined && changesOf(quick, terms).length + renamesOf(quick, terms.fields).length === 0)
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
): { readonly values: Mapping; readonly changes: readonly ValueChange[] } {
  const isMade = isWithoutId(values, terms.fields);
  const changes = changesOf(values, terms).filter(({ path: [field] }) => field !== 'id' || !isMade);
  return { values: withChanges(values, changes), changes };
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
  const changes = changesOf(exact.value, terms);
  const values = withChanges(exact.value as Mapping, changes);
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

function withChanges(values: Mapping, changes: readonly ValueChange[]): Mapping {
  if (changes.length === 0) return values;
  const changed: Record<string, unknown> = { ...values };
  const change = (value: unknown, [step, ...rest]: ValueChange['path'], to: string): unknown => {
    if (step === undefined) return to;
    if (Array.isArray(value)) return value.with(step as number, change(value[step as number], rest, to));
    return { ...(value as Mapping), [step]: change((value as Mapping)[step], rest, to) };
  };
  for (const { path, to } of changes) {
    const [field = '', ...rest] = path;
    changed[field] = change(changed[field], rest, to);
  }
  return changed;
}

type FieldRepair = { readonly fix: Corrector | undefined; readonly kind: TextKind | undefined };
type FieldRepairs = ReadonlyMap<string, FieldRepair & { readonly entries: ReadonlyMap<string, FieldRepair> }>;

/** Cached, because importing a table calls this for every row. */
const fieldRepairsOf = memoizeByObject((terms: Terms): FieldRepairs => {
  const { fields, vocabulary } = terms;
  return new Map(
    [...fields.all].map(([field, entry]) => {
      const entries = [...fieldsIn(fields, field).keys()].map((key) => {
        const repair = { fix: fixOf(key, vocabulary), kind: textKindOf(fields, key, field) };
        return [key, repair] as const;
      });
      const fix = field === 'id' ? uuidMeant : correctorFor(field, entry);
      return [field, { fix, kind: textKindOf(fields, field), entries: new Map(entries) }];
    }),
  );
});

function changesOf(value: unknown, terms: Terms): ValueChange[] {
  if (!isMapping(value)) return [];
  const { fields, vocabulary } = terms;
  const changes: ValueChange[] = [];
  if (isWithoutId(value, fields))
    changes.push({ path: ['id'], from: String(value.id ?? ''), to: randomUUID() });
  const add = (path: ValueChange['path'], from: unknown, repair: FieldRepair) => {
    const to = typeof from === 'string' ? meant(from, repair, value) : undefined;
    if (to !== undefined) changes.push({ path, from: from as string, to });
    return to;
  };
  for (const [field, repair] of fieldRepairsOf(terms)) {
    const found = value[field];
    if (field === 'id' && changes.length > 0) continue;
    if (!Array.isArray(found)) {
      if (typeof found === 'string') add([field], found, repair);
      continue;
    }
    const present: unknown[] = [...found];
    const { kind } = repair;
    const fixWord: Corrector = (text) => {
      const word = correctedWord(text, vocabulary.facilities);
      return present.includes(word) ? undefined : word;
    };
    found.forEach((item: unknown, index) => {
      if (field === 'facilities') present.push(add([field, index], item, { kind, fix: fixWord }));
      else if (fields.all.get(field)!.declared) add([field, index], item, repair);
      if (typeof item !== 'object' || item === null) return;
      for (const [key, inner] of repair.entries) {
        const text = (item as Record<string, unknown>)[key];
        if (typeof text === 'string') add([field, index, key], text, inner);
      }
    });
  }
  return changes;
}

/** Matches undamaged ASCII texts (the usual case), which only the field's own `fix` can change. */
const SOUND = /^[!-%'-;=-~](?:[ -%'-;=-~]*[!-%'-;=-~])?$/;

function meant(from: string, { fix, kind }: FieldRepair, property: Mapping): string | undefined {
  const text = SOUND.test(from) ? from : repaired(toNfc(withoutEnds(from)), kind);
  const to = fix?.(text, property) ?? text;
  return to === '' || to === from || to === from.replace(/\n$/, '') ? undefined : to;
}

function repaired(text: string, kind: TextKind | undefined): string {
  return (kind && repairedText(text, kind)) ?? text;
}

const BIDI = /\p{Bidi_Control}/u;
const START = /^[\s\p{Bidi_Control}]+/u;
/** The lookbehind keeps the time linear. */
const END = /(?<![\s\p{Bidi_Control}])[\s\p{Bidi_Control}]+$/u;

/** Trims white space and directional marks. If there are directional marks within the text, trims only white space. */
function withoutEnds(text: string): string {
  if (!BIDI.test(text)) return text.trim();
  const inner = text.replace(START, '').replace(END, '');
  return BIDI.test(inner) ? text.trim() : inner;
}

function isWithoutId(value: Mapping, fields: FieldTable): boolean {
  const id = String(value.id ?? '');
  if (id !== '' && !isNullWord(id) && !NO_ID.test(uuidMeant(id))) return false;
  // A file that is not a property needs no id.
  if (!FIELD_NAMES.some((field) => field !== 'id' && Object.hasOwn(value, field))) return false;
  return Object.keys(value).every((key) => key === 'id' || findFieldBySynonym(key, '', fields) !== 'id');
}

const NO_ID = /^(?:0{8}(?:-0{4}){3}-0{12}|f{8}(?:-f{4}){3}-f{12})$/;

/** Corrects a UUID in capitals, in braces or parentheses, as a URN (RFC 9562, 4) or without hyphens. */
function uuidMeant(text: string): string {
  const [, digits] = /^(?:urn:uuid:)?[{(]?([\da-f]{32}|[\da-f-]{36})[)}]?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return text;
  const lower = digits.toLowerCase();
  return lower.length === 32 ? lower.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : lower;
}

function fixOf(key: string, { policy_types }: Vocabulary): Corrector | undefined {
  if (key === 'policy_type') return (text) => correctedWord(text, policy_types);
  if (key === 'method_type') return (text) => certainMatch(text, PAYMENT_METHOD_TYPES);
  return key === 'id' ? uuidMeant : correctorFor(key, undefined);
}
