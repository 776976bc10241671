import { describe, expect, it } from 'vitest';
import { visiblePageNumbers } from '../../src/explorer/page-numbers.ts';

describe('page numbers', () => {
  it('have gaps of more than one page only', () => {
    expect(visiblePageNumbers(1, 1)).toEqual([1]);
    expect(visiblePageNumbers(1, 11)).toEqual([1, 2, 0, 11]);
    expect(visiblePageNumbers(6, 11)).toEqual([1, 0, 5, 6, 7, 0, 11]);
    expect(visiblePageNumbers(4, 6)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('are in order, each once, with both ends, for every page', () => {
    for (let pages = 1; pages <= 12; pages++) {
      for (let current = 1; current <= pages; current++) {
        const shown = visiblePageNumbers(current, pages).filter((page) => page !== 0);
        expect(shown).toEqual([...new Set(shown)].sort((one, other) => one - other));
        expect(shown).toEqual(expect.arrayContaining([1, current, pages]));
      }
    }
  });
});
