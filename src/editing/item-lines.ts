import { type CST, isMap, isPair, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';

/**
 * Offsets of an item: a list entry, or a field of a mapping. `start`: start of the comments above the item or, without
 * comments, of the item's line. `at`: start of the item itself. `end`: end of the item and of the comments below that
 * belong to it.
 */
export type ItemRange = {
  readonly start: number;
  readonly at: number;
  readonly end: number;
  readonly item: unknown;
  readonly token: CST.CollectionItem;
};

const SPACING = new Set(['space', 'newline', 'comment', 'comma', 'byte-order-mark']);

/**
 * Decides which item owns a comment on a line of its own, for edits and for `catalogue format`. A comment that is
 * indented more deeply than the items belongs to the item above it; any other comment belongs to the next item. Above
 * the first item, a comment with another indentation than the items belongs to the collection. So does a comment below
 * the last item that is not indented more deeply. (The `yaml` package would attach every comment below an empty value
 * to that value.)
 * @param until an offset: the end of the collection and of the comments at its end
 */
export function itemRangesOf(
  { items, srcToken }: YAMLMap | YAMLSeq,
  text: string,
  until: number,
): ItemRange[] {
  const tokens = items.map((item, index) =>
    isPair(item)
      ? (item.srcToken as CST.CollectionItem)
      : (srcToken as CST.BlockSequence | CST.FlowCollection).items[index]!,
  );
  const starts = tokens.map(startOf);
  const column = columnOf(text, starts[0]!);
  let from = firstStart(text, starts[0]!, column);
  return items.map((item, index) => {
    const [start, at, token, next = until] = [from, starts[index]!, tokens[index]!, starts[index + 1]];
    from = Math.min(next, endOfIndentedComments(text, contentEnd(item, token), column, next));
    return { start, at, end: from, item, token };
  });
}

export function columnOf(text: string, offset: number): number {
  return text.slice(lineStart(text, offset), offset).replace('\ufeff', '').length;
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the first start of a line at or after `offset`; the text's length if there is none. */
export function lineBoundaryFrom(text: string, offset: number): number {
  return offset > 0 && text[offset - 1] === '\n' ? offset : text.indexOf('\n', offset) + 1 || text.length;
}

/** Returns the end of the comments below the line at `offset` that are indented more than `column`. */
export function endOfIndentedComments(text: string, offset: number, column: number, until: number): number {
  let end = lineBoundaryFrom(text, offset);
  for (let at = end; at < until; at = lineBoundaryFrom(text, at + 1)) {
    const [, indent = '', mark] = /^([ \t]*)([^\s]?)/.exec(text.slice(at, lineBoundaryFrom(text, at + 1)))!;
    if (mark === '#' && indent.length > column) end = lineBoundaryFrom(text, at + 1);
    else if (mark !== '') break;
  }
  return end;
}

function startOf({ start, key, sep, value }: CST.CollectionItem): number {
  const token = [...start, key, ...(sep ?? []), value].find((one) => one && !SPACING.has(one.type))!;
  return token.offset;
}

function firstStart(text: string, at: number, column: number): number {
  let start = lineStart(text, at);
  if (text.slice(start, at).trim() !== '') return at;
  for (let line = start; line > 0; ) {
    const above = lineStart(text, line - 1);
    const [, indent = '', mark] = /^([ \t]*)([^\s]?)/.exec(text.slice(above, line))!;
    if (mark !== '#' && mark !== '') break;
    if (mark === '#' && indent.length === column) start = above;
    line = above;
  }
  return start;
}

/** Returns where an item ends, without the comments after it. */
export function contentEnd(item: unknown, token: CST.CollectionItem): number {
  const value = (isPair(item) ? item.value : item) as Node | null;
  if ((isMap(value) || isSeq(value)) && !value.flow && value.items.length > 0) {
    const { items } = value.srcToken as CST.BlockMap | CST.BlockSequence;
    return contentEnd(value.items.at(-1), items[value.items.length - 1]!);
  }
  const [first = 0, end = 0] = value?.range ?? [];
  return end > first ? end : nameEnd(item, token);
}

/** End of the dash of an entry, or of the name of a field with its colon. */
export function nameEnd(item: unknown, { start, sep }: CST.CollectionItem): number {
  const mark = [...start, ...(sep ?? [])].findLast(({ type }) => !SPACING.has(type));
  const key = isPair(item) ? ((item as Pair<Node>).key.range?.[1] ?? 0) : 0;
  return Math.max(key, mark ? mark.offset + mark.source.length : 0);
}
