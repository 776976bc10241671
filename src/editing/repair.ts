/** Repairs of a property file that change nothing but the slip: what is meant is beyond doubt. */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isScalar, type Range, type Scalar } from 'yaml';
import { COUNTRIES } from '../contract/countries.ts';
import { CURRENCIES } from '../contract/currencies.ts';
import { METHOD_TYPES } from '../contract/method-types.ts';
import { toNfc } from '../contract/unicode.ts';
import type { Vocabulary } from '../contract/vocabulary.ts';
import { parseWithinBounds } from '../source/bounded-parser.ts';
import { createSpans } from '../source/diagnostic.ts';
import { readExactly } from '../source/exact-reader.ts';
import { readQuickly } from '../source/quick-reader.ts';
import { surelyMeant } from '../source/suggestion.ts';
import { meantBy } from '../source/vocabulary-word.ts';
import { ENTRY_FIELDS, FIELDS, NUMBER_FIELDS } from './field.ts';
import { commentsOf } from './layout.ts';
import { scalarText } from './scalar.ts';

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
 * Repairs the text of a file: white space at the ends of texts, letters that are not in Unicode NFC, UUIDs in upper
 * case, codes of countries and currencies in lower case, and slips in words of a vocabulary. Comments stay.
 *
 * @returns undefined when there is nothing to repair, or the text cannot be read.
 */
export function repairText(text: string, vocabulary: Vocabulary): Repaired | undefined {
  const quick = readQuickly(text);
  if (quick !== undefined && changesOf(quick, vocabulary).length === 0) return undefined;
  const exact = readExactly(text, '');
  const changes = exact.diagnostics.length === 0 ? changesOf(exact.value, vocabulary) : [];
  const { document } = parseWithinBounds(text);
  const spanAt = createSpans(text);
  const repairs: Repair[] = [];
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { path, from, to } of changes) {
    const scalar = document.getIn(path, true);
    const edit = isScalar(scalar) && editOf(scalar, text, to, path, document);
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

/** The stretch of a text that says a scalar, and what to write in its place. */
function editOf(
  scalar: Scalar,
  text: string,
  to: string,
  path: readonly (string | number)[],
  document: Document,
): { start: number; end: number; text: string } | undefined {
  const [start, end] = (scalar.range ?? [0, 0]) as Range;
  const list = document.getIn(path.slice(0, -1), true) as { flow?: boolean } | undefined;
  const place = { number: NUMBER_FIELDS.has(String(path.at(-1))), flow: list?.flow === true };
  const written = scalarText(to, place);
  if (scalar.type !== 'BLOCK_FOLDED' && scalar.type !== 'BLOCK_LITERAL') return { start, end, text: written };
  // The line end of a block is part of it.
  const lineEnd = /\r?\n$/.exec(text.slice(start, end))?.[0] ?? '';
  return { start, end, text: written + lineEnd };
}

/** What is to change in a file's value, every scalar of which is a text. */
function changesOf(value: unknown, vocabulary: Vocabulary): Change[] {
  const changes: Change[] = [];
  const add = (path: (string | number)[], from: unknown, fix: (text: string) => string = same) => {
    if (typeof from !== 'string') return;
    const to = fix(toNfc(from.trim()));
    // The end of a block of lines (`|`) is no slip.
    if (to !== '' && to !== from && to !== from.replace(/\n$/, '')) changes.push({ path, from, to });
  };
  for (const field of FIELDS) {
    const found = (value as Record<string, unknown> | null)?.[field];
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
      for (const key of ENTRY_FIELDS.get(field) ?? []) {
        add([...path, key], (entry as Record<string, unknown>)[key], fixOf(key, vocabulary));
      }
    });
  }
  return changes;
}

const same = (text: string) => text;

const FIXES: Readonly<Record<string, (text: string) => string>> = {
  id: (text) => (/^[\da-f-]{36}$/i.test(text) ? text.toLowerCase() : text),
  country: (text) => codeIn(text, COUNTRIES),
  currency: (text) => codeIn(text, CURRENCIES),
};

function fixOf(key: string, { policy_types }: Vocabulary): ((text: string) => string) | undefined {
  if (key === 'policy_type') return (text) => orText(meantBy(text, policy_types), text);
  if (key === 'method_type') return (text) => orText(surelyMeant(text, METHOD_TYPES), text);
  return key === 'id' ? FIXES.id : undefined;
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
