/** Numbers the positions of photos from 1 without gaps. */
import type { Item, Row } from './yaml-rows.ts';

/**
 * Renumbers photos in the order of their positions. A photo without a position counts by its index, and gets a position
 * only where that changes. Invalid positions stay; the check reports them.
 */
export function renumber(photos: readonly Item[]): void {
  const entries: { rows: Row[]; row: Row | undefined; place: number; position: number }[] = [];
  for (const [place, photo] of photos.entries()) {
    if (!('rows' in photo)) return;
    const row = photo.rows.find(({ key, value }) => key === 'position' && value.kind !== 'empty');
    const position = row ? positionOf(row) : place + 1;
    if (position === undefined) return;
    entries.push({ rows: photo.rows, row, place, position });
  }
  if (new Set(entries.map(({ position }) => position)).size < entries.length) return;
  entries.sort((a, b) => a.position - b.position);
  entries.forEach(({ rows, row, place }, rank) => {
    const text = String(rank + 1);
    if (row?.value.kind === 'text') row.value.text = text;
    else if (place !== rank) addPosition(rows, text);
  });
}

function positionOf({ value }: Row): number | undefined {
  if (value.kind !== 'text') return undefined;
  const text = value.text.trim();
  return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : undefined;
}

function addPosition(rows: Row[], text: string): void {
  const empty = rows.findIndex(({ key }) => key === 'position');
  const row: Row = {
    key: 'position',
    value: { kind: 'text', text },
    leading: [],
    blank: false,
    trailing: [],
  };
  if (empty < 0) rows.push(row);
  else rows[empty] = { ...rows[empty]!, value: row.value };
}
