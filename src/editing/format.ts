import { isDeepStrictEqual } from 'node:util';
import {
  isMap,
  isScalar,
  isSeq,
  type Node,
  Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { fieldsIn, INTERFACE_FIELDS } from '../contract/terms.ts';
import { isNullWord } from '../source/null-word.ts';
import { blockScalarLines, isBlockScalar } from './block-scalar.ts';
import { commentOf, cutCommentLines, type FileComments } from './comment-lines.ts';
import { isPlainNull, yamlComments } from './editable-text.ts';
import { DEFAULT_FIELD_STYLE, fieldText, PrintedScalar } from './field-text.ts';
import { propertyMappingIn, splitAtDocumentMarkers } from './formattable-source.ts';
import { type ScalarPlace, scalarText } from './scalar.ts';

/** Maximum length of a list on one line (`[wifi, parking]`), in UTF-16 units. */
const LIST_WIDTH = 100;

type Field = Pair<Scalar, Node | null>;

/**
 * Idempotent. Undefined if the text is unreadable, is not a property, or has anchors, aliases, tags or nested lists.
 */
export function formatText(text: string, table: FieldTable = INTERFACE_FIELDS): string | undefined {
  const source = text.replace(/\r\n/g, '\n');
  let formatted: string | undefined = source;
  // Repeats until nothing changes: a moved comment may change where blank lines are found.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before: string = formatted;
    formatted = formatOnce(before, table);
    if (formatted === before) break;
    if (formatted === undefined) return undefined;
  }
  if (formatted === source) return text;
  return text.includes('\r\n') ? formatted.replace(/\n/g, '\r\n') : formatted;
}

const MAX_ROUNDS = 4;

function formatOnce(source: string, table: FieldTable): string | undefined {
  const { top, body, end } = splitAtDocumentMarkers(isCommentLast(source) ? `${source.trimEnd()}\n` : source);
  const root = propertyMappingIn(body);
  if (!root) return undefined;
  const formatted = top + print(root, body, table) + end;
  if (formatted === source) return source;
  // Discards a result that lost a value or a comment.
  if (!isDeepStrictEqual(valuesOf(formatted), valuesOf(source))) return undefined;
  return isDeepStrictEqual(commentTexts(formatted), commentTexts(source)) ? formatted : undefined;
}

function isCommentLast(source: string): boolean {
  const last = yamlComments(source).at(-1);
  return last !== undefined && source.trimEnd().length <= last.offset + last.source.length;
}

function valuesOf(text: string): unknown {
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  visit(document, {
    Pair(_role, pair) {
      pair.value ??= new Scalar('');
    },
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
  return yamlComments(text)
    .map(({ source }) => source.trimEnd())
    .sort();
}

/** `comments`: lines above the field, without `#`; an empty string is a blank line. `behind`: lines below its value. */
type Row = {
  readonly pair: Field;
  readonly comments: string[];
  behind: readonly string[];
  isSpaced: boolean;
};

function print(parsed: YAMLMap, source: string, table: FieldTable): string {
  const { text, root, above, behind, below } = withoutComments(parsed, source);
  const rows = rowsOf(root.items as Field[]);
  for (const [index, row] of rows.entries()) {
    row.behind = behind[index]!;
    row.comments.unshift(...above[index]!.comments);
    row.isSpaced = above[index]!.isSpaced;
  }
  const [first] = rows;
  // Comments that a blank line separates from the first field belong to the file as a whole.
  const header = first!.comments.splice(0, first!.comments.lastIndexOf('') + 1);
  if (header.length > 0) first!.isSpaced = true;
  const parts: string[] = [];
  const add = (line: string) => {
    if (line !== '' || !(parts.length === 0 || parts.at(-1) === '' || parts.at(-1)!.endsWith('\n')))
      parts.push(line);
  };
  for (const comment of header.slice(0, -1)) add(commentLine(comment));
  for (const { pair, comments, behind, isSpaced } of sorted(rows, [...table.all.keys()])) {
    if (pair.key.value === 'photo' && isSeq(pair.value)) renumber(pair.value);
    if (isSpaced) add('');
    for (const comment of comments) add(commentLine(comment));
    add(fieldLines(pair, text, table));
    for (const comment of behind) add(comment === '' ? '' : `  ${commentLine(comment)}`);
  }
  for (const comment of below) add(commentLine(comment));
  while (parts.at(-1) === '') parts.pop();
  return `${parts.join('\n')}\n`;
}

function withoutComments(root: YAMLMap, source: string) {
  return root.flow
    ? withoutFlowComments(root, source)
    : cutCommentLines(root, source, (text) => propertyMappingIn(text)!);
}

/**
 * For a flow mapping (`{ ... }`): collects only the comments above and below it. The `yaml` package attaches those
 * inside to the right fields.
 */
function withoutFlowComments(root: YAMLMap, source: string): FileComments {
  const { items, range, comment } = root;
  const linesOf = (text: string) =>
    text
      .split('\n')
      .map(commentOf)
      .filter((line) => line !== '');
  const head = linesOf(source.slice(0, range![0]));
  const above = items.map((_pair, index) => ({
    comments: index === 0 && head.length > 0 ? [...head, ''] : [],
    isSpaced: false,
  }));
  return {
    root,
    text: source,
    above,
    behind: items.map(() => []),
    below: [...(comment?.split('\n') ?? []), ...linesOf(source.slice(range![2]))],
  };
}

const commentLine = (text: string) => (text === '' ? '' : `#${text}`.trimEnd());

function rowsOf(pairs: readonly Field[]): Row[] {
  return pairs.map((pair) => {
    const { key } = pair;
    const comments = key.commentBefore?.split('\n') ?? [];
    comments.push(...betweenOf(pair));
    const row = { pair, comments, behind: [], isSpaced: key.spaceBefore === true };
    key.commentBefore = null;
    key.spaceBefore = false;
    return row;
  });
}

function betweenOf({ value }: Field): string[] {
  if (!isScalar(value) || !value.commentBefore) return [];
  const lines = value.commentBefore.split('\n').filter((line) => line !== '');
  if (lines.length === 1 && !value.comment) return [];
  value.commentBefore = null;
  return lines;
}

/** Unknown fields come last, in their order. The blank line above the first row stays at the top of the file. */
function sorted(rows: readonly Row[], fields: readonly string[]): Row[] {
  const rank = ({ pair }: Row) =>
    (fields.indexOf(String(pair.key.value)) + fields.length + 1) % (fields.length + 1);
  const result = [...rows].sort((a, b) => rank(a) - rank(b));
  const [before, after] = [rows[0]!, result[0]!];
  [before.isSpaced, after.isSpaced] = [after.isSpaced, before.isSpaced];
  return result;
}

function fieldLines({ key, value }: Field, source: string, table: FieldTable): string {
  const name = String(key.value);
  const remark = isSeq(value) ? remarkOf(value, source.slice(key.range?.[1])) : '';
  if (isSeq(value)) styleList(value, name, table);
  const text = fieldText(
    name,
    isSeq(value) ? value : written(value, { number: table.unquoted.has(name) }),
    table,
    DEFAULT_FIELD_STYLE,
  ).slice(0, -1);
  const printed = /[|>]/.test(text) ? text : text.trimEnd().replace(/\n{3,}/g, '\n\n');
  return remark ? printed.replace(/\n|$/, ` ${remark}$&`) : printed;
}

/** Removes and returns the comment on the line of a list's name, but not the one above the first entry. */
function remarkOf(list: YAMLSeq, source: string): string {
  const [, remark = '', blank] = /^["']?[ \t]*:[ \t]+(#.*)(\n[ \t]*\n)?/.exec(source) ?? [];
  const [first] = list.items as Node[];
  if (!remark || !first) return '';
  const above = [list.commentBefore, first.commentBefore].flatMap((text) => text?.split('\n') ?? []);
  above.splice(Math.max(0, above.indexOf(commentOf(remark))), 1);
  list.commentBefore = null;
  if (blank) list.spaceBefore = true;
  first.commentBefore = above.join('\n').replace(/^\n/, '') || null;
  return remark;
}

function styleList(list: YAMLSeq, name: string, table: FieldTable): void {
  const entries = list.items as (Scalar | YAMLMap)[];
  const texts = entries.map((entry) => (isScalar(entry) ? oneLine(entry) : undefined));
  const line = `[${texts.join(', ')}]`;
  list.flow = list.flow === true && texts.every((text) => text !== undefined) && line.length <= LIST_WIDTH;
  list.items = entries.map((entry) => {
    if (isScalar(entry)) {
      const { commentBefore, spaceBefore } = entry;
      entry.commentBefore = null;
      return Object.assign(written(entry, { flow: list.flow === true }, true), {
        commentBefore,
        spaceBefore,
      });
    }
    const fields = [...fieldsIn(table, name).keys()];
    const rows = sorted(rowsOf(entry.items as Field[]), fields);
    if (entry.commentBefore) rows[0]!.comments.unshift(...entry.commentBefore.split('\n'));
    entry.flow = false;
    entry.commentBefore = null;
    // A blank line below a text that ends with one would become part of the text.
    const endBlank = rows.map(({ pair: { value } }) => isScalar(value) && /\n\n$/.test(String(value.value)));
    entry.items = rows.map(({ pair, comments, isSpaced }, index) => {
      const holder = index === 0 ? entry : pair.key;
      if (comments.length > 0) holder.commentBefore = comments.join('\n');
      if (isSpaced && !endBlank[index - 1]) holder.spaceBefore = true;
      pair.value = written(pair.value, { number: table.unquoted.has(`${name}.${pair.key.value}`) });
      return pair;
    });
    return entry;
  });
}

function oneLine(entry: Scalar): string | undefined {
  if (entry.comment || entry.commentBefore || isBlockScalar(entry)) return undefined;
  return isPlainNull(entry) ? String(entry.value) : scalarText(String(entry.value), { flow: true });
}

function written(node: unknown, place: ScalarPlace, isItem = false): Scalar {
  const scalar = new Scalar(new PrintedScalar(isScalar(node) ? writtenText(node, place, isItem) : ''));
  const { comment, commentBefore } = Object(node) as Scalar;
  const remark = comment || commentBefore;
  if (remark) scalar.comment = remark.trimEnd().replace(/^\n+/, '') || ' ';
  return scalar;
}

function writtenText(node: Scalar, place: ScalarPlace, isItem: boolean): string {
  const text = String(node.value);
  if (isBlockScalar(node) && text.trim() !== '') {
    const [header = '', ...lines] = blockScalarLines(node, text);
    // In a list, lines of a block align with its header, not with the dash, unless the header has a number.
    const margin = isItem && !header.includes('2') ? '  ' : '';
    return [header, ...lines.map((line) => line && margin + line)].join('\n');
  }
  if (text === '' && node.type === 'PLAIN') return '';
  return isPlainNull(node) ? text : scalarText(text, place);
}

/** A photo's default position is its place in the list. Changes nothing if a position is invalid or occurs twice. */
function renumber(photos: YAMLSeq): void {
  const entries = photos.items.filter(isMap).map((photo, place) => {
    const given = photo.get('position', true);
    const text = isScalar(given) ? String(given.value).trim() : '';
    const position = text === '' ? place + 1 : /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : Number.NaN;
    return { photo, place, position, isGiven: text !== '' };
  });
  const positions = entries.map(({ position }) => position);
  if (entries.length < photos.items.length || positions.some(Number.isNaN)) return;
  if (new Set(positions).size < positions.length) return;
  entries.sort((a, b) => a.position - b.position);
  for (const [rank, { photo, place, isGiven }] of entries.entries()) {
    const text = String(rank + 1);
    if (isGiven) (photo.get('position', true) as unknown as Scalar).value = text;
    else if (place !== rank) {
      photo.delete('position');
      photo.add(new Pair(new Scalar('position'), new Scalar(text)));
    }
  }
}
