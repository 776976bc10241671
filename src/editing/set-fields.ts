// Edits a property file. Discards a result that does not parse to exactly the intended values, or that lost a comment.

import { isDeepStrictEqual } from 'node:util';
import { isAlias, isMap, isNode, isScalar, type Scalar, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { STANDARD_FIELD_TABLE } from '../contract/terms.ts';
import { parseWithinBounds } from '../source/bounded-yaml.ts';
import { isIgnoredTag } from '../source/yaml-tag.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import { type EditableText, type FieldLines, parseEditable, yamlTokens } from './editable-text.ts';
import { DEFAULT_FIELD_STYLE, type FieldStyle, fieldYaml, rankIn } from './field-text.ts';
import type { AuthoredValue, FieldValues } from './field-values.ts';
import { formatText } from './format.ts';
import { type Refusal, RefusedEdit, refusalAt } from './refusal.ts';
import { type RewriteContext, rewriteValue, scalarTextInStyleOf, withLineEndings } from './rewrite-value.ts';
import { scalarText } from './scalar.ts';

export function setFields(
  text: string,
  values: FieldValues,
  table: FieldTable = STANDARD_FIELD_TABLE,
): { readonly text: string } | Refusal {
  return orRefusal(text, () => {
    const before = parseEditable(text);
    const changes = Object.entries(values)
      .filter(([name, value]) =>
        value === null ? Object.hasOwn(before.value, name) : !isSame(before.value[name], value),
      )
      .sort(([a], [b]) => rankOf(a, table) - rankOf(b, table));
    if (changes.length === 0) return { text };
    const start = before.fields.find(({ name }) => Object.hasOwn(values, name))?.start ?? 0;
    const { edited, gone } = textWith(parseEditable(text), changes, text, table);
    if (isIntendedResult(before, edited, changes, gone)) return { text: edited };
    if (parseWithinBounds(edited).excess) throw new RefusedEdit('too-long', 0);
    const formatted = formatText(text, table) ?? text;
    const helps = formatted !== text && 'text' in setFields(formatted, values, table);
    throw new RefusedEdit(helps ? 'unformatted' : 'unwritable', start);
  });
}

/** Writes a value that several fields share (anchor and alias) into each of them. No value changes. */
export function separateSharedValues(
  text: string,
  table: FieldTable = STANDARD_FIELD_TABLE,
): { readonly text: string } | Refusal {
  return orRefusal(text, () => {
    const before = parseEditable(text);
    const shared = before.fields.filter(isShared);
    const changes = shared.map(({ name }) => [name, before.value[name] as AuthoredValue] as const);
    const { edited, gone } = textWith(parseEditable(text), changes, text, table, separatedBody);
    if (isIntendedResult(before, edited, changes, gone)) return { text: edited };
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
  { text, table, style }: RewriteContext,
  { pair, name, start, body }: FieldLines,
  value: AuthoredValue,
): string {
  let hasAlias = false;
  visit(pair as never, {
    Alias: () => {
      hasAlias = true;
    },
  });
  if (hasAlias) return fieldYaml(name, value, table, style);
  const anchors = yamlTokens(text, 'anchor').filter(
    ({ offset }) => offset >= start && offset < start + body.length,
  );
  return anchors.reduceRight(
    (lines, { offset, source }) =>
      lines.slice(0, offset - start).trimEnd() + lines.slice(offset - start + source.length),
    body,
  );
}

/** Renames the keys at paths such as `['photo', 0, 'Description']` and changes nothing else. */
export function renameKeys(text: string, renames: readonly Renaming[]): { readonly text: string } | Refusal {
  return orRefusal(text, () => {
    const before = parseEditable(text);
    const value = structuredClone(before.value) as Record<string, never>;
    const keys = renames.map(({ path, to }) => {
      const field = before.fields.find(({ name }) => name === path[0])!;
      refuseShared(before, field);
      const inner = path.slice(0, -1);
      const from = String(path.at(-1));
      const holder = inner.reduce<Record<string, unknown>>((one, step) => one[step] as never, value);
      holder[to] = holder[from];
      delete holder[from];
      const map = inner.length === 0 ? undefined : ((field.pair.value as YAMLSeq).get(path[1]) as YAMLMap);
      const pair = map ? map.items.find(({ key }) => String(key) === from)! : field.pair;
      return { node: pair.key as Scalar, to, flow: map?.flow === true };
    });
    const edited = keys
      .sort((a, b) => b.node.range![0] - a.node.range![0])
      .reduce((lines, { node, to, flow }) => {
        const [start, end] = node.range!;
        return (
          lines.slice(0, start) + scalarTextInStyleOf(node, to, { flow, number: false }) + lines.slice(end)
        );
      }, text);
    if (isDeepStrictEqual(parseEditable(edited).value, value)) return { text: edited };
    throw new RefusedEdit('unwritable', 0);
  });
}

export type Renaming = { readonly path: readonly (string | number)[]; readonly to: string };

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
  return rankIn([...all.keys()], name);
}

type Changes = readonly (readonly [name: string, value: AuthoredValue])[];

function textWith(
  file: EditableText,
  changes: Changes,
  text: string,
  table: FieldTable,
  separated?: typeof separatedBody,
): { readonly edited: string; readonly gone: RewriteContext['gone'] } {
  const { head, fields } = file;
  let { tail } = file;
  const style = styleOf(fields);
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const edit: RewriteContext = { text, table, style, eol, gone: [] };
  for (const [name, value] of changes) {
    const field = fields.find((one) => one.name === name);
    const other = field ? undefined : renamedFrom(file, changes, value);
    for (const one of [field, other]) if (one && !separated) refuseShared(file, one);
    if (other) renameField(other, name);
    else if (field && value === null) {
      edit.gone.push([field.start, field.start + field.body.length]);
      tail = removeField(fields, field) + tail;
    } else if (field && separated) field.body = withLineEndings(edit, separated(edit, field, value));
    else if (field) {
      const { pair: item, token, start: at, body } = field;
      field.body = rewriteValue(edit, { name, item, token, at, end: at + body.length }, value);
    } else if (value !== null)
      insertField(fields, name, withLineEndings(edit, fieldYaml(name, value, table, style)), eol, table);
  }
  const joined = withLineEnds([head, ...fields.flatMap(({ lead, body }) => [lead, body]), tail], eol);
  const isEnded = /\n$/.test(text) || text.replace('\ufeff', '') === '';
  return { edited: isEnded ? joined : joined.replace(/(?:\r?\n)+$/, ''), gone: edit.gone };
}

/** Finds a removed field whose value equals that of the added field: renaming the removed field keeps its lines. */
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

/** Adds missing line endings between the pieces: the last field of a file may have none. */
function withLineEnds(pieces: readonly string[], eol: string): string {
  let joined = '';
  // Holds at least the last line of `joined`: matching the whole of `joined` for each piece would take seconds.
  let end = '';
  for (const piece of pieces) {
    const isMissing = piece !== '' && end !== '' && end !== '\ufeff' && !/\n[ \t]*$/.test(end);
    joined += isMissing ? eol + piece : piece;
    end = /^[ \t]*$/.test(piece) ? end + piece : piece;
  }
  return joined;
}

/** Returns comments that belong to no field any more. */
function removeField(fields: FieldLines[], field: FieldLines): string {
  const index = fields.indexOf(field);
  fields.splice(index, 1);
  const below = fields[index];
  if (!below) return field.lead.includes('#') ? field.lead : '';
  const isDouble = BLANK_END.test(field.lead) && /^[ \t]*\r?\n/.test(below.lead);
  below.lead = (isDouble ? field.lead.replace(BLANK_END, '') : field.lead) + below.lead;
  return '';
}

const BLANK_END = /(?<=^|\n)[ \t]*\r?\n$/;

/**
 * Inserts the field below the preceding one of its group, or else above the following one. If the group has no other
 * field, inserts it below the preceding group. An unknown field goes to the end.
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

/** End offset of a field's commented-out example, as `catalogue new` writes it (`# email: ...`). */
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

/** @throws RefusedEdit for an explicit key, a tag, or a link between values: an anchor, an alias or a merge key */
function refuseShared({ value }: EditableText, { pair, token, start }: FieldLines): void {
  if (token.start.some(({ type }) => type === 'explicit-key-ind') || !token.sep)
    throw new RefusedEdit('explicit-key', start);
  if (Object.hasOwn(value, '<<')) throw new RefusedEdit('merge-key', start);
  visit(pair as never, (_role, node) => {
    if (!isNode(node)) return;
    const offset = node.range?.[0] ?? start;
    if (isAlias(node) || node.anchor !== undefined) throw new RefusedEdit('anchor', offset);
    if (node.tag !== undefined && !(isScalar(node) && isIgnoredTag(node.tag)))
      throw new RefusedEdit('tag', offset);
    if (isMap(node) && node.items.some(({ key }) => isScalar(key) && key.value === '<<'))
      throw new RefusedEdit('merge-key', offset);
  });
}

function isIntendedResult(
  before: EditableText,
  text: string,
  changes: Changes,
  gone: RewriteContext['gone'],
): boolean {
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
  return reads && isDeepStrictEqual(order(after), order(before)) && keepsComments(before, after, gone);
}

function keepsComments(before: EditableText, after: EditableText, gone: RewriteContext['gone']): boolean {
  const stay = before.comments.filter(
    ({ offset }) => !gone.some(([start, end]) => offset >= start && offset < end),
  );
  const texts = (comments: EditableText['comments']) => comments.map(({ source }) => source.trimEnd()).sort();
  return isDeepStrictEqual(texts(after.comments), texts(stay));
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
