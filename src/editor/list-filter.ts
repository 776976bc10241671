/** Filters the list of properties. */
import { fold } from '../contract/order.ts';
import type { PropertyRow } from './api.ts';

export type ListCondition = 'all' | 'errors' | 'changed' | 'unpublished';

export type ListFilter = {
  /** Words to find in the title, city or path; empty for all. */
  readonly text: string;
  /** Country code; empty for all. */
  readonly country: string;
  readonly condition: ListCondition;
};

const MEETS: Readonly<Record<ListCondition, (row: PropertyRow) => boolean>> = {
  all: () => true,
  errors: ({ errors, warnings }) => errors + warnings > 0,
  changed: ({ changed }) => changed !== null,
  unpublished: ({ state }) => state !== 'live',
};

/** Returns the properties that match a filter, in the list's order. */
export function filtered(rows: readonly PropertyRow[], filter: ListFilter): PropertyRow[] {
  const words = fold(filter.text).split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (filter.country && row.country !== filter.country) return false;
    if (!MEETS[filter.condition](row)) return false;
    const text = words.length === 0 ? '' : fold(`${row.title} ${row.city} ${row.path}`);
    return words.every((word) => text.includes(word));
  });
}

/** Counts the properties that meet each condition. */
export function tallies(rows: readonly PropertyRow[]): Readonly<Record<ListCondition, number>> {
  const count = (condition: ListCondition) => rows.filter(MEETS[condition]).length;
  return {
    all: rows.length,
    errors: count('errors'),
    changed: count('changed'),
    unpublished: count('unpublished'),
  };
}
