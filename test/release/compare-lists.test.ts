import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCatalogue } from '../../src/compile/compare-catalogue.ts';
import type { RecordEntry } from '../../src/compile/read/file-record.ts';
import { scopeFolder } from '../../src/contract/object-keys.ts';
import { changedPageNumbers } from '../../src/release/compare-lists.ts';
import { type SequenceEntry, scopesOf, toSequence } from '../../src/release/sequence.ts';
import { answers, edited, entry, pagesOf, sequence } from './made-up-sequence.ts';

const SIZES = [1, 2, 3, 7, 25, 100] as const;

function compareSequences(
  before: readonly SequenceEntry[],
  after: readonly SequenceEntry[],
  oldScopes = scopesOf(before),
) {
  const [old, sequence] = [before, after] as (readonly RecordEntry[])[];
  const catalogue = { before: old!, sequence: sequence! };
  const { changed, gone, details } = compareCatalogue(catalogue, oldScopes, scopesOf(after));
  return { changed, gone, writtenDetails: [...details().written], goneDetails: [...details().gone] };
}

/** Every page of every scope and size by its place, and every total. */
function allPages(entries: readonly SequenceEntry[]): Map<string, string> {
  // The total of everything always exists (B10).
  const pages = new Map([[`${scopeFolder('', '')}/total`, '0']]);
  for (const answer of answers(entries)) {
    const folder = scopeFolder(answer.country, answer.city);
    pages.set(`${folder}/total`, String(answer.summaries.length));
    for (const size of SIZES) {
      for (const [index, page] of pagesOf(answer, size).entries())
        pages.set(`${folder}/${size}-${index + 1}`, page);
    }
  }
  return pages;
}

describe('a comparison', () => {
  it('writes only the pages whose text differs', () => {
    fc.assert(
      fc.property(edited, ([before, after]) => {
        const [old, fresh] = [allPages(before), allPages(after)];
        const expected = [...fresh].filter(([key, text]) => old.get(key) !== text).map(([key]) => key);
        const { changed, gone } = compareSequences(before, after);
        const written = changed.flatMap((scope) => [
          ...(scope.before === scope.scope.total ? [] : [`${scope.folder}/total`]),
          ...SIZES.flatMap((size) =>
            changedPageNumbers(scope, size).map((number) => `${scope.folder}/${size}-${number}`),
          ),
        ]);
        expect(written.sort()).toEqual(expected.sort());
        // Removed pages: those of removed scopes, and the last ones of smaller scopes.
        const totals = new Map([
          ...changed.map(({ folder, before: total, scope }) => [folder, [total, scope.total]] as const),
          ...gone.map(({ folder, before: total }) => [folder, [total, 0]] as const),
        ]);
        const removed = [...totals].flatMap(([folder, [was, is]]) => [
          ...(is === 0 && folder !== scopeFolder('', '') ? [`${folder}/total`] : []),
          ...SIZES.flatMap((size) =>
            Array.from({ length: Math.ceil(was / size) }, (_, index) => index + 1)
              .filter((number) => number > Math.ceil(is / size))
              .map((number) => `${folder}/${size}-${number}`),
          ),
        ]);
        expect(removed.sort()).toEqual([...old.keys()].filter((key) => !fresh.has(key)).sort());
      }),
      { numRuns: 400 },
    );
  });

  it('writes details that are new or differ, and removes those that are gone', () => {
    fc.assert(
      fc.property(edited, ([before, after]) => {
        const details = (entries: SequenceEntry[]) =>
          new Map(entries.map((each) => [each.id, each.detailDigest]));
        const [old, fresh] = [details(before), details(after)];
        const { writtenDetails, goneDetails } = compareSequences(before, after);
        expect([...writtenDetails].sort()).toEqual(
          [...fresh]
            .filter(([id, digest]) => old.get(id) !== digest)
            .map(([id]) => id)
            .sort(),
        );
        expect([...goneDetails].sort()).toEqual([...old.keys()].filter((id) => !fresh.has(id)).sort());
      }),
      { numRuns: 400 },
    );
  });

  it('of a sequence with itself finds nothing', () => {
    fc.assert(
      fc.property(sequence, (entries) => {
        expect(compareSequences(entries, [...entries])).toEqual({
          changed: [],
          gone: [],
          writtenDetails: [],
          goneDetails: [],
        });
      }),
    );
  });

  it('with nothing before writes everything, and with nothing after removes everything', () => {
    const entries = toSequence([entry('1', 'IE', 'Cork', 'A'), entry('2', 'FR', 'Paris', 'A')]);
    const first = compareSequences([], entries);
    expect(first.changed).toHaveLength(7);
    expect(first.changed.every(({ before, indexes }) => before === 0 && indexes === undefined)).toBe(true);
    expect(first).toMatchObject({ gone: [], writtenDetails: ['2', '1'], goneDetails: [] });
    const last = compareSequences(entries, []);
    // The total of everything stays, and is 0 (B10).
    expect(last.changed).toMatchObject([{ folder: '_catalogue/pages/-/-', before: 2, scope: { total: 0 } }]);
    expect(last.gone).toHaveLength(6);
    expect(last).toMatchObject({ writtenDetails: [], goneDetails: ['2', '1'] });
  });

  it('writes the total of a first release without properties (B10)', () => {
    const { changed } = compareSequences([], [], []);
    expect(changed).toMatchObject([{ folder: '_catalogue/pages/-/-', indexes: undefined }]);
  });

  it('finds the indexes in a scope of several countries', () => {
    const list = (title: string) =>
      toSequence([
        entry('1', 'FR', 'Newport', 'A'),
        entry('2', 'IE', 'Cork', 'A'),
        entry('3', 'IE', 'Newport', title),
      ]);
    const { changed } = compareSequences(list('A'), list('B'));
    expect(changed.map(({ folder, indexes }) => [folder, indexes])).toEqual([
      [scopeFolder('', ''), [2]],
      [scopeFolder('IE', ''), [1]],
      [scopeFolder('IE', 'Newport'), [0]],
      [scopeFolder('', 'Newport'), [1]],
    ]);
  });
});

describe('changedPageNumbers', () => {
  const scope = { country: '', city: '', runs: [{ start: 0, end: 10 }], total: 10 };
  it.each([
    [undefined, 3, [1, 2, 3, 4]],
    [undefined, 100, [1]],
    [[0], 3, [1]],
    [[2, 3], 3, [1, 2]],
    [[3, 4, 5], 3, [2]],
    [[0, 9], 3, [1, 4]],
    [[], 3, []],
  ])('of indexes %j and size %i are %j', (indexes, size, numbers) => {
    expect(changedPageNumbers({ scope, folder: '', before: 10, indexes }, size)).toEqual(numbers);
  });
});
