import { foldText } from '../contract/sort-order.ts';
import { differByOneLetter } from '../source/did-you-mean.ts';
import type { PropertyRow } from './api.ts';

export type ListCondition = 'all' | 'errors' | 'changed' | 'unpublished';

export type PropertyListFilter = {
  /** Text to find in title, city, country or path. Empty matches all. */
  readonly text: string;
  readonly country: string;
  readonly condition: ListCondition;
};

export const NO_LIST_FILTER: PropertyListFilter = { text: '', country: '', condition: 'all' };

const MEETS: Readonly<Record<ListCondition, (row: PropertyRow) => boolean>> = {
  all: () => true,
  errors: ({ errors, warnings }) => errors + warnings > 0,
  changed: ({ changed }) => changed !== null,
  unpublished: ({ state }) => state !== 'live',
};

export function isListCondition(text: string): text is ListCondition {
  return Object.hasOwn(MEETS, text);
}

/** Cache of folded texts: folding 100,000 of them at each keystroke would take too long. */
export type SearchTexts = WeakMap<PropertyRow, string>;

export function filterRows(
  rows: readonly PropertyRow[],
  filter: PropertyListFilter,
  nameOf: (code: string) => string,
  texts: SearchTexts = new WeakMap(),
): readonly PropertyRow[] {
  const words = foldText(filter.text).split(/\s+/).filter(Boolean);
  const { country, condition } = filter;
  const textOf = (row: PropertyRow) => {
    let text = texts.get(row);
    if (text === undefined) {
      text = foldText(`${row.title} ${row.city} ${row.country && nameOf(row.country)} ${row.path}`);
      texts.set(row, text);
    }
    return text;
  };
  const found = (has: (text: string, word: string) => boolean) =>
    rows.filter(
      (row) =>
        (!country || row.country === country) &&
        MEETS[condition](row) &&
        words.every((word) => has(textOf(row), word)),
    );
  const exact = found((text, word) => text.includes(word));
  // If nothing matches exactly, typos are tolerated: "Harbor" finds "Harbour".
  return exact.length > 0 ? exact : found((text, word) => text.includes(word) || hasSlip(text, word));
}

/** Minimum number of letters of a word in which typos are tolerated. */
const LONG_ENOUGH = 5;

function hasSlip(text: string, word: string): boolean {
  return (
    word.length >= LONG_ENOUGH && text.split(/[^\p{L}\p{N}]+/u).some((one) => differByOneLetter(one, word))
  );
}

export function countByCondition(rows: readonly PropertyRow[]): Readonly<Record<ListCondition, number>> {
  const count = (condition: ListCondition) => rows.filter(MEETS[condition]).length;
  return {
    all: rows.length,
    errors: count('errors'),
    changed: count('changed'),
    unpublished: count('unpublished'),
  };
}
