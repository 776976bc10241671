/** Changes of a mapping whose fields stand below each other. */
import { isSeq, type Pair, type YAMLMap } from 'yaml';
import { entryFields, FIELD_NAMES, type FieldName, fieldOf } from '../../contract/fields.ts';
import {
  columnOf,
  endWithComments,
  insertLines,
  isBlankLine,
  isFirstOnLine,
  lineBreakAt,
  lineStart,
  type Splice,
  startWithComments,
  withoutDoubleBlank,
} from './lines.ts';
import { listStyle } from './list-edit.ts';
import { fieldLines, type ListStyle, NEW_STYLE } from './new-lines.ts';
import { dashOf, endOfItem, startOfNode } from './nodes.ts';
import type { OpenFile } from './open.ts';
import { RefusedEdit } from './refusal.ts';
import type { WrittenValue } from './value.ts';

const keyOf = (pair: unknown): string => String((pair as Pair<{ value: unknown }>).key.value);
const keyStart = (map: YAMLMap, index: number): number =>
  startOfNode((map.items[index] as Pair).key as never);

/** Takes a field out, with the comments on its lines. */
export function fieldRemoval(text: string, map: YAMLMap, index: number): Splice {
  const start = keyStart(map, index);
  const end = endOfField(text, map, index);
  if (isFirstOnLine(text, start)) {
    const from = lineStart(text, start);
    // A byte-order mark is no part of the field.
    const mark = text[from] === '\ufeff' ? 1 : 0;
    return withoutDoubleBlank(text, { start: from + mark, end, text: '' });
  }
  // The first field of an entry stands behind its dash, where the next one takes its place.
  if (map.items.length === 1) throw new RefusedEdit('unwritable', start);
  return { start, end: keyStart(map, index + 1), text: '' };
}

function endOfField(text: string, map: YAMLMap, index: number): number {
  return endWithComments(text, endOfItem(text, map, index), columnOf(text, keyStart(map, index)));
}

/** A field that is put in, and its place among the others. */
type Insertion = { readonly splice: Splice; readonly index: number };

/**
 * Ways to put a field at its place in the order of the fields. Between groups, a blank line comes with it where the file has
 * those; below a block that keeps its last line ends, the blank line would become a part of the text.
 *
 * @param list whose entry the mapping is; empty for a property.
 */
export function* fieldInsertions(
  file: OpenFile,
  map: YAMLMap,
  list: string,
  name: string,
  value: WrittenValue,
): Generator<Insertion> {
  const { text } = file;
  if (map.items.length === 0) {
    const style = { ...styleOf(file), eol: lineBreakAt(text, text.length) };
    yield { splice: insertLines(text, text.length, fieldLines(name, value, 0, style)), index: 0 };
    return;
  }
  const column = columnOf(text, keyStart(map, 0));
  const style = styleOf(file);
  const written = fieldLines(name, value, column, style);
  const margin = ' '.repeat(column);
  const place = placeOf(map.items.map(keyOf), list, name);
  if ('before' in place) {
    const { before: index } = place;
    const start = keyStart(map, index);
    // Comments above the first field may be of the file, and the first field of an entry stands behind its dash.
    const splice =
      index > 0
        ? insertLines(text, startWithComments(text, start), margin + written)
        : { start, end: start, text: written + style.eol + margin };
    yield { splice, index };
    return;
  }
  const end = endOfField(text, map, place.after);
  const example = belowExample(text, end, name);
  const index = place.after + 1;
  if (place.isNewGroup && example === end && hasBlankLines(text, map)) {
    yield { splice: insertLines(text, end, style.eol + margin + written), index };
  }
  yield { splice: insertLines(text, example, margin + written), index };
}

/** The field that a new one goes below, or above. */
type FieldPlace = { readonly after: number; readonly isNewGroup: boolean } | { readonly before: number };

/** A new field stands beside one of its group, the one before it if there is one; else below the group before. */
function placeOf(keys: readonly string[], list: string, name: string): FieldPlace {
  const order: readonly string[] = list === '' ? FIELD_NAMES : [...entryFields(list).keys()];
  const rank = order.indexOf(name);
  if (rank < 0) return { after: keys.length - 1, isNewGroup: false };
  const isBeside = (key: string) => list !== '' || groupOf(key) === groupOf(name);
  const above = order.slice(0, rank).filter((key) => keys.includes(key));
  const below = order.slice(rank + 1).find((key) => keys.includes(key) && isBeside(key));
  const nearest = above.findLast(isBeside) ?? (below === undefined ? above.at(-1) : undefined);
  if (nearest !== undefined) return { after: keys.indexOf(nearest), isNewGroup: !isBeside(nearest) };
  return { before: below === undefined ? 0 : keys.indexOf(below) };
}

const groupOf = (name: string): string | undefined => fieldOf(name as FieldName)?.group;

/** Whether blank lines separate groups of fields in the file, as they do where nothing says otherwise. */
function hasBlankLines(text: string, map: YAMLMap): boolean {
  const names = map.items.map(keyOf);
  const edges = names.flatMap((name, index) =>
    index > 0 && groupOf(name) !== groupOf(names[index - 1]!) ? [index] : [],
  );
  return (
    edges.length === 0 ||
    edges.some((index) =>
      isBlankLine(text, lineStart(text, startWithComments(text, keyStart(map, index)) - 1)),
    )
  );
}

/** Where the file's own example of a field ends, such as `# email: ...`, when it stands below an offset; else the offset. */
function belowExample(text: string, offset: number, name: string): number {
  const example = new RegExp(
    `^(?:[ \\t]*(?:#[^\\n]*)?\\r?\\n)*?[ \\t]*#[ \\t]*${name}:[^\\n]*\\r?\\n(?:[ \\t]*#[ \\t]{2,}[^\\n]*\\r?\\n)*`,
  );
  const found = /^\w+$/.test(name) ? example.exec(text.slice(offset)) : null;
  return offset + (found?.[0].length ?? 0);
}

/** How the file writes lists: as its first one. */
function styleOf({ text, root }: OpenFile): ListStyle {
  const eol = lineBreakAt(text, startOfNode(root));
  for (const [index, { value }] of (root.items as Pair[]).entries()) {
    if (!isSeq(value) || value.flow || value.items.length === 0) continue;
    const indent = columnOf(text, dashOf(value, 0)) - columnOf(text, keyStart(root, index));
    return { ...listStyle(text, value, indent), eol };
  }
  return { ...NEW_STYLE, eol };
}

/** Writes a whole field at its place, where its value is of another kind, or missing. */
export function fieldReplacement(file: OpenFile, map: YAMLMap, index: number, value: WrittenValue): Splice {
  const { text } = file;
  const start = keyStart(map, index);
  const end = endOfItem(text, map, index);
  const [name = '', ...lines] = fieldLines(
    keyOf(map.items[index]),
    value,
    columnOf(text, start),
    styleOf(file),
  ).split(/(?=\r?\n)/);
  // A comment behind the name stays there.
  const tail = /^[ \t]+#[^\r\n]*/.exec(text.slice(end))?.[0] ?? '';
  return { start, end: end + tail.length, text: name + tail + lines.join('') };
}
