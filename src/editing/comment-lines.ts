/**
 * Decides which field or list entry a comment on a line of its own belongs to: the next one, or the one before if the
 * comment is indented more deeply than the next. The `yaml` package differs below an empty value and at a list's end.
 */
import {
  type CST,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isBlockScalar } from './block-scalar.ts';
import { yamlComments } from './editable-text.ts';
import { columnOf, contentEnd, lineStart, nameEnd, startOf } from './item-lines.ts';

type Field = Pair<Scalar, Node | null>;

/** A top-level field, the dash of a list entry, or a field of such an entry. */
type Part = {
  readonly start: number;
  /** End of the value. If the value is empty or consists of other parts, the end of the name or dash. */
  readonly end: number;
  readonly column: number;
  readonly value: unknown;
  readonly pair?: Field;
  /** `dash`: column of the dashes. */
  readonly within?: { readonly list: YAMLSeq; readonly entry: Node; readonly dash: number };
};

/** `comments`: lines above a field, without `#`; an empty string is a blank line. */
type LinesAbove = { readonly comments: string[]; readonly isSpaced: boolean };

/**
 * Comments outside of lists. `above` and `behind` have one item for each field: the comments above it, and those below
 * its value that belong to it. `below`: comments at the end of the file.
 */
export type FileComments = {
  /** The parsed `text`, from which all lines with only a comment were removed. */
  readonly root: YAMLMap;
  readonly text: string;
  readonly above: LinesAbove[];
  readonly behind: string[][];
  readonly below: string[];
};

/**
 * Removes the lines with only a comment from `source`. Those within lists become comments of the list's nodes.
 * @param parse parses the text that is left
 */
export function cutCommentLines(
  root: YAMLMap,
  source: string,
  parse: (text: string) => YAMLMap,
): FileComments {
  const before = partsOf(root, source);
  const { text, runs } = cutRuns(before, source);
  const left = text === source ? root : parse(text);
  const parts = text === source ? before : partsOf(left, text);
  const above: LinesAbove[] = [];
  const behind = left.items.map((): string[] => []);
  for (const [index, run] of runs.entries()) {
    const [previous, next] = [parts[index - 1], parts[index]];
    const { following, isSpaced } = attachBehind(run, previous, next, behind[above.length - 1] ?? []);
    if (!next?.within) above.push({ comments: following, isSpaced });
    else if (run.lines.length > 0) attachAbove(next.pair?.key ?? next.within.entry, following, isSpaced);
  }
  const { comments, isSpaced } = above.pop()!;
  return {
    root: left,
    text,
    above,
    behind,
    below: isSpaced && comments.length > 0 ? ['', ...comments] : comments,
  };
}

type Line = { readonly column: number; readonly text: string };

/** The lines above a part, from the first comment on. `isSpaced`: whether a blank line is above that comment. */
type Run = { readonly lines: readonly Line[]; readonly isSpaced: boolean };

function cutRuns(parts: readonly Part[], source: string): { readonly text: string; readonly runs: Run[] } {
  const offsets = yamlComments(source).map(({ offset }) => offset);
  const isAlone = (offset: number) => source.slice(lineStart(source, offset), offset).trim() === '';
  let text = '';
  let from = 0;
  const runs = [...parts, undefined].map((part, index): Run => {
    const { start } = part ?? { start: source.length };
    const previous = parts[index - 1];
    const end = previous?.end ?? 0;
    const first = offsets.find((offset) => offset >= end && offset < start && isAlone(offset));
    const kept = source.slice(from, first === undefined ? start : lineStart(source, first));
    text += kept;
    from = first !== undefined && part ? lineStart(source, start) : start;
    const lines =
      first === undefined ? [] : source.slice(lineStart(source, first), from).replace(/\n$/, '').split('\n');
    return {
      lines: lines.map((line) => ({ column: line.search(/\S|$/), text: commentOf(line) })),
      isSpaced: endsBlank(kept, previous?.value),
    };
  });
  return { text, runs };
}

function endsBlank(text: string, value: unknown): boolean {
  // In a block scalar, a blank line with more than two spaces, or one at the end, may belong to its text.
  return isScalar(value) && isBlockScalar(value)
    ? /\n {0,2}\n$/.test(text) && !/\n\n$/.test(String(value.value))
    : /\n[ \t]*\n$/.test(text);
}

/** Text after `#`. As in the `yaml` package, ' ' is an empty comment, and '' a blank line. */
export const commentOf = (line: string) => (line.trim() === '' ? '' : line.trim().slice(1) || ' ');

/** Attaches the lines that belong to `previous`, and returns the others, which belong to `next`. */
function attachBehind(
  run: Run,
  previous: Part | undefined,
  next: Part | undefined,
  behind: string[],
): { readonly following: string[]; readonly isSpaced: boolean } {
  const { lines, isSpaced } = run;
  const all = { following: textsOf(lines), isSpaced };
  const column = next?.column ?? 0;
  const split = lines.findIndex((line) => line.text !== '' && line.column <= column);
  const count = split < 0 ? lines.length : split;
  if (!previous || count === 0 || hasParts(previous.value)) return all;
  const own = withoutBlankEnd(lines.slice(0, count));
  const rest = { following: textsOf(lines.slice(count)), isSpaced: own.length < count };
  const { value, within } = previous;
  const isSameList = within !== undefined && within.list === next?.within?.list;
  if (within && isMap(within.entry) && !(isSameList && within.entry === next?.within?.entry)) {
    const outside = own.findIndex((line) => line.text !== '' && line.column <= within.dash);
    const inEntry = withoutBlankEnd(outside < 0 ? own : own.slice(0, outside));
    addComment(within.entry, inEntry, isSpaced);
    if (outside >= 0)
      addComment(within.list, own.slice(outside), outside === 0 ? isSpaced : inEntry.length < outside);
    return rest;
  }
  if (within && !isSameList) {
    addComment(within.list, own, isSpaced);
    return rest;
  }
  // Below a value that is not empty, even a more deeply indented comment may be meant for the next field.
  if (isScalar(value) ? value.source !== '' || isBlockScalar(value) : value !== null) return all;
  if (own.length === 1 && isScalar(value) && !value.comment) {
    value.comment = own[0]!.text;
    return rest;
  }
  if (within) return all;
  behind.push(...(isSpaced ? [''] : []), ...textsOf(own));
  return rest;
}

const textsOf = (lines: readonly Line[]) => lines.map(({ text }) => text);

function withoutBlankEnd(lines: readonly Line[]): readonly Line[] {
  return lines.slice(0, lines.findLastIndex(({ text }) => text !== '') + 1);
}

type Commented = { comment?: string | null; commentBefore?: string | null; spaceBefore?: boolean };

function addComment(node: Commented, lines: readonly Line[], isSpaced: boolean): void {
  if (lines.length === 0) return;
  const text = textsOf(isSpaced ? [{ column: 0, text: '' }, ...lines] : lines).join('\n');
  node.comment = node.comment ? `${node.comment}\n${text}` : text;
}

function attachAbove(node: Commented, lines: readonly string[], isSpaced: boolean): void {
  node.commentBefore = [...lines, ...(node.commentBefore ? [node.commentBefore] : [])].join('\n') || null;
  node.spaceBefore = isSpaced;
}

const hasParts = (value: unknown) => (isSeq(value) || isMap(value)) && !value.flow;

function partsOf(root: YAMLMap, source: string): Part[] {
  const partOf = (item: Field | Node, value: unknown, token: CST.CollectionItem): Part => {
    const start = startOf(token);
    const end = hasParts(value) ? nameEnd(item, token) : contentEnd(item, token);
    return { start, end, column: columnOf(source, start), value };
  };
  const fieldPart = (pair: Field): Part => ({
    ...partOf(pair, pair.value, pair.srcToken as CST.CollectionItem),
    pair,
  });
  return (root.items as Field[]).flatMap((pair) => {
    const part = fieldPart(pair);
    if (!isSeq(pair.value) || !hasParts(pair.value)) return [part];
    const list = pair.value;
    const tokens = (list.srcToken as CST.BlockSequence).items;
    const entries = (list.items as Node[]).flatMap((entry, index) => {
      const own = partOf(entry, entry, tokens[index]!);
      const within = { list, entry, dash: own.column };
      const fields = isMap(entry) && hasParts(entry) ? (entry.items as Field[]).map(fieldPart) : [];
      return [own, ...fields].map((one): Part => ({ ...one, within }));
    });
    return [part, ...entries];
  });
}
