import { isDeepStrictEqual } from 'node:util';
import {
  type CST,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { fieldsIn, STANDARD_FIELD_TABLE } from '../contract/terms.ts';
import { isNullWord } from '../source/null-word.ts';
import { isPlainNull, yamlComments } from './editable-text.ts';
import { rankIn } from './field-text.ts';
import { propertyMappingIn, splitAtDocumentMarkers } from './formattable-source.ts';
import { contentEnd, type ItemRange, itemRangesOf, lineStart, nameEnd } from './item-lines.ts';
import { type ScalarContext, scalarText } from './scalar.ts';

/** Maximum length of a list on one line (`[wifi, parking]`), in UTF-16 units. */
const LIST_WIDTH = 100;

/**
 * Idempotent. Undefined if the text is unreadable, is not a property, has anchors, aliases, unusual tags or nested
 * lists, or would lose a value or a comment.
 */
export function formatText(text: string, table: FieldTable = STANDARD_FIELD_TABLE): string | undefined {
  const source = text.replace(/\r\n/g, '\n');
  const { top, body, end } = splitAtDocumentMarkers(source);
  const root = propertyMappingIn(body);
  if (!root) return undefined;
  const formatted = top + print(root, body, table) + end;
  if (formatted === source) return text;
  // Discards a result that lost a value or a comment.
  if (!isDeepStrictEqual(valuesOf(formatted), valuesOf(source))) return undefined;
  if (!isDeepStrictEqual(commentTexts(formatted), commentTexts(source))) return undefined;
  return text.includes('\r\n') ? formatted.replace(/\n/g, '\r\n') : formatted;
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

/** `above`: comments above a field or entry; an empty string is a blank line. `isSpaced`: a blank line comes first. */
type Row = { readonly name: string; readonly above: string[]; readonly body: string[]; isSpaced: boolean };

type File = {
  readonly text: string;
  readonly comments: ReturnType<typeof yamlComments>;
  readonly table: FieldTable;
  /** New positions of photos without the field `position`. */
  readonly positions: ReadonlyMap<unknown, string>;
};

function print(root: YAMLMap, text: string, table: FieldTable): string {
  const photos = root.get('photo');
  const added = isSeq(photos) ? renumber(photos) : new Map<unknown, string>();
  const file = { text, comments: yamlComments(text), table, positions: added };
  const open = root.flow ? root.range![0] : 0;
  const rows = rowsOf(file, '', root, open, text.length);
  const first = rows[0]!;
  // Comments that a blank line separates from the first field belong to the file as a whole.
  const lines = root.flow
    ? commentsIn(file, 0, open)
    : first.above.splice(0, first.above.lastIndexOf('') + 1);
  if (lines.length > 0) first.isSpaced = true;
  for (const row of sorted(rows, [...table.all.keys()])) add(lines, row);
  return `${lines.join('\n')}\n`;
}

function add(lines: string[], { isSpaced, above, body }: Row): void {
  for (const line of isSpaced ? ['', ...above] : above)
    if (line !== '' || (lines.length > 0 && lines.at(-1)!.trim() !== '')) lines.push(line);
  lines.push(...body);
}

/** If there are comments below the last item, they become one more row, without a name. */
function rowsOf(file: File, list: string, node: YAMLMap | YAMLSeq, start: number, end: number): Row[] {
  const rows: Row[] = [];
  let from = start;
  for (const lines of itemRangesOf(node, file.text, node.flow ? node.range![1] - 1 : end)) {
    const name = isPair(lines.item) ? String((lines.item.key as Scalar).value) : '';
    const row = itemRow(file, list, name, lines);
    const isBlank = isBlankAbove(file, from, lines.at);
    const lead = [...commentsIn(file, from, lines.at), ...(isBlank ? [''] : [])];
    // If the row above is a text that ends with a blank line, the blank line here is part of that text.
    const isSpaced = lead[0] === '' && rows.at(-1)?.body.at(-1)?.trim() !== '';
    if (lead[0] === '') lead.shift();
    rows.push({ ...row, above: [...lead, ...row.above], isSpaced });
    from = lines.end;
  }
  const above = commentsIn(file, from, end);
  return above.length === 0 ? rows : [...rows, { name: '', above, body: [], isSpaced: false }];
}

function commentsIn(file: File, start: number, end: number): string[] {
  return file.comments
    .filter(({ offset }) => offset >= start && offset < end)
    .flatMap(({ offset, source }) => [...(isBlankAbove(file, start, offset) ? [''] : []), source.trimEnd()]);
}

function isBlankAbove({ text }: File, from: number, offset: number): boolean {
  const line = lineStart(text, offset);
  return line > 0 && line >= from && text.slice(lineStart(text, line - 1), line).trim() === '';
}

function itemRow(file: File, list: string, name: string, lines: ItemRange): Row {
  const { item, token, at, end } = lines;
  const value = (isPair(item) ? item.value : item) as Node | null;
  const start = Math.max(at, nameEnd(item, token));
  if (isMap(value)) return entryRow(file, list, value, start, end);
  const label = isPair(item) ? `${scalarText(name, { number: list !== '' })}:` : '-';
  if (!isSeq(value)) {
    const place = { number: file.table.unquoted.has(list === '' ? name : `${list}.${name}`) };
    const written = isScalar(value) ? writtenText(value, place, !isPair(item)) : '';
    return scalarRow(file, lines, name, label, written);
  }
  const isNoted = value.items.length > 0 && commentsIn(file, value.range![0], value.range![1]).length > 0;
  const line = isNoted ? undefined : listOnLine(value);
  if (line !== undefined) return scalarRow(file, lines, name, label, line);
  const [skipped, beside] = remarkAt(file, start, end);
  const from = start + skipped.length;
  const first = Math.max(from, itemRangesOf(value, file.text, end)[0]!.start);
  const [, behind] = value.flow && beside === '' ? remarkAt(file, value.range![1], end) : ['', ''];
  const [remark, own] = withRemark(beside || behind, commentsIn(file, from, first));
  const body = [remark === '' ? label : `${label} ${remark}`];
  // Comments of the list are indented more deeply than the dashes, or they would become comments of the first entry.
  add(body, { name, above: own.map((line) => line && `  ${line}`), body: [], isSpaced: false });
  const moved = behind === '' ? -1 : file.comments.findIndex(({ offset }) => offset >= value.range![1]);
  const others = { ...file, comments: file.comments.filter((_comment, index) => index !== moved) };
  for (const row of rowsOf(others, name, value, first, end)) add(body, row);
  return { name, above: [], body: indented('', body), isSpaced: false };
}

/** Moves a single comment to the line of the name, unless that line already has a comment. */
function withRemark(remark: string, lines: string[]): readonly [remark: string, lines: string[]] {
  const own = lines.filter((line) => line !== '');
  return remark === '' && own.length === 1 ? [own[0]!, []] : [remark, lines];
}

function entryRow(file: File, list: string, entry: YAMLMap, start: number, end: number): Row {
  const rows = rowsOf(file, list, entry, start, end);
  const position = file.positions.get(entry);
  if (position) rows.push({ name: 'position', above: [], body: [`position: ${position}`], isSpaced: false });
  const [first, ...others] = sorted(rows, [...fieldsIn(file.table, list).keys()]);
  const body = [...first!.body];
  for (const row of others) add(body, row);
  return { ...first!, name: '', body: indented('- ', body) };
}

const indented = (label: string, lines: readonly string[]) =>
  lines.map((line, index) => (index === 0 ? label : line && '  ') + line);

function scalarRow(file: File, lines: ItemRange, name: string, label: string, text: string): Row {
  const { at, end, item, token } = lines;
  const content = contentEnd(item, token);
  const [first = '', ...rest] = text.split('\n');
  const [skipped, beside] = remarkAt(file, content, end);
  const [remark, inner] = withRemark(beside, commentsIn(file, at, content));
  const behind = commentsIn(file, content + skipped.length, end);
  const [mark, below] = text === '' ? withRemark(remark, behind) : [remark, behind];
  // A comment below a block scalar would become part of its text.
  const above = [...inner, ...(rest.length > 0 ? below : [])].filter((line) => line !== '');
  const body = [[label, first, mark].filter((part) => part !== '').join(' '), ...rest];
  return { name, above, body: indented('', rest.length > 0 ? body : [...body, ...below]), isSpaced: false };
}

/** `remark`: a comment after `offset` on its line. `text`: from `offset` to that comment's end. Both may be empty. */
function remarkAt({ text }: File, offset: number, end: number): readonly [text: string, remark: string] {
  if (lineStart(text, offset) === offset) return ['', ''];
  const [found = '', remark = ''] = /^[ \t]*[[,]?[ \t]+(#.*)/.exec(text.slice(offset, end)) ?? [];
  return [found, remark.trimEnd()];
}

/** Unknown fields come last, in their old order. A blank line above the first row stays above the new first row. */
function sorted(rows: readonly Row[], fields: readonly string[]): Row[] {
  const result = [...rows].sort((a, b) => rankIn(fields, a.name) - rankIn(fields, b.name));
  const [before, after] = [rows[0]!, result[0]!];
  [before.isSpaced, after.isSpaced] = [after.isSpaced, before.isSpaced];
  return result;
}

/** Undefined if the list has dashes, if an entry is not a scalar, or if the line would be too long. */
function listOnLine({ flow, items }: YAMLSeq): string | undefined {
  const texts = (items as Node[]).map((entry) => {
    if (!isScalar(entry)) return undefined;
    return isPlainNull(entry) ? String(entry.value) : scalarText(String(entry.value), { flow: true });
  });
  const line = `[${texts.join(', ')}]`;
  return flow && !texts.includes(undefined) && line.length <= LIST_WIDTH ? line : undefined;
}

function writtenText(node: Scalar, place: ScalarContext, isItem: boolean): string {
  const text = String(node.value);
  if (isBlockScalar(node) && text.trim() !== '') {
    const [header = '', ...lines] = blockScalarLines(node, text);
    // In a list, the text of a block scalar starts two columns to the right of its header (such as `|`). If the header
    // has a number (`|2`), the text starts two columns to the right of the dash, from which YAML counts.
    const margin = isItem && !header.includes('2') ? '  ' : '';
    return [header, ...lines.map((line) => line && margin + line)].join('\n');
  }
  if (text === '' && node.type === 'PLAIN') return '';
  return isPlainNull(node) ? text : scalarText(text, place);
}

const isBlockScalar = ({ type }: Scalar) => type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL';

function blockScalarLines(node: Scalar, text: string): string[] {
  const { source, indent, props } = node.srcToken as CST.BlockScalar;
  const header = (props.find(({ type }) => type === 'block-scalar-header') as CST.SourceToken).source;
  const given = Number(/\d/.exec(header)?.[0] ?? 0);
  const lines = source.split('\n');
  const margin = given > 0 ? indent + given : (lines.find((line) => line.trim() !== '')?.search(/[^ ]/) ?? 0);
  const content = lines.map((line) => line.slice(margin));
  // Blank lines at the end belong to the text only if the header keeps them (`|+`) or if they contain spaces.
  const isKept = header.includes('+') && /\n *\n$/.test(text);
  if (isKept) content.pop();
  else while (content.at(-1) === '') content.pop();
  const chomping = isKept ? '+' : text.endsWith('\n') ? '' : '-';
  // Without a number in the header, the spaces of the first line would count as indentation.
  const isMarked = content.find((line) => line !== '')?.startsWith(' ') === true;
  return [header.charAt(0) + (isMarked ? '2' : '') + chomping, ...content];
}

/**
 * Numbers the positions from 1 without gaps, in their order. A photo's default position is its place in the list.
 * Changes nothing if a position is invalid or occurs twice, or if an entry is not a mapping. Returns the positions to
 * add to photos without the field `position`.
 */
function renumber(photos: YAMLSeq): Map<unknown, string> {
  const added = new Map<unknown, string>();
  const entries = photos.items.filter(isMap).map((photo, place) => {
    const pair = photo.items.find(({ key }) => isScalar(key) && key.value === 'position');
    const text = isScalar(pair?.value) ? String(pair.value.value).trim() : '';
    const position = text === '' ? place + 1 : /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : Number.NaN;
    return { photo, pair, place, position, isGiven: text !== '' };
  });
  const positions = entries.map(({ position }) => position);
  if (entries.length < photos.items.length || positions.some(Number.isNaN)) return added;
  if (new Set(positions).size < positions.length) return added;
  entries.sort((a, b) => a.position - b.position);
  for (const [rank, { photo, pair, place, isGiven }] of entries.entries()) {
    const text = String(rank + 1);
    if (!isGiven && place === rank) continue;
    if (!pair) added.set(photo, text);
    else if (isScalar(pair.value)) Object.assign(pair.value, { value: text, type: 'PLAIN' });
    else pair.value = new Scalar(text);
  }
  return added;
}
