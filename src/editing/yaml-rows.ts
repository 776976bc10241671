/**
 * Layout of a property file: fields and entries in the order of the file, each with its comments. Supports what a
 * property can have: fields with texts, lists of texts, lists of mappings of texts.
 */
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  Parser,
  type Range,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { parseWithinBounds } from '../source/bounded-yaml.ts';
import { isNullWord } from '../source/null-word.ts';

/** A comment on a line of its own, including `#`. */
export type Comment = {
  readonly text: string;
  /** Whether a blank line precedes it. */
  readonly blank: boolean;
};

/** Value of a field or list entry. */
type Value =
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; text: string }
  /** An unquoted `null` or `~`, which quotes would turn into a text. */
  | { readonly kind: 'null'; readonly word: string }
  /** A block scalar: its header (`>-`, `|`), and its lines without indentation. */
  | { readonly kind: 'block'; readonly header: string; readonly lines: readonly string[] }
  | {
      readonly kind: 'list';
      readonly flow: boolean;
      readonly items: readonly Item[];
      readonly tail: Comment[];
    };

/** A field, or a list entry that is a text. */
export type Row = {
  /** Name of the field; undefined for a list entry. */
  readonly key: string | undefined;
  readonly value: Value;
  /** Comments above the row. */
  readonly leading: Comment[];
  /** Whether a blank line separates those comments from the row. */
  blank: boolean;
  /** Comments at the end of the row's line. */
  readonly trailing: string[];
};

/** A mapping in a list. */
export type MappingRows = { rows: Row[]; readonly tail: Comment[] };

export type Item = Row | MappingRows;

/** A whole file. */
export type FileRows = { rows: Row[]; readonly tail: Comment[] };

/** Context of a row. */
type Context = {
  /** Enclosing entries and lists, innermost first, without the file. */
  readonly holders: readonly { readonly tail: Comment[] }[];
  /** Row of the enclosing flow list, and the end offset of that list. */
  readonly bracket?: { readonly row: Row; readonly end: number };
  /** Column of the entry's dash. */
  readonly dash?: number;
};

/** Position of a row, for the assignment of comments. */
type RowPlace = Context & {
  readonly row: Row;
  readonly start: number;
  readonly column: number;
  /** Column where the row's entry starts: its dash for the first field of an entry. */
  readonly outer: number;
};

/**
 * Computes the layout of a text with `
 * ` line endings; undefined for anything that a property cannot have.
 */
export function layoutOf(text: string): FileRows | undefined {
  const { document, second, excess } = parseWithinBounds(text);
  if (excess || second || document.errors.length > 0 || !isMap(document.contents)) return undefined;
  if (/^%/m.test(text) || hasProperties(document)) return undefined;
  const places: RowPlace[] = [];
  const rows = rowsOf(document.contents, text, { holders: [] }, places);
  if (!rows) return undefined;
  const layout: FileRows = { rows, tail: [] };
  places.sort((a, b) => a.start - b.start);
  placeComments(text, layout, places);
  return layout;
}

/** Tells whether a document has anchors, aliases or tags, which give order and texts another meaning. */
function hasProperties(document: Document): boolean {
  let found = false;
  visit(document, {
    Node(_key, { anchor, tag }: Partial<Scalar>) {
      if (anchor === undefined && (tag === undefined || PLAIN_TAG.test(tag))) return undefined;
      found = true;
      return visit.BREAK;
    },
    Alias() {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

const PLAIN_TAG = /^tag:yaml\.org,2002:(?:str|map|seq)$/;

function rowsOf(map: YAMLMap, text: string, within: Context, places: RowPlace[]): Row[] | undefined {
  const rows: Row[] = [];
  for (const { key, value } of map.items) {
    if (!isScalar(key) || !key.range) return undefined;
    const [start] = key.range;
    const items: Item[] = [];
    const list = isSeq(value)
      ? { kind: 'list' as const, flow: value.flow === true, items, tail: [] as Comment[] }
      : undefined;
    const made = list ?? valueIn(value, text);
    if (!made) return undefined;
    const row = createRow(String(key.value), made, text, start);
    const column = columnOf(text, start);
    const outer = rows.length === 0 ? (within.dash ?? column) : column;
    places.push({ ...within, row, start, column, outer });
    rows.push(row);
    if (!list || !isSeq(value)) continue;
    if (within.holders.length > 0) return undefined;
    const bracket = list.flow && value.range ? { bracket: { row, end: value.range[1] } } : {};
    for (const node of value.items) {
      const item = itemOf(node, text, { holders: [list], ...bracket }, places);
      if (!item) return undefined;
      items.push(item);
    }
  }
  return rows;
}

function itemOf(node: unknown, text: string, within: Context, places: RowPlace[]): Item | undefined {
  if (!(isMap(node) || isScalar(node)) || !node.range) return undefined;
  const [start] = node.range;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const dash = text.slice(lineStart).search(/\S|$/);
  if (isMap(node)) {
    if (node.items.length === 0) return undefined;
    const entry: MappingRows = { rows: [], tail: [] };
    const holders = [entry, ...within.holders];
    const rows = rowsOf(node, text, { ...within, holders, dash }, places);
    if (!rows) return undefined;
    entry.rows = rows;
    return entry;
  }
  const value = valueIn(node, text);
  if (!value) return undefined;
  const row = createRow(undefined, value, text, start);
  places.push({ ...within, row, start, column: dash, outer: dash });
  return row;
}

function createRow(key: string | undefined, value: Value, text: string, start: number): Row {
  return { key, value, leading: [], blank: isBelowBlank(text, start), trailing: [] };
}

/**
 * Converts a scalar; undefined for other nodes, and for block scalars with an indentation or chomping indicator other
 * than `-`.
 */
function valueIn(node: unknown, text: string): Value | undefined {
  if (!isScalar(node) || !node.range) return undefined;
  const scalar = node as Scalar & { range: Range };
  const value = String(scalar.value);
  if (scalar.type === 'PLAIN' && value === '') return { kind: 'empty' };
  if (scalar.type === 'PLAIN' && isNullWord(value)) return { kind: 'null', word: value };
  if (scalar.type !== 'BLOCK_FOLDED' && scalar.type !== 'BLOCK_LITERAL') return { kind: 'text', text: value };
  const [start, end] = scalar.range;
  const [first = '', ...body] = text.slice(start, end).split('\n');
  const header = /^[>|]-?(?=\s|$)/.exec(first)?.[0];
  const indent = /^ */.exec(body.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0;
  if (header === undefined || indent === 0) return undefined;
  while (body.length > 0 && body.at(-1)?.trim() === '') body.pop();
  return { kind: 'block', header, lines: body.map((line) => line.slice(indent)) };
}

/** Assigns every comment to a row, or to the end of an enclosing entry, list or file. */
function placeComments(text: string, layout: FileRows, places: readonly RowPlace[]): void {
  let next = 0;
  let taken: RowPlace | undefined;
  for (const { offset, source } of commentsOf(text)) {
    while (next < places.length && places[next]!.start < offset) next++;
    const [above, below] = [places[next - 1], places[next]];
    const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    const comment = source.trimEnd();
    // A comment between a dash and its entry belongs to the entry.
    const isAlone = /^[\s-]*$/.test(text.slice(lineStart, offset));
    if (above && !isAlone) {
      const { bracket } = above;
      (bracket && offset >= bracket.end ? bracket.row : above.row).trailing.push(comment);
      continue;
    }
    const line: Comment = { text: comment, blank: isBelowBlank(text, offset) };
    const column = offset - lineStart;
    const holder = taken !== undefined && taken === below ? undefined : tailFor(column, above, below);
    if (holder) holder.tail.push(line);
    else if (below) {
      taken = below;
      below.row.leading.push(line);
    } else layout.tail.push(line);
  }
}

/**
 * Finds the entry or list that ends with a comment at this column: the comment is indented deeper than the next row.
 */
function tailFor(
  column: number,
  above: RowPlace | undefined,
  below: RowPlace | undefined,
): { tail: Comment[] } | undefined {
  if (!above || above.holders.length === 0) return undefined;
  if (below && below.holders[0] === above.holders[0] && below.outer === below.column) return undefined;
  if (column <= (below?.outer ?? 0)) return undefined;
  return column >= above.column ? above.holders[0] : above.holders.at(-1);
}

type SourceComment = { readonly offset: number; readonly source: string };

/** Lists the comments of a text, in order. */
export function commentsOf(text: string): SourceComment[] {
  const comments: SourceComment[] = [];
  if (!text.includes('#')) return comments;
  const collect = (token: unknown): void => {
    if (typeof token !== 'object' || token === null) return;
    if (Array.isArray(token)) {
      for (const part of token) collect(part);
      return;
    }
    const { type, offset, source } = token as { type?: string; offset?: number; source?: string };
    if (type === 'comment') comments.push({ offset: offset ?? 0, source: source ?? '' });
    else collect(Object.values(token));
  };
  for (const token of new Parser().parse(text)) collect(token);
  return comments.sort((a, b) => a.offset - b.offset);
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Tells whether the line above that of an offset is blank. */
function isBelowBlank(text: string, offset: number): boolean {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /\n[ \t]*\n$/.test(text.slice(Math.max(0, lineStart - 200), lineStart));
}
