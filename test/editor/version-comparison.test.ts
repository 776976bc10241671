import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEqualValue } from '../../src/editor/undo-history.ts';
import { compareVersions, mergedValues } from '../../src/editor/version-comparison.ts';
import { someValues } from './values.ts';

describe('two versions', () => {
  it('are merged: changes of one side are kept, and conflicts take the chosen side', () => {
    fc.assert(
      fc.property(someValues, someValues, someValues, fc.boolean(), (base, yours, theirs, isMine) => {
        const comparison = compareVersions(base, yours, theirs);
        const merged = mergedValues(theirs, comparison, () => isMine);
        for (const field of ['title', 'city']) {
          const [before, mine, other] = [base[field], yours[field], theirs[field]];
          const expected = isEqualValue(before, other)
            ? mine
            : isEqualValue(before, mine)
              ? other
              : isMine
                ? mine
                : other;
          expect(isEqualValue(merged[field], expected), field).toBe(true);
        }
      }),
    );
  });

  it('do not differ when both made the same change', () => {
    expect(compareVersions({ title: 'a' }, { title: 'b' }, { title: 'b', city: 'c' })).toEqual({
      conflicts: [],
      joined: [],
      yours: [],
      theirs: [{ field: 'city', yours: undefined, theirs: 'c' }],
    });
  });
});
