/** Pages are the same slices of every source (issue 17, "One fact, one place"). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assemblePage, concatBytes, pageEntries, pageSlices } from '../../src/release/page.ts';
import { joinSummaries, scopesOf } from '../../src/release/sequence.ts';
import { answers, pagesOf, sequence } from './made-up-sequence.ts';

it('takes the same pages of every scope as a scan of every entry', () => {
  fc.assert(
    fc.property(sequence, fc.integer({ min: 1, max: 9 }), (list, size) => {
      const summaries = joinSummaries(list.map(({ summary }) => summary));
      const scopes = scopesOf(list);
      for (const answer of answers(list)) {
        const { runs, total } = scopes.find(
          ({ country, city }) => country === answer.country && city === answer.city,
        )!;
        const pages = pagesOf(answer, size);
        const cut = pages.map((_page, index) =>
          assemblePage(pageEntries(summaries, runs, index + 1, size), index + 1, size, total),
        );
        expect(cut.map((pieces) => Buffer.from(concatBytes(pieces)).toString('utf8'))).toEqual(pages);
        expect(pageEntries(summaries, runs, pages.length + 1, size)).toEqual([]);
      }
    }),
  );
});

it('takes no empty slice, and as many entries as fit on a page', () => {
  expect(pageSlices([2, 3, 1], 2, 2)).toEqual([{ index: 1, start: 0, end: 2 }]);
  expect(pageSlices([2, 3, 1], 1, 3)).toEqual([
    { index: 0, start: 0, end: 2 },
    { index: 1, start: 0, end: 1 },
  ]);
  expect(pageSlices([2, 3, 1], 3, 3)).toEqual([]);
  expect(pageSlices([], 1, 3)).toEqual([]);
});
