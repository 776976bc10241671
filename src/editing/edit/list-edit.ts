/** Changes of a list whose entries stand below each other, each behind a dash. */
import type { YAMLSeq } from 'yaml';
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
import { itemLines, type ListStyle } from './new-lines.ts';
import { dashOf, endOfItem } from './nodes.ts';
import { RefusedEdit } from './refusal.ts';
import type { WrittenValue } from './value.ts';

/** The lines of an entry: from the comments above it, and from its dash, to the line after it. */
type Lines = { readonly above: number; readonly start: number; readonly end: number };

function linesOf(text: string, list: YAMLSeq, index: number): Lines {
  const dash = dashOf(list, index);
  if (!isFirstOnLine(text, dash)) throw new RefusedEdit('unwritable', dash);
  const end = endWithComments(text, endOfItem(text, list, index), columnOf(text, dash));
  return { above: startWithComments(text, dash), start: lineStart(text, dash), end };
}

/** How a list writes its entries. */
export function listStyle(text: string, list: YAMLSeq, indent: number): ListStyle {
  const dash = dashOf(list, 0);
  const gap = /^-( +)[^\s#]/.exec(text.slice(dash, dash + 20))?.[1]?.length ?? 1;
  return { indent, step: gap + 1, eol: lineBreakAt(text, dash) };
}

/** Takes an entry out, with the comments on its lines; a blank line that stood on both sides stays once. */
export function itemRemoval(text: string, list: YAMLSeq, index: number): Splice {
  const { start, end } = linesOf(text, list, index);
  return withoutDoubleBlank(text, { start, end, text: '' });
}

/** Puts an entry into a list that has some; between blank lines where the others are. */
export function itemInsertion(
  text: string,
  list: YAMLSeq,
  index: number,
  value: WrittenValue,
  name: string,
): Splice {
  const count = list.items.length;
  const lines = Array.from({ length: count }, (_, place) => linesOf(text, list, place));
  const column = columnOf(text, dashOf(list, 0));
  const style = listStyle(text, list, 0);
  const margin = ' '.repeat(column);
  const written = margin + itemLines(name, value, column, style);
  const isSpaced =
    count > 1 && lines.slice(1).every(({ above }) => isBlankLine(text, lineStart(text, above - 1)));
  if (index < count) {
    return insertLines(text, lines[index]!.above, isSpaced ? written + style.eol : written);
  }
  return insertLines(text, lines[count - 1]!.end, isSpaced ? style.eol + written : written);
}

/** Brings entries into another order, each with the comments above it; blank lines between them stay where they are. */
export function itemMove(text: string, list: YAMLSeq, order: readonly number[]): Splice[] {
  const lines = order.map((_, index) => linesOf(text, list, index));
  return order.flatMap((from, index) => {
    if (from === index) return [];
    const { above: start, end } = lines[index]!;
    const written = text.slice(lines[from]!.above, lines[from]!.end).replace(/\r?\n$/, '');
    const ending = /\r?\n$/.exec(text.slice(start, end))?.[0] ?? '';
    return [{ start, end, text: written + ending }];
  });
}
