/** A property file, parsed for a change of its fields. */
import { CST, type Document, isMap, isScalar, type Node, type Pair, type Scalar, visit } from 'yaml';
import { isMapping, type Mapping } from '../mapping.ts';
import { parseWithinBounds } from '../source/bounded-yaml.ts';
import { isNullWord } from '../source/null-word.ts';
import { readExactly } from '../source/yaml-document.ts';
import { RefusedEdit } from './refusal.ts';
import { commentsOf } from './yaml-rows.ts';

/** A field of the file: its own lines, and those between it and the field above. */
export type FieldLines = {
  name: string;
  /** Offset of the key. */
  readonly start: number;
  /** Comments and blank lines above the key. */
  lead: string;
  /** From the key to the end of the value, line end included. */
  body: string;
  readonly pair: Pair<Scalar, Node | null>;
  readonly token: CST.CollectionItem;
};

/** A file that can be read. `head`, the fields in order, and `tail` together are the text. */
export type OpenFile = {
  readonly head: string;
  readonly fields: FieldLines[];
  readonly tail: string;
  /** Every scalar as its text, but null for a plain `null` or `~`. */
  readonly value: Mapping;
  /** The text of each comment, in order. */
  readonly comments: readonly string[];
};

/** Parses a text. @throws RefusedEdit for a text that cannot be read whole. */
export function openFile(text: string): OpenFile {
  const { document, second, excess } = parseWithinBounds(text);
  if (excess || document.errors.length > 0) throw new RefusedEdit('syntax-error', breachIn(text));
  if (second) throw new RefusedEdit('several-documents', second.range?.[0] ?? 0);
  // YAML takes a lone CR for a line end, and the library does not.
  const foreign = /\0|\r(?!\n)/.exec(text);
  if (foreign) throw new RefusedEdit('syntax-error', foreign.index);
  const { contents } = document;
  const comments = commentsOf(text).map(({ source }) => source.trimEnd());
  // A file of comments is a property without fields.
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
  const fields = fieldLines(contents.items as FieldLines['pair'][], text);
  const last = fields.at(-1);
  const end = last ? last.start + last.body.length : text.length;
  return { head: text.slice(0, fields[0]?.start), fields, tail: text.slice(end), value, comments };
}

/** Offset of the line that breaks a rule of YAML, as a check finds it. */
function breachIn(text: string): number {
  const line = readExactly(text, '').diagnostics[0]?.span?.line ?? 1;
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

function fieldLines(pairs: readonly FieldLines['pair'][], text: string): FieldLines[] {
  let end = pairs[0]?.key.range?.[0] ?? 0;
  return pairs.map((pair) => {
    const token = pair.srcToken as CST.CollectionItem;
    const start = pair.key.range?.[0] ?? 0;
    const tokens = CST.stringify({ ...token, start: [] });
    // Behind a comment in place of a value, the parser counts the line end to the next field.
    const ending = tokens.endsWith('\n') ? '' : (/^\r?\n/.exec(text.slice(start + tokens.length))?.[0] ?? '');
    const body = tokens + ending;
    const lead = text.slice(end, start);
    end = start + body.length;
    return { name: String(pair.key.value), start, lead, body, pair, token };
  });
}

/** The values of all fields. Aliases are resolved, within bounds. @throws RefusedEdit for aliases that cannot be. */
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

/** Whether a scalar is a plain `null` or `~`; in quotes these are texts. */
export function isPlainNull({ type, value }: Scalar): boolean {
  return type === 'PLAIN' && isNullWord(String(value));
}
