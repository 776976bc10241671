/** A property file, read for a change: its nodes with their places, and what it says. */
import { isMap, isScalar, visit, YAMLMap } from 'yaml';
import { parseWithinBounds } from '../../source/bounded-yaml.ts';
import { createSpans } from '../../source/diagnostic.ts';
import { isNullWord } from '../../source/null-word.ts';
import { readExactly } from '../../source/yaml-document.ts';
import { commentsOf } from '../yaml-rows.ts';
import { type RefusalReason, RefusedEdit } from './refusal.ts';

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

/** Codes of diagnostics that have a reason of their own; a control character stands in a value, and can be edited away. */
const REASON_OF: Readonly<Record<string, RefusalReason | undefined>> = {
  'several-documents': 'several-documents',
  'duplicate-key': 'duplicate-key',
  'control-character': undefined,
};

/** Reads a text. @throws RefusedEdit when it cannot be read whole. */
export function openFile(text: string): OpenFile {
  const { diagnostics } = readExactly(text, '');
  const starts = lineStarts(text);
  for (const { code, span } of diagnostics) {
    const reason = Object.hasOwn(REASON_OF, code) ? REASON_OF[code] : 'syntax-error';
    if (reason) throw new RefusedEdit(reason, starts[(span?.line ?? 1) - 1] ?? 0);
  }
  const { document } = parseWithinBounds(text);
  const { contents } = document;
  if (document.errors[0]) throw new RefusedEdit('syntax-error', document.errors[0].pos[0]);
  // A file of comments is a property without fields.
  const isEmpty = contents === null || (isScalar(contents) && contents.source === '');
  if (!isEmpty && !isMap(contents)) throw new RefusedEdit('not-a-property', 0);
  const comments = commentsOf(text);
  visit(document, {
    Scalar(role, node) {
      if (role !== 'key' && node.type === 'PLAIN' && isNullWord(String(node.value))) node.value = PLAIN_NULL;
    },
  });
  if (!isMap(contents)) return { text, root: new YAMLMap(), value: {}, comments };
  return { text, root: contents, value: document.toJS({ maxAliasCount: 100 }), comments };
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** The line of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  return createSpans(text)(offset, offset).line;
}
