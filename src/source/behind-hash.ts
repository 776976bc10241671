/** Finds texts that an unquoted `#` cuts off: `title: Sea House #5`. */
import { type CST, isPair, isScalar, isSeq, visit } from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { parseWithinBounds } from './bounded-yaml.ts';
import type { SchemaIssue } from './schema-issues.ts';
import { textKindOf } from './text-kind.ts';

/** Match every file with such a text, and few others. The first takes a tenth of the time. */
const MARK = / #\d/;
const SUSPECT = /[^\s#][ \t]+#\d/;

/** Lists the unquoted texts with a comment behind them that starts with a digit. */
export function findTextsBehindHash(text: string, fields: FieldTable): SchemaIssue[] {
  if (!MARK.test(text) || !SUSPECT.test(text)) return [];
  const issues: SchemaIssue[] = [];
  const { document } = parseWithinBounds(text);
  visit(document, {
    Scalar(role, { type, value, srcToken }, ancestors) {
      if (role === 'key' || type !== 'PLAIN') return;
      const { end = [] } = (srcToken ?? {}) as Partial<CST.FlowScalar>;
      const [comment] = end.flatMap((token) => (token.type === 'comment' ? [token.source] : []));
      const isOnLine =
        end.findIndex(({ type }) => type === 'comment') <
        end.findIndex(({ type }) => type === 'newline') >>> 0;
      if (comment === undefined || !isOnLine || !/^#\d/.test(comment)) return;
      const path = pathOf([...ancestors, role]);
      const name = String(path.findLast((step) => typeof step === 'string'));
      if (textKindOf(fields, name, path.length > 2 ? String(path[0]) : '') === undefined) return;
      const args = { value: String(value), comment, written: JSON.stringify(`${String(value)} ${comment}`) };
      issues.push({ code: 'text-behind-hash', path, args });
    },
  });
  return issues;
}

/** Returns the path of a node from its ancestors and its place in the last one. */
function pathOf(nodes: readonly unknown[]): (string | number)[] {
  return nodes.flatMap((node, place): (string | number)[] => {
    if (isPair(node)) return [isScalar(node.key) ? String(node.key.value) : ''];
    const next = nodes[place + 1];
    return isSeq(node) ? [typeof next === 'number' ? next : node.items.indexOf(next)] : [];
  });
}
