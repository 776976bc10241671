/** A property file, read for a change: its nodes with their places, and what it says. */
import { type Document, isMap, isScalar, type Pair, visit, YAMLMap } from 'yaml';
import { parseWithinBounds } from '../../source/bounded-yaml.ts';
import { createSpans } from '../../source/diagnostic.ts';
import { isNullWord } from '../../source/null-word.ts';
import { readExactly } from '../../source/yaml-document.ts';
import { commentsOf } from '../yaml-rows.ts';
import { RefusedEdit } from './refusal.ts';

/** A file that can be read. */
export type OpenFile = {
  readonly text: string;
  readonly root: YAMLMap;
  /** What it says: every scalar as text, but {@link PLAIN_NULL} for a plain null. */
  readonly value: unknown;
  readonly comments: readonly { readonly offset: number; readonly source: string }[];
};

/** What a plain `null` or `~` says: in quotes it is a text. */
const PLAIN_NULL = Symbol('null');

/** Reads a text. @throws RefusedEdit when it cannot be read whole. */
export function openFile(text: string): OpenFile {
  const { document, second, excess } = parseWithinBounds(text);
  if (excess || document.errors.length > 0) throw new RefusedEdit('syntax-error', breachIn(text));
  if (second) throw new RefusedEdit('several-documents', second.range?.[0] ?? 0);
  // The line end of an old Macintosh is one for YAML, and none for the library.
  const foreign = /\0|\r(?!\n)/.exec(text);
  if (foreign) throw new RefusedEdit('syntax-error', foreign.index);
  const comments = commentsOf(text);
  const { contents } = document;
  // A file of comments is a property without fields.
  if (contents === null || (isScalar(contents) && contents.source === '')) {
    return { text, root: new YAMLMap(), value: {}, comments };
  }
  if (!isMap(contents)) throw new RefusedEdit('not-a-property', 0);
  visit(document, {
    Map(_role, { items }) {
      refuseDuplicates(items);
    },
    Scalar(role, node) {
      if (role !== 'key' && node.type === 'PLAIN' && isNullWord(String(node.value))) node.value = PLAIN_NULL;
    },
  });
  return { text, root: contents, value: meaningOf(document), comments };
}

/** Where the line starts that breaks a rule of YAML, as a check finds it. */
function breachIn(text: string): number {
  const line = readExactly(text, '').diagnostics[0]?.span?.line ?? 1;
  return (
    text
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length + (line > 1 ? 1 : 0)
  );
}

function refuseDuplicates(items: readonly Pair[]): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) throw new RefusedEdit('duplicate-key', key.range?.[0] ?? 0);
    seen.add(key.value);
  }
}

function meaningOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    // Aliases are all that is left to fail: they stand for nothing, or for far too much.
    let offset = 0;
    visit(document, {
      Alias(_role, { range }) {
        offset = range?.[0] ?? 0;
        return visit.BREAK;
      },
    });
    throw new RefusedEdit('syntax-error', offset);
  }
}

/** The line of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  return createSpans(text)(offset, offset).line;
}
