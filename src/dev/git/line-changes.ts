import { diffArrays } from 'diff';
import type { LineHunk } from '../../editor/changes.ts';

/**
 * Two texts count as completely different if their comparison takes more milliseconds than this. No property file takes
 * so long.
 */
const PATIENCE = 200;

export function lineChanges(before: string, after: string): LineHunk[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(old, now, { timeout: PATIENCE }) ?? [
    { value: old, added: false, removed: true },
    { value: now, added: true, removed: false },
  ];
  const changes: { oldLine: number; newLine: number; removed: string[]; added: string[] }[] = [];
  let [oldLine, newLine] = [1, 1];
  let open: (typeof changes)[number] | undefined;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) open = undefined;
    else if (!open) {
      open = { oldLine, newLine, removed: [], added: [] };
      changes.push(open);
    }
    if (!added) oldLine += value.length;
    if (!removed) newLine += value.length;
    if (added) open?.added.push(...value);
    if (removed) open?.removed.push(...value);
  }
  return changes;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
