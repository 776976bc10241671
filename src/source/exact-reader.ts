/** Reads YAML with positions: the authority on what a file says and where. */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, visit } from 'yaml';
import { parseWithinBounds } from './bounded-parser.ts';
import type { DiagnosticCode } from './codes.ts';
import { createSpans, type Diagnostic, type DiagnosticArgs, diagnose, type Span } from './diagnostic.ts';
import { findBreaches, type Range } from './syntax.ts';

/** A path into a document: keys of mappings and indices of lists. */
export type ValuePath = readonly PropertyKey[];

/** A file, read exactly. */
export type ExactDocument = {
  /** The value, every scalar as text, an empty value as null; undefined when there are diagnostics. */
  readonly value: unknown;
  readonly diagnostics: Diagnostic[];
  /** The stretch of a value; of its nearest parent that exists. */
  readonly spanOf: (path: ValuePath) => Span;
  /** The stretch of a key. */
  readonly spanOfKey: (path: ValuePath, key: string) => Span;
};

/** How often aliases may expand: far more than a property needs, far less than an attack does. */
const MAX_ALIASES = 100;

/** What is no printable text (YAML 1.2.2, 5.1), or a line end of no system of today: it would hide, or garble. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)/;

type Add = (code: DiagnosticCode, range: Range, args?: DiagnosticArgs) => void;

/** Reads a file exactly. `file`: its path, for the diagnostics. Never throws for bad input. */
export function readExactly(text: string, file: string): ExactDocument {
  const spanAt = createSpans(text);
  const diagnostics: Diagnostic[] = [];
  const add: Add = (code, [start, end], args) =>
    diagnostics.push(diagnose(code, file, spanAt(start, end), args));
  const control = CONTROL.exec(text);
  if (control) {
    const range: Range = [control.index, control.index + 1];
    const character = `U+${control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    add('control-character', range, { character });
    const spanOf = () => spanAt(...range);
    return { value: undefined, diagnostics, spanOf, spanOfKey: spanOf };
  }
  const { document, second, excess } = parseWithinBounds(text);
  if (excess) add(excess.code, [excess.offset, excess.offset + 1], { limit: excess.limit });
  for (const { args, range } of findBreaches(document, text)) add('yaml-syntax', range, args);
  if (second) add('several-documents', startOf(second, text));
  examine(document, (offset) => spanAt(offset, offset).line, add);
  const value = diagnostics.length === 0 ? toValue(document, add) : undefined;
  return {
    value,
    diagnostics,
    spanOf: (path) => spanAt(...nearestRange(document, path)),
    spanOfKey: (path, key) => spanAt(...keyRange(document, path, key)),
  };
}

/** Finds keys that stand twice and aliases of nothing, and makes empty values null. */
function examine(document: Document, lineAt: (offset: number) => number, add: Add): void {
  const anchors = new Set<string>();
  visit(document, (role, node) => {
    if (!isNode(node)) return;
    if (isAlias(node)) {
      // That an alias has no name at all is told as a breach of the rules.
      if (node.source && !anchors.has(node.source))
        add('yaml-syntax', wholeRange(node), unknownAlias(node.source));
      return;
    }
    if (node.anchor) anchors.add(node.anchor);
    if (isMap(node)) findDuplicates(node.items, lineAt, add);
    if (isScalar(node) && role !== 'key' && node.type === 'PLAIN' && node.source === '') node.value = null;
  });
}

function findDuplicates(
  items: readonly { key: unknown }[],
  lineAt: (offset: number) => number,
  add: Add,
): void {
  const first = new Map<unknown, Range>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const same = first.get(key.value);
    if (same) add('duplicate-key', wholeRange(key), { key: String(key.value), line: lineAt(same[0]) });
    else first.set(key.value, wholeRange(key));
  }
}

function unknownAlias(source: string): DiagnosticArgs {
  const name = source.length > 40 ? `${source.slice(0, 39)}…` : source;
  return {
    reason: `"*${name}" stands for a value that is marked with "&${name}", and there is none above.`,
    advice: 'Put quotes around a value that starts with "*".',
  };
}

function toValue(document: Document, add: Add): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    // Aliases are all that is left to fail.
    let alias: Range = [0, 1];
    visit(document, {
      Alias(_role, node) {
        alias = wholeRange(node);
        return visit.BREAK;
      },
    });
    add('too-many-aliases', alias);
    return undefined;
  }
}

function startOf({ range }: Document, text: string): Range {
  const start = range?.[0] ?? 0;
  return [start, text.startsWith('---', start) ? start + 3 : text.length];
}

/** The range of the deepest node on a path. */
function nearestRange(document: Document, path: ValuePath): Range {
  let node: unknown = document.contents;
  let range = rangeOf(node) ?? [0, 1];
  for (const step of path) {
    const pair = findPair(node, step);
    if (pair === undefined) break;
    node = pair.value;
    // An empty value has no extent: its key stands for it.
    range = rangeOf(node) ?? rangeOf(pair.key) ?? range;
  }
  return range;
}

function keyRange(document: Document, path: ValuePath, key: string): Range {
  let node: unknown = document.contents;
  for (const step of path) node = findPair(node, step)?.value;
  const pair = findPair(node, key);
  return isNode(pair?.key) ? wholeRange(pair.key) : nearestRange(document, path);
}

function findPair(node: unknown, step: PropertyKey): { key: unknown; value: unknown } | undefined {
  if (isMap(node)) {
    return node.items.find(({ key }) => (key as { value?: unknown } | null)?.value === step);
  }
  if (isSeq(node) && typeof step === 'number' && step < node.items.length) {
    return { key: undefined, value: node.items[step] };
  }
  return undefined;
}

/** Where to point for a node; undefined when it has no extent. */
function rangeOf(node: unknown): Range | undefined {
  if (!isNode(node) || !node.range || node.range[0] === node.range[1]) return undefined;
  // A mapping is pointed at by its first key: its whole extent is many lines.
  if (isMap(node) && node.items[0]) return rangeOf(node.items[0].key) ?? wholeRange(node);
  return wholeRange(node);
}

function wholeRange({ range }: Node): Range {
  const [start, end] = range ?? [0, 0];
  return [start, Math.max(end, start + 1)];
}
