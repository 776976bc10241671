/** Finds texts that an unquoted `#` before a digit turns into a comment: `title: Sea House #5`. */
import { type CST, isPair, isScalar, isSeq, visit } from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { parseWithinBounds } from './bounded-yaml.ts';
import type { SchemaIssue } from './schema-issues.ts';
import { textKindOf } from './text-kind.ts';

/** A quick test that excludes most files in a tenth of the time of `SUSPECT`. */
const MARK = /[ \t]#\d/;
const SUSPECT = /[^\s#][ \t]+#\d/;

export function findTextsBehindHash(text: string, fields: FieldTable): SchemaIssue[] {
  if (!MARK.test(text) || !SUSPECT.test(text)) return [];
  const issues: SchemaIssue[] = [];
  const { document } = parseWithinBounds(text);
  const find = (value: string, behind: readonly CST.SourceToken[], path: (string | number)[]) => {
    const place = behind.findIndex(({ type }) => type === 'comment' || type === 'newline');
    const { type, source: comment = '' } = behind[place] ?? {};
    if (type !== 'comment' || !/^#\d/.test(comment)) return;
    const name = String(path.findLast((step) => typeof step === 'string'));
    if (textKindOf(fields, name, path.length > 2 ? String(path[0]) : '') === undefined) return;
    const written = JSON.stringify(`${value} ${comment}`.trim());
    issues.push({ code: 'text-behind-hash', path, args: { value, comment, written } });
  };
  visit(document, {
    Pair(_role, pair, ancestors) {
      const isEmpty = isScalar(pair.value) && pair.value.source === '';
      if (isEmpty) find('', pair.srcToken?.sep ?? [], pathOf([...ancestors, pair]));
    },
    Scalar(role, { type, value, srcToken }, ancestors) {
      const { end = [] } = (srcToken ?? {}) as Partial<CST.FlowScalar>;
      if (role !== 'key' && type === 'PLAIN' && value !== '')
        find(String(value), end, pathOf([...ancestors, role]));
    },
  });
  return issues;
}

function pathOf(nodes: readonly unknown[]): (string | number)[] {
  return nodes.flatMap((node, place): (string | number)[] => {
    if (isPair(node)) return [isScalar(node.key) ? String(node.key.value) : ''];
    const next = nodes[place + 1];
    return isSeq(node) ? [typeof next === 'number' ? next : node.items.indexOf(next)] : [];
  });
}
