/** Repairs of a property file that change nothing but the slip, where only one meaning is possible. */
import { randomUUID } from 'node:crypto';
import { entryFields, FIELD_NAMES } from '../contract/fields.ts';
import { METHOD_TYPES } from '../contract/method-types.ts';
import { COUNTRIES, CURRENCIES } from '../contract/tables.ts';
import { toNfc } from '../contract/unicode.ts';
import type { Vocabulary } from '../contract/vocabulary.ts';
import { isMapping, type Mapping } from '../mapping.ts';
import { CORRECTIONS } from '../source/correction.ts';
import { surelyMeant } from '../source/did-you-mean.ts';
import { readQuickly } from '../source/simple-yaml.ts';
import { fieldMeantBy } from '../source/synonym.ts';
import { meantBy } from '../source/vocabulary-word.ts';
import { type ExactDocument, readExactly } from '../source/yaml-document.ts';
import { editText, setEach } from './edit/edit-text.ts';
import { withoutTabs } from './indentation.ts';

/** One repaired value. */
export type Repair = {
  /** Where it is, such as `photo.0.description`: fields, and places in lists from 0. */
  readonly path: readonly (string | number)[];
  /** Line and column of the value before any repair, from 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly from: string;
  readonly to: string;
};

/** A file with its repairs made. */
export type Repaired = { readonly text: string; readonly repairs: readonly Repair[] };

type Change = Pick<Repair, 'path' | 'from' | 'to'>;

/**
 * Repairs the text of a file: tabs in indentations, white space at the ends of texts, letters that are not in Unicode
 * NFC, UUIDs in upper case, codes of countries and currencies in lower case, slips in words of a vocabulary, and
 * values that can only be meant one way (`53,27`, `9.04 W`, `yes`, `00353...`). A missing id gets a fresh one. Comments
 * stay.
 *
 * @returns undefined when there is nothing to repair, or the text cannot be read.
 */
export function repairText(text: string, vocabulary: Vocabulary): Repaired | undefined {
  const quick = readQuickly(text);
  if (quick !== undefined && changesOf(quick, vocabulary).length === 0) return undefined;
  const exact = readExactly(text, '');
  if (exact.diagnostics.length === 0) return repairValues(text, exact, vocabulary);
  const indented = withoutTabs(text);
  if (!indented) return undefined;
  const again = readExactly(indented.text, '');
  if (again.diagnostics.length > 0) return undefined;
  const repairs = indented.changes.map((change) => ({ ...change, path: [], column: 1 }));
  const repaired = repairValues(indented.text, again, vocabulary);
  return { text: repaired?.text ?? indented.text, repairs: [...repairs, ...(repaired?.repairs ?? [])] };
}

/** Repairs the values of a text without errors; those that something else depends on stay. */
function repairValues(text: string, exact: ExactDocument, vocabulary: Vocabulary): Repaired | undefined {
  const changes = changesOf(exact.value, vocabulary);
  if (changes.length === 0) return undefined;
  const editOf = ({ path, to: value }: Change) => ({ kind: 'set' as const, path, value });
  const fresh = changes.filter(({ path: [field] }) => field === 'id');
  const identified = editText(text, fresh.map(editOf));
  const isIdentified = !('refused' in identified);
  const rest = changes.filter((change) => !fresh.includes(change));
  const { text: repaired, made } = setEach(isIdentified ? identified.text : text, rest.map(editOf));
  const isMade = ({ path }: Change) => made.some((edit) => edit.path === path);
  const repairs = changes
    .filter((change) => (fresh.includes(change) ? isIdentified : isMade(change)))
    .map(({ path, from, to }) => {
      const { line, column } = exact.spanOf(path);
      return { path, line, column, from, to };
    });
  return repairs.length === 0 ? undefined : { text: repaired, repairs };
}

/** What is to change in a file's value. Every scalar is a text there. */
function changesOf(value: unknown, vocabulary: Vocabulary): Change[] {
  if (!isMapping(value)) return [];
  const changes: Change[] = [];
  if (isWithoutId(value)) changes.push({ path: ['id'], from: '', to: randomUUID() });
  const add = (path: (string | number)[], from: unknown, fix: (text: string) => string = same) => {
    if (typeof from !== 'string') return;
    const to = fix(toNfc(from.trim()));
    // The end of a block of lines (`|`) is no slip.
    if (to !== '' && to !== from && to !== from.replace(/\n$/, '')) changes.push({ path, from, to });
  };
  for (const field of FIELD_NAMES) {
    const found = value[field];
    if (!Array.isArray(found)) {
      add([field], found, FIXES[field]);
      continue;
    }
    found.forEach((entry: unknown, index) => {
      const path = [field, index];
      if (field === 'facilities') {
        add(path, entry, (text) => orText(meantBy(text, vocabulary.facilities), text, found));
      }
      if (typeof entry !== 'object' || entry === null) return;
      for (const key of entryFields(field).keys()) {
        add([...path, key], (entry as Record<string, unknown>)[key], fixOf(key, vocabulary));
      }
    });
  }
  return changes;
}

const same = (text: string) => text;

/** Whether a property has no id, nor a field that may have been meant to be one. */
function isWithoutId(value: Mapping): boolean {
  const { id } = value;
  if (id !== undefined && id !== null && id !== '') return false;
  // What is no property needs none.
  if (!FIELD_NAMES.some((field) => field !== 'id' && Object.hasOwn(value, field))) return false;
  return Object.keys(value).every((key) => key === 'id' || fieldMeantBy(key, '') !== 'id');
}

const FIXES: Readonly<Record<string, (text: string) => string>> = {
  id: (text) => (/^[\da-f-]{36}$/i.test(text) ? text.toLowerCase() : text),
  country: (text) => codeIn(text, COUNTRIES),
  currency: (text) => codeIn(text, CURRENCIES),
  ...Object.fromEntries(
    Object.entries(CORRECTIONS).map(([field, correct]) => [field, (text: string) => correct(text) ?? text]),
  ),
};

function fixOf(key: string, { policy_types }: Vocabulary): ((text: string) => string) | undefined {
  if (key === 'policy_type') return (text) => orText(meantBy(text, policy_types), text);
  if (key === 'method_type') return (text) => orText(surelyMeant(text, METHOD_TYPES), text);
  return key === 'id' || key === 'is_enabled' ? FIXES[key] : undefined;
}

/** The code in upper case, where that is one. */
function codeIn(text: string, table: Readonly<Record<string, string>>): string {
  const upper = text.toUpperCase();
  return Object.hasOwn(table, upper) ? upper : text;
}

/** The word that was surely meant, if there is one; the text as it is where the list has that word already. */
function orText(word: string | undefined, text: string, present: readonly unknown[] = []): string {
  return word !== undefined && !present.includes(word) ? word : text;
}
