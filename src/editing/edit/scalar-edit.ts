/** Writes a text in the place of another one, in the style that it has. */
import { isScalar, type Scalar } from 'yaml';
import { UNQUOTED_NAMES } from '../../contract/fields.ts';
import { doubleQuoted, isMisleading, scalarText, singleQuoted } from '../scalar.ts';
import { blockOf, blockSplices, endingOf, linesFor } from './block-text.ts';
import { columnOf, lineBreakAt, lineTail, type Splice } from './lines.ts';
import { colonEnd, dashOf, isBlock, type Slot, startOfNode } from './nodes.ts';
import { RefusedEdit } from './refusal.ts';

/** A way to write a text. */
export type WrittenText = {
  readonly splices: readonly Splice[];
  /** What the file says then: the text, with the line ends that a block gives it. */
  readonly means: string;
};

/** Ways to write a text at a place that has a scalar, or nothing; the nicest first. */
export function* scalarWays(file: string, slot: Slot, name: string, to: string): Generator<WrittenText> {
  const { node, pair, flow } = slot;
  const place = { flow, number: UNQUOTED_NAMES.has(name) };
  const indent = ' '.repeat(columnOf(file, anchorOf(slot)) + 2);
  if (node === undefined) {
    const start = pair ? colonEnd(pair) : dashOf(slot.holder as never, slot.index!) + 1;
    if (!flow) yield* asNewBlock(file, { start, end: start }, ' ', indent, to);
    yield { splices: [{ start, end: start, text: ` ${scalarText(to, place)}` }], means: to };
    return;
  }
  if (!isScalar(node)) throw new RefusedEdit('wrong-kind', startOfNode(node));
  if (isBlock(node)) {
    yield* inBlock(file, node, indent, to);
    return;
  }
  const [start, end] = node.range!;
  const hasEscapes = node.type === 'QUOTE_DOUBLE' && String(node.value).includes('\n');
  if (!flow && !hasEscapes) yield* asNewBlock(file, { start, end }, '', indent, to);
  yield { splices: [{ start, end, text: inStyle(node, to, place) }], means: to };
  yield { splices: [{ start, end, text: doubleQuoted(to) }], means: to };
}

/** Where what holds a value starts: its name, or its dash. */
function anchorOf({ pair, holder, index }: Slot): number {
  if (pair) return startOfNode(pair.key as Scalar);
  return holder.flow ? startOfNode(holder) : dashOf(holder as never, index!);
}

function inStyle(node: Scalar, to: string, place: { flow: boolean; number: boolean }): string {
  if (node.type === 'QUOTE_DOUBLE') return doubleQuoted(to);
  if (node.type === 'QUOTE_SINGLE') return singleQuoted(to) ?? doubleQuoted(to);
  // Who writes 01234 without quotes writes 01235 without them.
  const isNumeric = [String(node.source), to].every((text) => /^[+.\d]/.test(text) && isMisleading(text));
  return scalarText(to, { ...place, number: place.number || isNumeric });
}

/** Several lines become a block, which a person can read. */
function* asNewBlock(
  file: string,
  { start, end }: Omit<Splice, 'text'>,
  gap: string,
  indent: string,
  to: string,
): Generator<WrittenText> {
  if (!to.includes('\n')) return;
  const lines = linesFor({ header: '|-', lines: [] }, to);
  if (!lines) return;
  const eol = lineBreakAt(file, start);
  const below = lineTail(file, end);
  const body = lines.map((line) => eol + (line === '' ? '' : indent + line)).join('');
  yield {
    splices: [
      { start, end, text: `${gap}|-` },
      { start: below, end: below, text: body },
    ],
    means: to,
  };
}

function* inBlock(file: string, node: Scalar, indent: string, to: string): Generator<WrittenText> {
  const block = blockOf(file, node, indent);
  if (!block) throw new RefusedEdit('unwritable', startOfNode(node));
  const body = to.replace(/\n+$/, '');
  for (const header of [block.header, block.header.replace('>', '|')]) {
    const lines = linesFor({ ...block, header }, body);
    const means = body + endingOf(block, String(node.value));
    if (lines) yield { splices: blockSplices(file, block, header, lines), means };
  }
  const { start, header, end } = block;
  const tail = lineTail(file, start);
  const quoted = { start, end: start + header.length, text: doubleQuoted(to) };
  yield { splices: end > tail ? [quoted, { start: tail, end, text: '' }] : [quoted], means: to };
}
