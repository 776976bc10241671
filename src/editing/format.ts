/** Formats a property file: order of fields, quotes, positions. Keeps comments and blank lines. */
import { isDeepStrictEqual } from 'node:util';
import { parseDocument, visit } from 'yaml';
import { entryFields, FIELD_NAMES, UNQUOTED_NAMES } from '../contract/fields.ts';
import { isNullWord } from '../source/null-word.ts';
import { renumber } from './position.ts';
import { scalarText } from './scalar.ts';
import {
  type Comment,
  commentsOf,
  type FileRows,
  type Item,
  layoutOf,
  type MappingRows,
  type Row,
} from './yaml-rows.ts';

/** Longest list on one line (`[wifi, parking]`), in UTF-16 units. */
const LIST_WIDTH = 100;

/**
 * Formats the text of a file. Keeps all values, except that positions are renumbered in the same order, and all
 * comments and line endings. Idempotent.
 *
 * @returns undefined for a text that cannot be formatted: unreadable, not a property, or with anchors, aliases, tags,
 *   or lists and mappings in place of texts.
 */
export function formatText(text: string): string | undefined {
  const source = text.replace(/\r\n/g, '\n');
  const layout = layoutOf(source);
  if (!layout) return undefined;
  sortAll(layout);
  for (const { key, value } of layout.rows) {
    if (key === 'photo' && value.kind === 'list') renumber(value.items);
  }
  const formatted = print(layout);
  if (formatted === source) return text;
  // Safety check: a text that lost a value or a comment is discarded.
  if (!isDeepStrictEqual(valuesOf(formatted), valuesOf(source))) return undefined;
  if (!isDeepStrictEqual(commentTexts(formatted), commentTexts(source))) return undefined;
  return text.includes('\r\n') ? formatted.replace(/\n/g, '\r\n') : formatted;
}

/** Returns the values of a file, with positions replaced by their rank, and unquoted nulls distinct from texts. */
function valuesOf(text: string): unknown {
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  visit(document, {
    Scalar(role, node) {
      if (role !== 'key' && node.type === 'PLAIN' && isNullWord(String(node.value))) node.value = PLAIN_NULL;
    },
  });
  const value: unknown = document.toJS();
  const { photo } = value as { photo?: unknown };
  if (!Array.isArray(photo)) return value;
  const order = photo.map((entry: { position?: string } | null, index) => ({
    ...(typeof entry === 'object' ? entry : { entry }),
    position: Number(entry?.position || index + 1),
  }));
  const ranks = order.map(({ position }) => position).sort((a, b) => a - b);
  return {
    ...(value as object),
    photo: order.map((entry) => ({ ...entry, position: ranks.indexOf(entry.position) })),
  };
}

const PLAIN_NULL = Symbol('null');

function commentTexts(text: string): string[] {
  return commentsOf(text)
    .map(({ source }) => source.trimEnd())
    .sort();
}

function sortAll(layout: FileRows): void {
  const header = headerOf(layout);
  layout.rows = sorted(layout.rows, FIELD_NAMES);
  layout.rows[0]?.leading.unshift(...header);
  for (const { key, value } of layout.rows) {
    const fields = [...entryFields(key ?? '').keys()];
    if (fields.length === 0 || value.kind !== 'list') continue;
    for (const item of value.items) if (isEntry(item)) item.rows = sorted(item.rows, fields);
  }
}

/**
 * Removes and returns the comments at the top that a blank line separates from the first field: they belong to the
 * file.
 */
function headerOf({ rows: [first] }: FileRows): Comment[] {
  if (!first) return [];
  const { leading } = first;
  const end = first.blank ? leading.length : leading.findLastIndex(({ blank }) => blank);
  return end > 0 ? leading.splice(0, end) : [];
}

/**
 * Sorts rows by the order of fields; unknown ones come last, in their order. The first row takes over the blank line,
 * or none, above the previous first row.
 */
function sorted(rows: readonly Row[], fields: readonly string[]): Row[] {
  const rank = ({ key }: Row) => {
    const place = fields.indexOf(key ?? '');
    return place < 0 ? fields.length : place;
  };
  const result = [...rows].sort((a, b) => rank(a) - rank(b));
  const [before, after] = [rows[0], result[0]];
  if (before && after && before !== after) {
    const blank = hasBlank(before);
    setBlank(before, hasBlank(after));
    setBlank(after, blank);
  }
  return result;
}

const hasBlank = ({ leading: [first], blank }: Row) => first?.blank ?? blank;

function setBlank(row: Row, blank: boolean): void {
  const [first] = row.leading;
  if (first) row.leading[0] = { ...first, blank };
  else row.blank = blank;
}

function print({ rows, tail }: FileRows): string {
  const lines: string[] = [];
  for (const row of rows) printRow(row, '', lines);
  printComments(tail, '', lines);
  const start = lines.findIndex((line) => line !== '');
  return `${lines.slice(start).join('\n')}\n`;
}

/** `first`: start of the row's line, instead of its indentation. */
function printRow(row: Row, indent: string, lines: string[], first = indent): void {
  const { key, value, leading, blank, trailing } = row;
  printComments(leading, first === indent ? indent : indent.slice(2), lines);
  if (blank) lines.push('');
  const place = { number: UNQUOTED_NAMES.has(key ?? '') };
  const start = key === undefined ? first.trimEnd() : `${first}${scalarText(key)}:`;
  const add = (text: string) => lines.push([start, ...(text ? [text] : []), ...trailing].join(' '));
  switch (value.kind) {
    case 'empty':
      add('');
      break;
    case 'text':
      add(scalarText(value.text, place));
      break;
    case 'null':
      add(value.word);
      break;
    case 'block':
      add(value.header);
      for (const line of value.lines) lines.push(line === '' ? '' : `${indent}  ${line}`);
      break;
    case 'list': {
      const line = lineOf(value.items, value.tail);
      if (value.items.length === 0 || (value.flow && line !== undefined)) add(line ?? '[]');
      else {
        add('');
        for (const item of value.items) printItem(item, lines);
      }
      printComments(value.tail, '  ', lines);
    }
  }
}

function printItem(item: Item, lines: string[]): void {
  if (!isEntry(item)) {
    printRow(item, '    ', lines, '  - ');
    return;
  }
  item.rows.forEach((row, index) => {
    printRow(row, '    ', lines, index === 0 ? '  - ' : undefined);
  });
  printComments(item.tail, '    ', lines);
}

/** Formats a list on one line; undefined where that is impossible. */
function lineOf(items: readonly Item[], tail: readonly Comment[]): string | undefined {
  const texts: string[] = [];
  for (const item of items) {
    if (isEntry(item) || item.leading.length > 0 || item.trailing.length > 0) return undefined;
    const { value } = item;
    if (value.kind === 'text') texts.push(scalarText(value.text, { flow: true }));
    else if (value.kind === 'null') texts.push(value.word);
    else return undefined;
  }
  const line = `[${texts.join(', ')}]`;
  return line.length <= LIST_WIDTH && tail.length === 0 ? line : undefined;
}

function printComments(comments: readonly Comment[], indent: string, lines: string[]): void {
  for (const { text, blank } of comments) {
    if (blank) lines.push('');
    lines.push(indent + text);
  }
}

function isEntry(item: Item): item is MappingRows {
  return 'rows' in item;
}
