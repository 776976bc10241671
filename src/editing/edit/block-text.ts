/** Texts in lines below a header (YAML 1.2.2, 8.1): `|` keeps line ends, `>` folds them. */
import type { CST, Scalar } from 'yaml';
import { lineBreakAt, lineTail, type Splice } from './lines.ts';

/** What no line of a block can hold; a tab may stand within one. */
const NOT_IN_BLOCK = /[^\t\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** A block as it stands in the file. */
export type Block = {
  /** Offset of the header, and its text, such as `>-`. */
  readonly start: number;
  readonly header: string;
  /** Offset of the first line of the text. */
  readonly body: number;
  /** Offset behind the last line that is not blank, without its line end. */
  readonly end: number;
  /** White space at the start of each line. */
  readonly indent: string;
  /** The lines, without it. */
  readonly lines: readonly string[];
};

/** Takes a block apart. `indent`: of its lines, where it has none. */
export function blockOf(text: string, scalar: Scalar, indent: string): Block | undefined {
  const { props, source, indent: parent } = scalar.srcToken as CST.BlockScalar;
  const header = props.find(({ type }) => type === 'block-scalar-header');
  const last = props.at(-1);
  if (!header || !('source' in header) || !last || !('source' in last)) return undefined;
  const body = last.offset + last.source.length;
  const lines = source.split(/\r?\n/);
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  const [digit] = /[1-9]/.exec(header.source) ?? [];
  const first = lines.find((line) => line.trim() !== '') ?? indent;
  const margin = digit ? ' '.repeat(Math.max(0, parent) + Number(digit)) : /^ */.exec(first)![0];
  const length =
    lines.length === 0 ? 0 : source.split('\n').slice(0, lines.length).join('\n').replace(/\r$/, '').length;
  return {
    start: header.offset,
    header: header.source,
    body,
    end: lines.length === 0 ? lineTail(text, header.offset) : body + length,
    indent: margin,
    lines: lines.map((line) => line.slice(margin.length)),
  };
}

/**
 * The lines of a text as a block has them, without indentation; undefined where a block cannot hold it. The line ends at its
 * end are the block's own.
 */
export function linesFor(block: Pick<Block, 'header' | 'lines'>, text: string): string[] | undefined {
  const hasDigit = /[1-9]/.test(block.header);
  if (NOT_IN_BLOCK.test(text) || /\s$/.test(text) || text === '') return undefined;
  if (!hasDigit && /^\n*[ \t]/.test(text)) return undefined;
  const lines = text.split('\n');
  return block.header.startsWith('>') ? folded(lines, block.lines) : lines;
}

/** Lines in the form in which `>` gives them back. Paragraphs that were there keep their lines. */
function folded(lines: readonly string[], before: readonly string[]): string[] | undefined {
  // Lines with white space in front are not folded, nor are those beside them.
  if ([...lines, ...before].some((line) => /^[ \t]/.test(line))) return undefined;
  const known = new Map<string, readonly string[]>();
  let paragraph: string[] = [];
  for (const line of [...before, '']) {
    if (line !== '') paragraph.push(line);
    else {
      known.set(paragraph.join(' '), paragraph);
      paragraph = [];
    }
  }
  const width = before.some((line, index) => line !== '' && before[index + 1])
    ? Math.max(...before.map((line) => line.length))
    : 100;
  const result: string[] = [];
  for (const line of lines) {
    if (line === '') result.push('');
    else {
      if (result.some((above) => above !== '')) result.push('');
      result.push(...(known.get(line) ?? wrapped(line, width)));
    }
  }
  return result;
}

/** A line as several, cut at single spaces, of at most `width` characters where words allow it. */
function wrapped(line: string, width: number): string[] {
  const result: string[] = [];
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const last = result.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      result[result.length - 1] = `${last} ${word}`;
    else result.push(word);
  }
  return result;
}

/** Writes other lines into a block. */
export function blockSplices(text: string, block: Block, header: string, lines: readonly string[]): Splice[] {
  const eol = lineBreakAt(text, block.start);
  const indented = lines.map((line) => (line === '' ? '' : block.indent + line)).join(eol);
  const isEmpty = block.lines.length === 0;
  return [
    ...(header === block.header
      ? []
      : [{ start: block.start, end: block.start + block.header.length, text: header }]),
    isEmpty
      ? { start: block.end, end: block.end, text: eol + indented }
      : { start: block.body, end: block.end, text: indented },
  ];
}

/** The line ends that a block gives its text, whatever the text. `before`: what it said. */
export function endingOf({ header }: Block, before: string): string {
  if (header.includes('-')) return '';
  return header.includes('+') ? (/\n*$/.exec(before)?.[0] ?? '') : '\n';
}
