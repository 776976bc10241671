import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { FIELD_NAMES } from '../contract/fields.ts';
import { cutText } from '../text/shorten.ts';
import { parseWithinBounds } from './bounded-yaml.ts';
import { createDiagnostic, createSpans, type Diagnostic, type Span } from './diagnostic.ts';
import type { DiagnosticArgs, DiagnosticCode } from './diagnostic-codes.ts';
import { isNullWord } from './null-word.ts';
import { findYamlErrors, MAX_YAML_ERRORS, type TextRange } from './yaml-errors.ts';
import { NULL_TAG } from './yaml-tag.ts';

export type ValuePath = readonly PropertyKey[];

export const UNREADABLE = Symbol('unread');

export type ExactDocument = {
  /** Scalars are texts, and empty values null. Undefined if there are diagnostics. */
  readonly value: unknown;
  /** Set only with diagnostics: the value, with {@link UNREADABLE} for unreadable parts. Undefined for broken YAML. */
  readonly partialValue: unknown;
  readonly diagnostics: Diagnostic[];
  /** Position of a value, or of its nearest existing parent. */
  readonly spanOf: (path: ValuePath) => Span;
  readonly spanOfKey: (path: ValuePath, key: string) => Span;
  readonly isPlain: (path: ValuePath) => boolean;
};

export type DocumentWithSpans = Pick<ExactDocument, 'value' | 'spanOf' | 'spanOfKey'>;

/** Far more alias expansions than a property needs, and far fewer than an attack uses. */
const MAX_ALIASES = 100;

/** Control characters (YAML 1.2.2, 5.1) hide or garble text. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
/** NUL, which occurs in binary files and other encodings, or a line ending of old Macintosh systems. */
const NO_TEXT = /\0|\r(?!\n)/;
/** Replaces control characters during parsing: it has the same length, and no meaning in YAML. */
const STAND_IN = '\ufffe';

type Add = (code: DiagnosticCode, range: TextRange, args?: DiagnosticArgs) => void;

export function readYamlExactly(text: string, file: string): ExactDocument {
  const spanAt = createSpans(text);
  const diagnostics: Diagnostic[] = [];
  const add: Add = (code, [start, end], args) =>
    diagnostics.push(createDiagnostic(code, file, spanAt(start, end), args));
  const foreign = NO_TEXT.exec(text) ?? (text.startsWith('\x7f') ? { index: 0 } : null);
  if (foreign) {
    addControl(text, foreign.index, add);
    const spanOf = () => spanAt(foreign.index, foreign.index + 1);
    return { ...NOTHING, diagnostics, spanOf, spanOfKey: spanOf };
  }
  const document = parseText(withoutControls(text, spanAt, add), add);
  const lineAt = (offset: number) => spanAt(offset, offset).line;
  if (document) examine(document, lineAt, add);
  const value = document && toValue(document, add);
  const isSound = diagnostics.length === 0;
  const contents = document?.contents ?? null;
  const pairOf = createPairFinder();
  return {
    value: isSound ? value : undefined,
    partialValue: isSound ? undefined : value,
    diagnostics,
    spanOf: (path) => spanAt(...nearestRange(contents, path, pairOf)),
    spanOfKey: (path, key) => spanAt(...keyRange(contents, path, key, pairOf)),
    isPlain: (path) => isPlainAt(contents, path, pairOf),
  };
}

const NOTHING = { value: undefined, partialValue: undefined, isPlain: () => false };

function parseText(text: string, add: Add): Document | undefined {
  const { document, second, excess } = parseWithinBounds(text);
  const start = second && startOf(second, text);
  if (start) add('several-documents', start, { advice: adviceOn(second, document) });
  const breaches = excess ? [] : findYamlErrors(document, text);
  if (excess) add(excess.code, [excess.offset, excess.offset + 1], { limit: excess.limit });
  for (const { args, range } of breaches) add('yaml-syntax', range, args);
  return excess || breaches.length > 0 ? undefined : document;
}

function withoutControls(text: string, spanAt: (start: number, end: number) => Span, add: Add): string {
  const lines = new Set<number>();
  return text.replace(CONTROL, (_control, offset: number) => {
    const { line } = spanAt(offset, offset + 1);
    if (!lines.has(line) && lines.size < MAX_YAML_ERRORS) {
      lines.add(line);
      addControl(text, offset, add);
    }
    return STAND_IN;
  });
}

function addControl(text: string, offset: number, add: Add): void {
  const character = `U+${text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')}`;
  add('control-character', [offset, offset + 1], { character });
}

function examine(document: Document, lineAt: (offset: number) => number, add: Add): void {
  const anchors = new Set<string>();
  visit(document, (role, node) => {
    if (!isNode(node)) return undefined;
    if (isAlias(node)) {
      if (anchors.has(node.source)) return undefined;
      // The parser itself reports an alias without a name.
      if (node.source) add('yaml-syntax', wholeRange(node), unknownAlias(node.source));
      const unread = new Scalar<unknown>(UNREADABLE);
      if (node.range) unread.range = node.range;
      return unread;
    }
    if (node.anchor) anchors.add(node.anchor);
    if (isMap(node)) findDuplicates(node.items, lineAt, add);
    if (isScalar(node) && role !== 'key') {
      if (node.tag === NULL_TAG && node.source && !isNullWord(node.source)) {
        add('yaml-syntax', wholeRange(node), TAGGED_AS_NULL);
        node.value = UNREADABLE;
      } else if ((node.type === 'PLAIN' && node.source === '') || node.tag === NULL_TAG) node.value = null;
      else if (typeof node.value === 'string' && node.value.includes(STAND_IN)) node.value = UNREADABLE;
    }
    return undefined;
  });
}

const TAGGED_AS_NULL: DiagnosticArgs = {
  reason: 'The tag "!!null" in front of this value says that there is none.',
  advice: 'Delete the tag or the value.',
};

function findDuplicates(
  items: readonly { key: unknown }[],
  lineAt: (offset: number) => number,
  add: Add,
): void {
  const first = new Map<unknown, TextRange>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const same = first.get(key.value);
    if (same) add('duplicate-key', wholeRange(key), { key: String(key.value), line: lineAt(same[0]) });
    else first.set(key.value, wholeRange(key));
  }
}

function unknownAlias(source: string): DiagnosticArgs {
  const name = cutText(source, 40);
  return {
    reason: `"*${name}" stands for a value that is marked with "&${name}", and there is none above.`,
    advice: 'Put quotes around a value that starts with "*".',
  };
}

function toValue(document: Document, add: Add): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    let alias: TextRange = [0, 1];
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

function adviceOn({ contents, errors }: Document, first: Document): string {
  const isEmpty = (node: unknown) => node === null || (isScalar(node) && node.source === '');
  if ((isEmpty(contents) || isEmpty(first.contents)) && errors.length === 0)
    return 'Delete this line: one "---", at the top, is enough.';
  if (!isProperty(contents))
    return 'Delete this line and the text below it, or put "#" before each of its lines.';
  return isMap(first.contents)
    ? ''
    : 'Delete this line and the text above it, or put "#" before each of its lines.';
}

/** True if any field has a known name. Otherwise the mapping may be plain text with a colon ("A house: by the sea"). */
function isProperty(contents: unknown): boolean {
  const names: readonly string[] = FIELD_NAMES;
  return (
    isMap(contents) && contents.items.some(({ key }) => isScalar(key) && names.includes(String(key.value)))
  );
}

/** Returns the marker that begins a document: `---`, or the `...` that ends the document above. */
function startOf({ range }: Document, text: string): TextRange {
  const start = range?.[0] ?? 0;
  const marker = text.startsWith('---', start) ? start : text.lastIndexOf('\n...', start) + 1;
  return [marker, marker + 3];
}

type Pair = { readonly key: unknown; readonly value: unknown };
type PairFinder = (node: unknown, step: PropertyKey) => Pair | undefined;

function nearestRange(contents: unknown, path: ValuePath, pairOf: PairFinder): TextRange {
  let node = contents;
  let range = rangeOf(node) ?? [0, 1];
  for (const step of path) {
    const pair = pairOf(node, step);
    if (pair === undefined) break;
    node = pair.value;
    // An empty value has no range, so the range of its key is used.
    range = rangeOf(node) ?? rangeOf(pair.key) ?? range;
  }
  return range;
}

function keyRange(contents: unknown, path: ValuePath, key: string, pairOf: PairFinder): TextRange {
  let node = contents;
  for (const step of path) node = pairOf(node, step)?.value;
  const pair = pairOf(node, key);
  return isNode(pair?.key) ? wholeRange(pair.key) : nearestRange(contents, path, pairOf);
}

function isPlainAt(contents: unknown, path: ValuePath, pairOf: PairFinder): boolean {
  let node = contents;
  for (const step of path) node = pairOf(node, step)?.value;
  return isScalar(node) && node.type === 'PLAIN';
}

/** Indexes each mapping once, since callers may look up every key of a mapping that has thousands of keys. */
function createPairFinder(): PairFinder {
  const known = new Map<YAMLMap, Map<unknown, Pair>>();
  return (node, step) => {
    if (isMap(node)) {
      let pairs = known.get(node);
      if (!pairs) {
        pairs = new Map();
        // The last one of duplicate keys counts, as in the parsed value.
        for (const pair of node.items) pairs.set((pair.key as { value?: unknown } | null)?.value, pair);
        known.set(node, pairs);
      }
      return pairs.get(step);
    }
    if (isSeq(node) && typeof step === 'number' && step < node.items.length) {
      return { key: undefined, value: node.items[step] };
    }
    return undefined;
  };
}

function rangeOf(node: unknown): TextRange | undefined {
  if (!isNode(node) || !node.range || node.range[0] === node.range[1]) return undefined;
  // A mapping spans many lines, so the position of its first key is used.
  if (isMap(node) && node.items[0]) return rangeOf(node.items[0].key) ?? wholeRange(node);
  return wholeRange(node);
}

function wholeRange({ range }: Node): TextRange {
  const [start, end] = range ?? [0, 0];
  return [start, Math.max(end, start + 1)];
}
