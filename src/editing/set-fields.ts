// Edits a property file. Discards a result that does not parse to exactly the intended values, or that lost a comment.

import { isDeepStrictEqual } from 'node:util';
import { CST, isAlias, isMap, isNode, isScalar, isSeq, visit } from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { INTERFACE_FIELDS } from '../contract/terms.ts';
import { parseWithinBounds } from '../source/bounded-yaml.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import { type EditableText, type FieldLines, parseEditable, yamlComments } from './editable-text.ts';
import { DEFAULT_FIELD_STYLE, type FieldStyle, fieldText, nodeForValue } from './field-text.ts';
import type { AuthoredValue, FieldValues } from './field-values.ts';
import { formatText } from './format.ts';
import { type Refusal, RefusedEdit, refusalAt } from './refusal.ts';
import { scalarText } from './scalar.ts';
import { setInPlace } from './set-in-place.ts';

export function setFields(
  text: string,
  values: FieldValues,
  table: FieldTable = INTERFACE_FIELDS,
): { readonly text: string } | Refusal {
  return orRefusal(text, () => {
    const before = parseEditable(text);
    const changes = Object.entries(values)
      .filter(([name, value]) =>
        value === null ? Object.hasOwn(before.value, name) : !isSame(before.value[name], value),
      )
      .sort(([a], [b]) => rankOf(a, table) - rankOf(b, table));
    if (changes.length === 0) return { text };
    let edited = text;
    for (const way of ['in place', 'printed'] as const) {
      // Parsed again, because each attempt mutates nodes and tokens.
      edited = textWith(parseEditable(text), changes, text, { way, table });
      if (isIntendedResult(before, edited, changes)) return { text: edited };
    }
    if (parseWithinBounds(edited).excess) throw new RefusedEdit('too-long', 0);
    const first = before.fields.find(({ name }) => Object.hasOwn(values, name));
    const formatted = formatText(text, table) ?? text;
    throw new RefusedEdit(formatted === text ? 'unwritable' : 'unformatted', first?.start ?? 0);
  });
}

/** Writes a value that several fields share (anchor and alias) into each of them. No value changes. */
export function separateFields(
  text: string,
  table: FieldTable = INTERFACE_FIELDS,
): { readonly text: string } | Refusal {
  return orRefusal(text, () => {
    const before = parseEditable(text);
    const shared = before.fields.filter(isShared);
    const changes = shared.map(({ name }) => [name, before.value[name] as AuthoredValue] as const);
    const edited = textWith(parseEditable(text), changes, text, { way: 'separated', table });
    if (isIntendedResult(before, edited, changes)) return { text: edited };
    throw new RefusedEdit('unwritable', shared[0]?.start ?? 0);
  });
}

function isShared({ pair }: FieldLines): boolean {
  let isFound = false;
  visit(pair as never, (_role, node) => {
    isFound ||= isAlias(node) || (isNode(node) && node.anchor !== undefined);
  });
  return isFound;
}

function separatedBody(
  field: FieldLines,
  value: AuthoredValue,
  style: FieldStyle,
  table: FieldTable,
): string {
  let hasAlias = false;
  visit(field.pair as never, (_role, node) => {
    if (isAlias(node)) hasAlias = true;
    else if (isNode(node)) delete node.anchor;
  });
  return hasAlias
    ? fieldText(field.name, value, table, style)
    : changedBody(field, value, style, { way: 'printed', table });
}

/** Returns why a text cannot be edited at all; undefined if it can. */
export function refusalOf(text: string): Refusal | undefined {
  const result = orRefusal(text, () => parseEditable(text));
  return 'refused' in result ? result : undefined;
}

function orRefusal<Result extends object>(text: string, act: () => Result): Result | Refusal {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof RefusedEdit)) throw error;
    // The advice of `flow-mapping` is to format the file, but this file cannot be formatted.
    const isOdd = error.reason === 'flow-mapping' && formatText(text) === undefined;
    return refusalAt(isOdd ? 'odd-flow-mapping' : error.reason, text, error.offset);
  }
}

function rankOf(name: string, { all }: FieldTable): number {
  const rank = [...all.keys()].indexOf(name);
  return rank < 0 ? all.size : rank;
}

type Changes = readonly (readonly [name: string, value: AuthoredValue])[];

type Way = 'in place' | 'printed' | 'separated';
type Print = { readonly way: Way; readonly table: FieldTable };

function textWith(file: EditableText, changes: Changes, text: string, print: Print): string {
  const { head, fields, tail } = file;
  const { way, table } = print;
  const style = styleOf(fields);
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const withEnds = (lines: string) => (eol === '\n' ? lines : lines.replace(/\r?\n/g, eol));
  for (const [name, value] of changes) {
    const field = fields.find((one) => one.name === name);
    const other = field ? undefined : renamedFrom(file, changes, value);
    for (const one of [field, other]) if (one && way !== 'separated') refuseShared(file, one);
    if (other) renameField(other, name);
    else if (field && value === null) removeField(fields, field);
    else if (field && way === 'separated') field.body = withEnds(separatedBody(field, value, style, table));
    else if (field) field.body = withEnds(changedBody(field, value, style, print));
    else if (value !== null)
      insertField(fields, name, withEnds(fieldText(name, value, table, style)), eol, table);
  }
  const lines = [head, ...fields.flatMap(({ lead, body }) => [lead, body]), tail];
  const joined = lines.reduce((above, line) => above + (needsEnd(above, line) ? eol : '') + line);
  return /\n$/.test(text) || text.replace('\ufeff', '') === '' ? joined : joined.replace(/(?:\r?\n)+$/, '');
}

/** Finds a removed field that has the value of the new one: renaming it keeps its lines. */
function renamedFrom(
  { fields, value }: EditableText,
  changes: Changes,
  to: AuthoredValue,
): FieldLines | undefined {
  const lost = changes.filter(([name, gone]) => gone === null && isSame(value[name], to));
  return to === null ? undefined : fields.find(({ name }) => lost.some(([other]) => other === name));
}

function renameField(field: FieldLines, name: string): void {
  const [start = 0, end = 0] = field.pair.key.range ?? [];
  field.body = scalarText(name) + field.body.slice(end - start);
  field.name = name;
}

/** True if a line ending is missing between the two: the last field of a file may have none. */
function needsEnd(above: string, line: string): boolean {
  return line !== '' && above !== '' && above !== '\ufeff' && !/\n[ \t]*$/.test(above);
}

function changedBody(
  field: FieldLines,
  value: AuthoredValue,
  style: FieldStyle,
  { way, table }: Print,
): string {
  if (way !== 'printed' && setInPlace(field, value, table)) return bodyOf(field);
  const { pair, body, name } = field;
  // A comment on the name's line stays there; a comment above the first entry stays with the entry.
  const [remark = ''] = /^[^\n]*?:[ \t]+(#[^\r\n]*?)[ \t]*\r?\n/.exec(body)?.slice(1) ?? [];
  const { value: before } = pair;
  if (remark && (isSeq(before) || isMap(before)) && !before.flow) {
    const [, ...above] = (before.commentBefore ?? '').split('\n');
    before.commentBefore = null;
    const [first] = before.items;
    if (above.length > 0 && isNode(first)) first.commentBefore = above.join('\n');
  }
  const printed = fieldText(name, nodeForValue(name, value, before, table), table, style);
  // Adds the comment if printing lost it. Counts, since an entry may have an equal comment.
  const count = (text: string) =>
    yamlComments(text).filter(({ source }) => source.trimEnd() === remark).length;
  return remark && count(printed) < count(body) ? printed.replace('\n', ` ${remark}\n`) : printed;
}

function bodyOf({ token }: FieldLines): string {
  return CST.stringify({ ...token, start: [] });
}

function removeField(fields: FieldLines[], field: FieldLines): void {
  const index = fields.indexOf(field);
  const [next] = fields.splice(index, 2, ...fields.slice(index + 1, index + 2));
  const below = fields[index];
  if (next && below) {
    const isDouble = BLANK_END.test(field.lead) && /^[ \t]*\r?\n/.test(below.lead);
    below.lead = (isDouble ? field.lead.replace(BLANK_END, '') : field.lead) + below.lead;
  }
}

const BLANK_END = /(?<=^|\n)[ \t]*\r?\n$/;

/**
 * Inserts the field below the preceding one of its group, or else above the following one. If the group has no other
 * field, inserts it below the preceding group.
 */
function insertField(fields: FieldLines[], name: string, body: string, eol: string, table: FieldTable): void {
  const rank = rankOf(name, table);
  const groupOf = (one: string) => table.all.get(one)?.group;
  const isBeside = (one: FieldLines) => groupOf(one.name) === groupOf(name);
  const above = fields.filter((one) => rankOf(one.name, table) < rank);
  const below = fields.find((one) => rankOf(one.name, table) > rank && isBeside(one));
  const nearest =
    above.findLast(isBeside) ?? (below ? undefined : rank < table.all.size ? above.at(-1) : fields.at(-1));
  const added = { name, body, start: 0, lead: '' };
  const at = nearest ? fields.indexOf(nearest) + 1 : below ? fields.indexOf(below) : 0;
  const next = fields[at];
  const example = next && exampleOf(name, next.lead);
  if (next && example !== undefined) {
    added.lead = next.lead.slice(0, example);
    next.lead = next.lead.slice(example);
  } else if (rank < table.all.size && nearest && !isBeside(nearest) && hasBlankLines(fields, groupOf))
    added.lead = eol;
  else if (!nearest && next) {
    const own = /(?:[ \t]*#[^\n]*\n)*$/.exec(next.lead)?.[0] ?? '';
    added.lead = next.lead.slice(0, next.lead.length - own.length);
    next.lead = !isBeside(next) && hasBlankLines(fields, groupOf) ? eol + own : own;
  }
  fields.splice(at, 0, added as FieldLines);
}

/** End offset of a field's commented example, as `catalogue new` writes it (`# email: ...`). */
function exampleOf(name: string, lead: string): number | undefined {
  const found = new RegExp(`^[ \\t]*# ${name}:.*\\r?\\n(?:[ \\t]*# {2,}.*\\r?\\n)*`, 'm').exec(lead);
  return found ? found.index + found[0].length : undefined;
}

function hasBlankLines(fields: readonly FieldLines[], groupOf: (name: string) => unknown): boolean {
  const edges = fields.filter(
    ({ name }, index) => index > 0 && groupOf(name) !== groupOf(fields[index - 1]!.name),
  );
  return edges.length === 0 || edges.some(({ lead }) => /^[ \t]*\r?\n/m.test(lead));
}

function styleOf(fields: readonly FieldLines[]): FieldStyle {
  const dash = fields.map(({ body }) => /\n( *)- /.exec(body)?.[1]).find((indent) => indent !== undefined);
  return dash === undefined ? DEFAULT_FIELD_STYLE : { indentSeq: dash !== '' };
}

/** @throws RefusedEdit for anchors, aliases, tags and merge keys, since other values may depend on them */
function refuseShared({ value }: EditableText, { pair, token, start }: FieldLines): void {
  if (token.start.some(({ type }) => type === 'explicit-key-ind') || !token.sep)
    throw new RefusedEdit('explicit-key', start);
  if (Object.hasOwn(value, '<<')) throw new RefusedEdit('merge-key', start);
  visit(pair as never, (_role, node) => {
    if (!isNode(node)) return;
    const offset = node.range?.[0] ?? start;
    if (isAlias(node) || node.anchor !== undefined) throw new RefusedEdit('anchor', offset);
    if (node.tag !== undefined) throw new RefusedEdit('tag', offset);
    if (isMap(node) && node.items.some(({ key }) => isScalar(key) && key.value === '<<'))
      throw new RefusedEdit('merge-key', offset);
  });
}

function isIntendedResult(before: EditableText, text: string, changes: Changes): boolean {
  let after: EditableText;
  try {
    after = parseEditable(text);
  } catch (error) {
    if (error instanceof RefusedEdit) return false;
    throw error;
  }
  const wanted: Mapping = { ...before.value, ...Object.fromEntries(changes) };
  const names = new Set([...Object.keys(wanted), ...Object.keys(after.value)]);
  const changed = new Set(changes.map(([name]) => name));
  const reads = [...names].every((name) =>
    changed.has(name)
      ? isSame(after.value[name], wanted[name])
      : isDeepStrictEqual(after.value[name], wanted[name]),
  );
  const order = (file: EditableText) =>
    file.fields.map(({ name }) => name).filter((name) => !changed.has(name));
  return reads && isDeepStrictEqual(order(after), order(before)) && keepsComments(before, after, changes);
}

function keepsComments(before: EditableText, after: EditableText, changes: Changes): boolean {
  const mayGo = changes
    .filter(([name, value]) => shrinks(before.value[name], value))
    .flatMap(([name]) => yamlComments(before.fields.find((one) => one.name === name)?.body ?? ''))
    .map(({ source }) => source.trimEnd());
  const left = [...before.comments];
  for (const comment of after.comments) {
    const index = left.indexOf(comment);
    if (index < 0) return false;
    left.splice(index, 1);
  }
  return left.every((comment) => mayGo.includes(comment));
}

function shrinks(before: unknown, after: unknown): boolean {
  if ((after ?? null) === null) return (before ?? null) !== null;
  if (Array.isArray(before) && Array.isArray(after)) {
    return after.length < before.length || before.some((item, index) => shrinks(item, after[index]));
  }
  if (!isMapping(before)) return false;
  return !isMapping(after) || Object.keys(before).some((key) => shrinks(before[key], after[key]));
}

function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  if (Array.isArray(value)) return value.map(plain);
  if (!isMapping(value)) return value ?? undefined;
  const entries = Object.entries(value).map(([key, inner]) => [key, plain(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}
