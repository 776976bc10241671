/** Repairs of a property file that change nothing but the slip: what is meant is beyond doubt. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isScalar, type Range } from 'yaml';
import { entryFields, FIELD_NAMES, UNQUOTED_NAMES } from '../contract/fields.ts';
import { METHOD_TYPES } from '../contract/method-types.ts';
import { COUNTRIES, CURRENCIES } from '../contract/tables.ts';
import { toNfc } from '../contract/unicode.ts';
import type { Vocabulary } from '../contract/vocabulary.ts';
import { parseWithinBounds } from '../source/bounded-yaml.ts';
import { CORRECTIONS } from '../source/correction.ts';
import { createSpans } from '../source/diagnostic.ts';
import { surelyMeant } from '../source/did-you-mean.ts';
import { readQuickly } from '../source/simple-yaml.ts';
import { fieldMeantBy } from '../source/synonym.ts';
import { meantBy } from '../source/vocabulary-word.ts';
import { type ExactDocument, readExactly } from '../source/yaml-document.ts';
import { withoutTabs } from './indentation.ts';
import { scalarText } from './scalar.ts';
import { commentsOf } from './yaml-rows.ts';

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
type Edit = { readonly start: number; readonly end: number; readonly text: string };

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

/** Repairs the values of a text without errors. */
function repairValues(text: string, exact: ExactDocument, vocabulary: Vocabulary): Repaired | undefined {
  const changes = changesOf(exact.value, vocabulary);
  if (changes.length === 0) return undefined;
  const { document } = parseWithinBounds(text);
  const spanAt = createSpans(text);
  const repairs: Repair[] = [];
  const edits: Edit[] = [];
  for (const { path, from, to } of changes) {
    const edit = editOf(path, to, text, document);
    if (!edit) continue;
    const { line, column } = spanAt(edit.start, edit.end);
    repairs.push({ path, line, column, from, to });
    edits.push(edit);
  }
  if (repairs.length === 0) return undefined;
  let repaired = text;
  for (const { start, end, text: to } of edits.sort((a, b) => b.start - a.start)) {
    repaired = repaired.slice(0, start) + to + repaired.slice(end);
  }
  return isAsMeant(text, repaired, repairs) ? { text: repaired, repairs } : undefined;
}

/** Whether the repairs, and nothing else, tell two texts apart. */
function isAsMeant(before: string, after: string, repairs: readonly Repair[]): boolean {
  const expected = parseWithinBounds(before).document;
  for (const { path, to } of repairs) expected.setIn(path, to);
  const { document } = parseWithinBounds(after);
  const texts = (text: string) => commentsOf(text).map(({ source }) => source);
  return (
    document.errors.length === 0 &&
    isDeepStrictEqual(document.toJS(), expected.toJS()) &&
    isDeepStrictEqual(texts(before), texts(after))
  );
}

/** What to write of a value, and in place of what; undefined for what is no scalar. */
function editOf(path: Repair['path'], to: string, text: string, document: Document): Edit | undefined {
  const place = { number: UNQUOTED_NAMES.has(String(path.at(-1))), flow: isInFlow(path, document) };
  const written = scalarText(to, place);
  const scalar = document.getIn(path, true);
  if (scalar === undefined) return insertionOf(path, written, text, document);
  if (!isScalar(scalar)) return undefined;
  const [start, end] = (scalar.range ?? [0, 0]) as Range;
  // The place of an empty value may be behind a comment.
  if (start === end) {
    const colon = text.lastIndexOf(':', start) + 1;
    return text.slice(colon, start).trim() === ''
      ? { start: colon, end: colon, text: ` ${written}` }
      : undefined;
  }
  if (scalar.type !== 'BLOCK_FOLDED' && scalar.type !== 'BLOCK_LITERAL') return { start, end, text: written };
  // The line end of a block is part of it.
  const lineEnd = /\r?\n$/.exec(text.slice(start, end))?.[0] ?? '';
  return { start, end, text: written + lineEnd };
}

function isInFlow(path: Repair['path'], document: Document): boolean {
  const holder = (path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)) as {
    flow?: boolean;
  } | null;
  return holder?.flow === true;
}

/** A field that is missing goes above the first one. */
function insertionOf(
  path: Repair['path'],
  written: string,
  text: string,
  document: Document,
): Edit | undefined {
  const first = isMap(document.contents) ? document.contents.items[0]?.key : undefined;
  if (path.length !== 1 || isInFlow(path, document) || !isScalar(first) || !first.range) return undefined;
  const [start] = first.range;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return { start, end: start, text: `${String(path[0])}: ${written}${lineEnd}` };
}

/** What is to change in a file's value, every scalar of which is a text. */
function changesOf(value: unknown, vocabulary: Vocabulary): Change[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const changes: Change[] = [];
  if (isWithoutId(value as Record<string, unknown>))
    changes.push({ path: ['id'], from: '', to: randomUUID() });
  const add = (path: (string | number)[], from: unknown, fix: (text: string) => string = same) => {
    if (typeof from !== 'string') return;
    const to = fix(toNfc(from.trim()));
    // The end of a block of lines (`|`) is no slip.
    if (to !== '' && to !== from && to !== from.replace(/\n$/, '')) changes.push({ path, from, to });
  };
  for (const field of FIELD_NAMES) {
    const found = (value as Record<string, unknown>)[field];
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
function isWithoutId(value: Record<string, unknown>): boolean {
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
