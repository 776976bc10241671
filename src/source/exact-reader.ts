/** Reads YAML with positions: the authority on what a file says and where. */
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import type { DiagnosticCode } from './codes.ts';
import { type Diagnostic, type DiagnosticArgs, diagnose, type Span, spanAt } from './diagnostic.ts';

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

/** Reads a file exactly. `file`: its path, for the diagnostics. Never throws for bad input. */
export function readExactly(text: string, file: string): ExactDocument {
  const document = parseDocument(text, {
    schema: 'failsafe',
    prettyErrors: false,
    lineCounter: new LineCounter(),
    stringKeys: true,
    logLevel: 'error',
  });
  const spanOf = (path: ValuePath) => rangeSpan(text, nearestRange(document, path));
  const diagnostics = binaryDiagnostics(text, file) ?? syntaxDiagnostics(document, text, file);
  let value: unknown;
  if (diagnostics.length === 0) {
    visit(document, {
      Scalar: (_key, node) => {
        if (node.type === 'PLAIN' && node.source === '') node.value = null;
      },
    });
    try {
      value = document.toJS({ maxAliasCount: MAX_ALIASES });
    } catch (error) {
      diagnostics.push(
        /excessive alias/i.test((error as Error).message)
          ? diagnose('too-many-aliases', file, null)
          : diagnose('yaml-syntax', file, null, { reason: sentence((error as Error).message) }),
      );
    }
  }
  return {
    value,
    diagnostics,
    spanOf,
    spanOfKey: (path, key) => rangeSpan(text, keyRange(document, path, key)),
  };
}

type Range = readonly [start: number, end: number];

function rangeSpan(text: string, [start, end]: Range): Span {
  return spanAt(text, Math.min(start, text.length), Math.max(end, start + 1));
}

/** YAML is printable text (YAML 1.2.2, 5.1): what is not would print as garbage, or hide. */
function binaryDiagnostics(text: string, file: string): Diagnostic[] | undefined {
  const found = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (!found) return undefined;
  const character = `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return [
    diagnose('control-character', file, rangeSpan(text, [found.index, found.index + 1]), { character }),
  ];
}

function syntaxDiagnostics(document: Document, text: string, file: string): Diagnostic[] {
  const seen = new Set<number>();
  const diagnostics: Diagnostic[] = [];
  for (const problem of [...document.errors, ...document.warnings]) {
    // One slip often raises several errors at the same place; the first one names it.
    const line = spanAt(text, Math.min(problem.pos[0], text.length), problem.pos[1]).line;
    if (seen.has(line)) continue;
    seen.add(line);
    const [code, args, range] = explain(problem.code, problem.message, problem.pos, text);
    diagnostics.push(diagnose(code, file, rangeSpan(text, range), args));
    if (diagnostics.length === 20) break;
  }
  return diagnostics;
}

function explain(
  code: string,
  message: string,
  pos: Range,
  text: string,
): [code: DiagnosticCode, args: DiagnosticArgs, range: Range] {
  if (code === 'DUPLICATE_KEY') {
    const key = /^[^:\n]*/.exec(text.slice(pos[0]))?.[0].trim() ?? '';
    return ['duplicate-key', { key: key.replace(/^["']|["']$/g, '') }, [pos[0], pos[0] + key.length]];
  }
  if (code === 'MULTIPLE_DOCS') return ['several-documents', {}, [pos[0], pos[0] + 3]];
  const advice = ADVICE[code] ?? (/\btab/i.test(message) ? ADVICE.TAB_AS_INDENT : undefined) ?? '';
  return ['yaml-syntax', { reason: sentence(message), advice }, pos];
}

const ADVICE: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces; a tab is no indentation in YAML.',
  BAD_INDENT: 'Give the lines of one list or mapping the same indentation.',
  MISSING_CHAR: 'Look for a quote or a bracket that is not closed.',
  BLOCK_AS_IMPLICIT_KEY: 'Put quotes around a value that has ": " in it.',
  MULTILINE_IMPLICIT_KEY: 'Look for a missing colon, or for a value that goes on in the next line.',
  TAG_RESOLVE_FAILED: 'Delete the tag: values are text here, and the fields decide what they mean.',
  UNEXPECTED_TOKEN: 'Look for a stray character, or put quotes around the value.',
  NON_STRING_KEY: 'Field names are plain words.',
};

function sentence(message: string): string {
  const trimmed = message.replace(/\s+/g, ' ').trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** The range of the deepest node on a path. */
function nearestRange(document: Document, path: ValuePath): Range {
  let node: unknown = document.contents;
  let range = rootRange(document);
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
  return rangeOf(findPair(node, key)?.key) ?? nearestRange(document, path);
}

function findPair(node: unknown, step: PropertyKey): { key: unknown; value: unknown } | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === step);
    return pair && isPair(pair) ? { key: pair.key, value: pair.value } : undefined;
  }
  if (isSeq(node) && typeof step === 'number' && step < node.items.length) {
    return { key: undefined, value: node.items[step] };
  }
  return undefined;
}

function rangeOf(node: unknown): Range | undefined {
  if (!isNode(node) || !node.range || node.range[0] === node.range[1]) return undefined;
  // A mapping is pointed at by its first key: its whole extent is many lines.
  if (isMap(node) && node.items[0]) return rangeOf(node.items[0].key) ?? [node.range[0], node.range[1]];
  return [node.range[0], node.range[1]];
}

/** The first key of the document, or its start. */
function rootRange(document: Document): Range {
  return rangeOf(document.contents) ?? [0, 1];
}
