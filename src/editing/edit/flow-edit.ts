/** Changes between brackets: `[wifi, parking]`, `{file: a.jpg}`. */
import type { CST, Node, Pair } from 'yaml';
import { isMap } from 'yaml';
import { isFirstOnLine, lineBreakAt, lineStart, type Splice } from './lines.ts';
import { type Collection, endOfItem, startOfNode } from './nodes.ts';

/** Where an entry or a field starts. */
function startOfItem(holder: Collection, index: number): number {
  const item = holder.items[index];
  return startOfNode((isMap(holder) ? (item as Pair).key : item) as Node);
}

/** Takes one out, with a comma. */
export function flowRemoval(text: string, holder: Collection, index: number): Splice {
  if (index < holder.items.length - 1) {
    return { start: startOfItem(holder, index), end: startOfItem(holder, index + 1), text: '' };
  }
  const end = endOfItem(text, holder, index);
  if (index > 0) return { start: endOfItem(text, holder, index - 1), end, text: '' };
  // A comma may stand behind the last one, but not alone.
  const comma = /^[ \t]*,/.exec(text.slice(end))?.[0] ?? '';
  return { start: startOfItem(holder, 0), end: end + comma.length, text: '' };
}

/** Puts one in. */
export function flowInsertion(text: string, holder: Collection, index: number, written: string): Splice {
  const count = holder.items.length;
  if (count === 0) {
    const at = (holder.srcToken as CST.FlowCollection).start.offset + 1;
    return { start: at, end: at, text: written };
  }
  const next = startOfItem(holder, Math.min(index, count - 1));
  // Where each stands on a line of its own, so does this one.
  const between = isFirstOnLine(text, next)
    ? `,${lineBreakAt(text, next)}${text.slice(lineStart(text, next), next)}`
    : ', ';
  if (index < count) return { start: next, end: next, text: written + between };
  const end = endOfItem(text, holder, count - 1);
  return { start: end, end, text: between + written };
}

/** Brings an entry to another place: each place gets the text of another entry, and what stands between stays. */
export function flowMove(text: string, holder: Collection, order: readonly number[]): Splice[] {
  const stretch = (index: number) => ({
    start: startOfItem(holder, index),
    end: endOfItem(text, holder, index),
  });
  return order.flatMap((from, index) => {
    const source = stretch(from);
    return from === index ? [] : [{ ...stretch(index), text: text.slice(source.start, source.end) }];
  });
}
