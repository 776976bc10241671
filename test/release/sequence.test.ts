import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Scope, scopesOf, toSequence } from '../../src/release/sequence.ts';
import { answers, entry, sequence } from './made-up-sequence.ts';

describe('toSequence', () => {
  it('sorts by country, city, title and id, and does not change its input', () => {
    const list = [
      entry('4', 'IE', 'cork', 'A'),
      entry('3', 'IE', 'Cork', 'b'),
      entry('2', 'IE', 'Cork', 'A'),
      entry('1', 'IE', 'Cork', 'A'),
      entry('0', 'DE', 'Ulm', 'Z'),
    ];
    const given = [...list];
    expect(toSequence(list).map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4']);
    expect(list).toEqual(given);
  });

  it('inserts entries among sorted ones', () => {
    fc.assert(
      fc.property(sequence, fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }), (all, isFresh) => {
        const fresh = all.filter((_, index) => isFresh[index]).reverse();
        expect(
          toSequence(
            fresh,
            all.filter((_, index) => !isFresh[index]),
          ),
        ).toEqual(all);
      }),
    );
  });

  it('gives the same result for any order of its input', () => {
    fc.assert(
      fc.property(sequence, (sorted) => {
        expect(toSequence([...sorted].reverse())).toEqual(sorted);
      }),
    );
  });
});

describe('scopesOf', () => {
  it('returns all: each country with its cities, then each city of any country', () => {
    const list = toSequence([
      entry('1', 'IE', 'Cork', 'A'),
      entry('2', 'FR', 'Newport', 'A'),
      entry('3', 'IE', 'Newport', 'A'),
      entry('4', 'IE', 'Newport', 'B'),
    ]);
    const run = (start: number, end: number) => ({ start, end });
    expect(scopesOf(list)).toEqual<Scope[]>([
      { country: '', city: '', runs: [run(0, 4)], total: 4 },
      { country: 'FR', city: '', runs: [run(0, 1)], total: 1 },
      { country: 'FR', city: 'Newport', runs: [run(0, 1)], total: 1 },
      { country: 'IE', city: '', runs: [run(1, 4)], total: 3 },
      { country: 'IE', city: 'Cork', runs: [run(1, 2)], total: 1 },
      { country: 'IE', city: 'Newport', runs: [run(2, 4)], total: 2 },
      { country: '', city: 'Newport', runs: [run(0, 1), run(2, 4)], total: 3 },
      { country: '', city: 'Cork', runs: [run(1, 2)], total: 1 },
    ]);
  });

  it('returns only the scope of everything, with no entries, for an empty sequence (B10)', () =>
    expect(scopesOf([])).toEqual([{ country: '', city: '', runs: [], total: 0 }]));

  it('returns what a scan of every entry gives', () => {
    const key = ({ country, city }: { country: string; city: string }) => `${country}/${city}`;
    fc.assert(
      fc.property(sequence, (entries) => {
        const found = new Map(
          scopesOf(entries).map(({ runs, total, ...filter }) => {
            const summaries = runs.flatMap(({ start, end }) =>
              entries.slice(start, end).map(({ summary }) => summary),
            );
            expect(total).toBe(summaries.length);
            return [key(filter), summaries];
          }),
        );
        expect(found.size).toBe(scopesOf(entries).length);
        const wanted = answers(entries).map((answer) => [key(answer), answer.summaries] as const);
        expect(found).toEqual(new Map(entries.length === 0 ? [['/', []]] : wanted));
      }),
      { numRuns: 500 },
    );
  });
});
