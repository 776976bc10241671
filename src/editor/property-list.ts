import type { PropertiesResponse, PropertyRow } from './api.ts';

export type PropertyList = Pick<PropertiesResponse, 'mark' | 'rows' | 'changed' | 'problem'>;

/** Unchanged rows stay the same objects, since memoized values depend on them. */
export function updatedList(before: PropertyList | undefined, answer: PropertiesResponse): PropertyList {
  const { isWhole, rows, gone, ...rest } = answer;
  if (!before || isWhole) return { ...rest, rows };
  if (rows.length === 0 && gone.length === 0) return { ...rest, rows: before.rows };
  const news = new Map(rows.map((row) => [row.path, row]));
  const isGone = new Set(gone);
  const kept: PropertyRow[] = [];
  for (const row of before.rows) {
    if (!isGone.has(row.path)) kept.push(news.get(row.path) ?? row);
    news.delete(row.path);
  }
  const all = news.size === 0 ? kept : [...kept, ...news.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { ...rest, rows: all };
}
