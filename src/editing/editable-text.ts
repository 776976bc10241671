import {
  type CST,
  type Document,
  isMap,
  isScalar,
  type Node,
  type Pair,
  Parser,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { parseWithinBounds } from '../source/bounded-yaml.ts';
import { isNullWord } from '../source/null-word.ts';
import { readYamlExactly } from '../source/yaml-document.ts';
import { CONFLICT_MARK } from '../source/yaml-errors.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import { itemRangesOf, lineStart } from './item-lines.ts';
import { RefusedEdit } from './refusal.ts';

export type FieldLines = {
  name: string;
  readonly start: number;
  lead: string;
  /** Text from the name to the end of the value, including the line ending. */
  body: string;
  readonly pair: Pair<Scalar, Node | null>;
  readonly token: CST.CollectionItem;
};

/** The text of a file is `head`, then the fields in order, then `tail`. */
export type EditableText = {
  readonly head: string;
  readonly fields: FieldLines[];
  readonly tail: string;
  /** Every scalar is a text, except null for an unquoted `null` or `~`. */
  readonly value: Mapping;
  /** In the order of the file. */
  readonly comments: readonly SourcePart[];
};

/** @throws RefusedEdit for a text that cannot be edited safely */
export function parseEditable(text: string): EditableText {
  const { document, second, excess } = parseWithinBounds(text);
  if (excess || document.errors.length > 0) {
    const conflict = CONFLICT_MARK.exec(text);
    if (conflict) throw new RefusedEdit('merge-conflict', conflict.index);
    throw new RefusedEdit('syntax-error', breachIn(text));
  }
  if (second) throw new RefusedEdit('several-documents', second.range?.[0] ?? 0);
  // Refuses NUL, and a lone CR, which is a line break in YAML but not for the `yaml` package.
  const foreign = /\0|\r(?!\n)/.exec(text);
  if (foreign) throw new RefusedEdit('syntax-error', foreign.index);
  const { contents } = document;
  const comments = yamlComments(text);
  // A file that has only comments is a property without fields.
  if (contents === null || (isScalar(contents) && contents.source === ''))
    return { head: text, fields: [], tail: '', value: {}, comments };
  if (!isMap(contents)) throw new RefusedEdit('not-a-property', 0);
  if (contents.flow) throw new RefusedEdit('flow-mapping', contents.range?.[0] ?? 0);
  visit(document, {
    Map(_role, { items }) {
      refuseDuplicates(items);
    },
  });
  const value = dataOf(document);
  const fields = contents.items.length > 0 ? fieldLines(contents, text) : [];
  const last = fields.at(-1);
  const end = last ? last.start + last.body.length : text.length;
  const [first] = fields;
  const head = text.slice(0, first && first.start - first.lead.length);
  return { head, fields, tail: text.slice(end), value, comments };
}

function breachIn(text: string): number {
  const line = readYamlExactly(text, '').diagnostics[0]?.span?.line ?? 1;
  return text.split('\n', line - 1).reduce((offset, { length }) => offset + length + 1, 0);
}

function refuseDuplicates(items: readonly Pair[]): void {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) throw new RefusedEdit('duplicate-key', key.range?.[0] ?? 0);
    seen.add(key.value);
  }
}

function fieldLines(root: YAMLMap, text: string): FieldLines[] {
  const lines = itemRangesOf(root, text, text.length);
  return (root.items as FieldLines['pair'][]).map((pair, index) => {
    const start = pair.key.range![0];
    const lead = text.slice(lines[index - 1]?.end ?? commentStart(text, start), start);
    const token = pair.srcToken as CST.CollectionItem;
    return {
      name: String(pair.key.value),
      start,
      lead,
      body: text.slice(start, lines[index]!.end),
      pair,
      token,
    };
  });
}

/** Comments above a blank line are about the file, and so is the line that names its schema. */
function commentStart(text: string, field: number): number {
  let start = field;
  while (start > 0 && lineStart(text, start) === start) {
    const above = lineStart(text, start - 1);
    if (!/^[ \t]*#(?! yaml-language-server:)/.test(text.slice(above, start))) break;
    start = above;
  }
  return start;
}

/** Resolves aliases. @throws RefusedEdit if there are too many */
function dataOf(document: Document): Mapping {
  const nulls: [Scalar, unknown][] = [];
  let alias = 0;
  visit(document, {
    Scalar(role, node) {
      if (role !== 'key' && isPlainNull(node)) {
        nulls.push([node, node.value]);
        node.value = null;
      }
    },
    Alias(_role, { range }) {
      alias ||= range?.[0] ?? 0;
    },
  });
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return isMapping(value) ? value : {};
  } catch {
    throw new RefusedEdit('syntax-error', alias);
  } finally {
    for (const [node, text] of nulls) node.value = text;
  }
}

export function isPlainNull({ type, value }: Scalar): boolean {
  return type === 'PLAIN' && (value === '' || isNullWord(String(value)));
}

type SourcePart = { readonly offset: number; readonly source: string };

export function yamlComments(text: string): SourcePart[] {
  return text.includes('#') ? yamlTokens(text, 'comment') : [];
}

export function yamlTokens(text: string, wanted: 'comment' | 'anchor'): SourcePart[] {
  const found: SourcePart[] = [];
  const collect = (token: unknown): void => {
    if (typeof token !== 'object' || token === null) return;
    if (Array.isArray(token)) {
      for (const part of token) collect(part);
      return;
    }
    const { type, offset, source } = token as { type?: string; offset?: number; source?: string };
    if (type === wanted) found.push({ offset: offset ?? 0, source: source ?? '' });
    else collect(Object.values(token));
  };
  for (const token of new Parser().parse(text)) collect(token);
  return found.sort((a, b) => a.offset - b.offset);
}
