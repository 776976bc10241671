import {
  CST,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { fieldsIn } from '../contract/terms.ts';
import { isMapping } from '../values/mapping.ts';
import {
  equalsValue,
  type FieldStyle,
  fieldYaml,
  fitsLiteralBlock,
  flowStyleYaml,
  rankIn,
} from './field-text.ts';
import type { AuthoredValue } from './field-values.ts';
import {
  columnOf,
  contentEnd,
  endOfIndentedComments,
  type ItemRange,
  itemRangesOf,
  lineBoundaryFrom,
  lineStart,
} from './item-lines.ts';
import { RefusedEdit } from './refusal.ts';
import { doubleQuoted, isMisleadingScalar, scalarText, singleQuoted } from './scalar.ts';

/** `gone`: ranges of the text that are removed together with their comments. The functions below add to this list. */
export type RewriteContext = {
  readonly text: string;
  readonly table: FieldTable;
  readonly style: FieldStyle;
  readonly eol: string;
  readonly gone: (readonly [start: number, end: number])[];
};

/** A field or a list entry. `name`: such as `photo.position`. `flow`: whether it is within brackets. */
export type ValueLocation = Omit<ItemRange, 'start'> & { readonly name: string; readonly flow?: boolean };

/** Returns the text of `place` after its value is replaced by `value`. Comments stay with their fields or entries. */
export function rewriteValue(edit: RewriteContext, place: ValueLocation, value: AuthoredValue): string {
  const { text, table } = edit;
  const { name, item, at, end, flow = false } = place;
  const node = isPair(item) ? item.value : item;
  if (equalsValue(node, value)) return text.slice(at, end);
  if (isScalar(node) && !isEmpty(node) && typeof value === 'string') {
    const token = node.srcToken as CST.FlowScalar | CST.BlockScalar;
    const start = token.type === 'block-scalar' ? token.props[0]!.offset : token.offset;
    const old = CST.stringify(token);
    // If `value` were written as a block, a comment below it would become part of its text.
    const below = text.slice(lineBoundaryFrom(text, start + token.source.length), end);
    const isLine = flow || (value.includes('\n') && below.includes('#'));
    setScalar(node, value, { flow: isLine, number: table.unquoted.has(name) });
    const printed = withLineEndings(edit, CST.stringify(token));
    return text.slice(at, start) + printed + text.slice(start + old.length, end);
  }
  if (isSeq(node) && Array.isArray(value) && value.length > 0 && hasLines(node, text))
    return changedList(edit, place, node, value);
  if (isMap(node) && isMapping(value) && !node.flow && Object.values(value).some((one) => one !== null))
    return changedMapping(edit, place, node, value as Values);
  if ((isSeq(node) || isMap(node)) && node.flow && node.items.length > 0) {
    const inline = changedInline(edit, place, node, value);
    if (inline !== undefined) return inline;
  }
  return replacedValue(edit, place, node, value);
}

type Values = { readonly [field: string]: AuthoredValue };

const isEmpty = (node: unknown) =>
  node === null || (isScalar(node) && node.source === '' && node.type === 'PLAIN');

/** True for a list with dashes, and for one in brackets where each entry has its own line. */
function hasLines({ flow, items, srcToken }: YAMLSeq, text: string): boolean {
  if (!flow || items.length === 0) return items.length > 0;
  const starts = [
    ...items.map((item) => (item as Node).range![0]),
    (srcToken as CST.FlowCollection).end[0]!.offset,
  ];
  return starts.every((start) => text.slice(lineStart(text, start), start).trim() === '');
}

function changedInline(
  edit: RewriteContext,
  { name, token, at, end }: ValueLocation,
  node: YAMLSeq | YAMLMap,
  value: AuthoredValue,
): string | undefined {
  const { text, table } = edit;
  const [start, close] = node.range!;
  let parts: (readonly [name: string, node: unknown, value: AuthoredValue])[];
  let isKept: boolean;
  if (isSeq(node) && Array.isArray(value)) {
    parts = node.items.map((item, index) => [name, item, value[index] as AuthoredValue]);
    isKept = value.length === parts.length && sourcesOf(node.items, value).every((from, to) => from === to);
  } else if (isMap(node) && isMapping(value)) {
    const values = value as Values;
    parts = node.items.map(({ key, value: one }) => [`${name}.${key}`, one, values[String(key)] ?? null]);
    isKept = Object.entries(values).every(([key, one]) => one === null || node.has(key));
  } else return undefined;
  if (isKept && parts.every(([, one, to]) => equalsValue(one, to) || (to !== null && !isEmpty(one)))) {
    let from = at;
    const lines = parts.map(([inner, item, to]) => {
      if (equalsValue(item, to)) return '';
      const [first, last] = (item as Node).range!;
      const above = text.slice(from, first);
      from = last;
      return above + rewriteValue(edit, { name: inner, item, token, at: first, end: last, flow: true }, to);
    });
    return lines.join('') + text.slice(from, end);
  }
  node.comment = node.commentBefore = null;
  const printed = withLineEndings(edit, flowStyleYaml(name, value, node, table));
  return text.slice(at, start) + printed + text.slice(close, end);
}

export function withLineEndings({ eol }: Pick<RewriteContext, 'eol'>, lines: string): string {
  return eol === '\n' ? lines : lines.replace(/\r?\n/g, eol);
}

const ended = ({ eol }: RewriteContext, lines: string) =>
  lines === '' || lines.endsWith('\n') ? lines : lines + eol;

/** Writes the whole value anew, but keeps the field name, the comment on its line, and the comments below the value. */
function replacedValue(
  edit: RewriteContext,
  place: ValueLocation,
  node: unknown,
  value: AuthoredValue,
): string {
  const { text, table, style } = edit;
  const { name, item, token, at, end } = place;
  const mark = [...token.start, ...(token.sep ?? [])].findLast(({ type }) => type.endsWith('-ind'));
  if (mark?.type !== 'map-value-ind' && mark?.type !== 'seq-item-ind')
    throw new RefusedEdit('explicit-key', at);
  const start = mark.offset + 1;
  const isBlock = (isSeq(node) || isMap(node)) && !node.flow && node.items.length > 0;
  const items = isBlock ? itemRangesOf(node, text, end) : [];
  const content = contentEnd(item, token);
  const close = items.at(-1)?.end ?? lineBoundaryFrom(text, content);
  const open = lineBoundaryFrom(text, start);
  const isInline = items.length > 0 && items[0]!.start < open;
  const isHeader = items.length > 0 || Object(node).srcToken?.type === 'block-scalar';
  const line = isInline ? '' : text.slice(isHeader ? start : content, isHeader ? open : close);
  const [remark = ''] = /[ \t]+#[^\r\n]*/.exec(line) ?? [];
  const above = isBlock && !isInline ? text.slice(open, items[0]!.start) : '';
  if (items.length > 0) edit.gone.push([items[0]!.start, close]);
  else if (isSeq(node) || isMap(node)) edit.gone.push([node.range![0], content]);
  const isLine = typeof value === 'string' && text.slice(close, end).includes('#');
  const [first = '', ...rest] = isLine
    ? [` ${/\n/.test(value) ? doubleQuoted(value) : scalarText(value, { number: table.unquoted.has(name) })}`]
    : isPair(item)
      ? fieldYaml(name, value, table, style)
          .slice(scalarText(name).length + 1)
          .split('\n')
          .slice(0, -1)
      : entryLines(edit, name, value, 0).slice(1).split('\n').slice(0, -1);
  const lines = indented(rest, columnOf(text, at));
  // Comments that are indented more deeply than the new lines move above these lines. Below them, the comments would
  // belong to the last new entry.
  const cut = lines === '' ? close : endOfIndentedComments(text, close, lines.search(/[^ ]/), end);
  return [
    ended(edit, text.slice(at, start) + withLineEndings(edit, first) + remark.trimEnd()),
    ended(edit, above + text.slice(close, cut)),
    withLineEndings(edit, lines),
    text.slice(cut, end),
  ].join('');
}

const indented = (lines: readonly string[], column: number) =>
  lines.map((line) => `${line && ' '.repeat(column)}${line}\n`).join('');

function entryLines(edit: RewriteContext, name: string, value: AuthoredValue, column: number): string {
  const [, ...lines] = fieldYaml(name, [value], edit.table, { indentSeq: false }).slice(0, -1).split('\n');
  return withLineEndings(edit, indented(lines, column).slice(column));
}

type Piece = { readonly lead: string; readonly body: string };

const BLANK = /^(?:[ \t]*\r?\n)+/;

function leadOf(text: string, { start, at }: ItemRange): string {
  return text.slice(start, Math.max(start, lineStart(text, at)));
}

function changedList(
  edit: RewriteContext,
  { name, at, end }: ValueLocation,
  list: YAMLSeq,
  values: readonly AuthoredValue[],
): string {
  const { text, gone } = edit;
  const items = itemRangesOf(list, text, end);
  const column = columnOf(text, items[0]!.at);
  const flow = list.flow === true;
  const from = sourcesOf(list.items, values);
  items.forEach(({ start, end: last }, index) => {
    if (!from.includes(index)) gone.push([start, last]);
  });
  const pieces = values.map((value, place): Piece => {
    const index = from[place];
    const comma = flow && place < values.length - 1 ? ',' : '';
    if (index === undefined) {
      const body = flow
        ? withLineEndings(edit, flowStyleYaml(name, value, undefined, edit.table)) + comma
        : entryLines(edit, name, value, column);
      return { lead: '', body };
    }
    const lines = items[index]!;
    const body = rewriteValue(edit, { ...lines, name, flow }, value);
    const rest = text.slice(contentEnd(lines.item, lines.token), lines.end);
    const isOpen = comma !== '' && !/^\s*,/.test(rest);
    return {
      lead: leadOf(text, lines),
      body: isOpen ? body.slice(0, body.length - rest.length) + comma + rest : body,
    };
  });
  const isSpaced = items.length > 1 && items.slice(1).every((one) => BLANK.test(leadOf(text, one)));
  const spaced = pieces.map(({ lead, body }, index) => {
    const own = index === 0 || isSpaced ? lead.replace(BLANK, '') : lead;
    return { body, lead: isSpaced && index > 0 ? edit.eol + own : own };
  });
  return assembled(edit, { at, end }, items, spaced);
}

/**
 * For each new value, returns the index of the old entry that it replaces: an equal entry, or else the entry with the
 * most texts in common, or else the entry below the one that the previous value replaces. Undefined for an added value.
 */
function sourcesOf(items: readonly unknown[], values: readonly AuthoredValue[]): (number | undefined)[] {
  const free = new Set(items.keys());
  const taken = (index: number) => (free.delete(index) ? index : undefined);
  const still = values.map((value, place) =>
    equalsValue(items[place], value) && place < items.length ? taken(place) : undefined,
  );
  const equal = values.map(
    (value, place) =>
      still[place] ?? taken(items.findIndex((item, index) => free.has(index) && equalsValue(item, value))),
  );
  const similar = values.map((value, place) => {
    if (equal[place] !== undefined) return equal[place];
    const scores = [...free].map((index) => [likeness(items[index], value), index] as const);
    const [score, best] = scores.reduce((one, other) => (other[0] > one[0] ? other : one), [0, -1] as const);
    return score > 0 ? taken(best) : undefined;
  });
  const found: (number | undefined)[] = [];
  for (const [place, value] of values.entries()) {
    const next = place === 0 ? 0 : (found[place - 1] ?? items.length) + 1;
    const isLike = isMap(items[next]) === isMapping(value);
    found.push(similar[place] ?? (isLike ? taken(next) : undefined));
  }
  return found;
}

function likeness(node: unknown, value: AuthoredValue): number {
  if (!isMap(node) || !isMapping(value)) return 0;
  const isTelling = (one: unknown) => typeof one === 'string' && !/^(?:|true|false)$/.test(one);
  return Object.entries(value).filter(([key, one]) => isTelling(one) && node.get(key) === one).length;
}

function changedMapping(
  edit: RewriteContext,
  { name, at, end }: ValueLocation,
  map: YAMLMap,
  values: Values,
): string {
  const { text, table, gone } = edit;
  const items = itemRangesOf(map, text, end);
  const order = [...fieldsIn(table, name).keys()];
  const rank = (key: string) => rankIn(order, key);
  const pieces: (Piece & { readonly key: string })[] = [];
  for (const lines of items) {
    const pair = lines.item as Pair;
    const key = String(pair.key);
    const value = values[key] ?? null;
    if (value === null && !equalsValue(pair.value, null)) gone.push([lines.start, lines.end]);
    else {
      const body = rewriteValue(edit, { ...lines, name: `${name}.${key}` }, value);
      pieces.push({ key, lead: leadOf(text, lines), body });
    }
  }
  for (const [key, value] of Object.entries(values)) {
    if (value === null || map.has(key)) continue;
    const [, ...lines] = fieldYaml(name, { [key]: value }, table)
      .slice(0, -1)
      .split('\n');
    const own = lines.map((line) => line.slice(2));
    const body = withLineEndings(edit, indented(own, columnOf(text, items[0]!.at)).trimStart());
    const next = pieces.findIndex((one) => rank(one.key) > rank(key));
    const piece = { key, lead: '', body };
    pieces.splice(next < 0 ? pieces.length : next, 0, piece);
  }
  return assembled(edit, { at, end }, items, pieces);
}

function assembled(
  edit: RewriteContext,
  { at, end }: Pick<ItemRange, 'at' | 'end'>,
  items: readonly ItemRange[],
  pieces: readonly Piece[],
): string {
  const { text, eol } = edit;
  const [{ start, at: first }] = items as [ItemRange];
  const indent = ' '.repeat(columnOf(text, first));
  const isInline = lineStart(text, first) < start;
  const lines = pieces.map(({ lead, body }, index) => {
    if (index > 0 || !isInline) return lead + indent + ended(edit, body);
    return lead === '' ? ended(edit, body) : eol + lead + indent + ended(edit, body);
  });
  const head = text.slice(at, start);
  const isBroken = isInline && pieces[0]!.lead !== '';
  return (isBroken ? head.trimEnd() : head) + lines.join('') + text.slice(items.at(-1)!.end, end);
}

function setScalar(node: Scalar, value: string, place: { flow: boolean; number: boolean }): void {
  const token = node.srcToken as CST.FlowScalar | CST.BlockScalar;
  if (token.type === 'block-scalar') {
    // The header of a block scalar, such as `|-`, decides how many trailing line breaks the value has, so they stay.
    const ending = /\n*$/.exec(String(node.value))![0];
    const body = value.replace(/\n+$/, '');
    if (fitsLiteralBlock(`${body}\n.`))
      CST.setScalarValue(token, body + ending, { afterKey: true, type: node.type! });
    else {
      CST.setScalarValue(token, '', { afterKey: true, type: Scalar.QUOTE_DOUBLE });
      token.source = doubleQuoted(value);
    }
  } else if (!place.flow && fitsLiteralBlock(value) && !String(node.value).includes('\n')) {
    CST.setScalarValue(token, value, { afterKey: true, type: 'BLOCK_LITERAL' });
  } else token.source = scalarTextInStyleOf(node, value, place);
}

export function scalarTextInStyleOf(
  node: Scalar,
  to: string,
  place: { flow: boolean; number: boolean },
): string {
  if (node.type === 'QUOTE_DOUBLE') return doubleQuoted(to);
  if (node.type === 'QUOTE_SINGLE') return singleQuoted(to) ?? doubleQuoted(to);
  // A number without quotes, such as 01234, is replaced by a number without quotes.
  const isNumeric = [String(node.source), to].every(
    (text) => /^[+.\d]/.test(text) && isMisleadingScalar(text),
  );
  return scalarText(to, { ...place, number: place.number || isNumeric });
}
