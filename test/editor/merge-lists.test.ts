import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuthoredValue } from '../../src/editor/api.ts';
import { mergeListEntries } from '../../src/editor/merge-lists.ts';
import { compareVersions, mergedValues } from '../../src/editor/version-comparison.ts';

/** Merges photos, and returns what there is to choose. */
function photos(base: AuthoredValue, yours: AuthoredValue, theirs: AuthoredValue) {
  const comparison = compareVersions({ photo: base }, { photo: yours }, { photo: theirs });
  return {
    merged: mergedValues({ photo: theirs }, comparison, () => true).photo,
    conflicts: comparison.conflicts,
  };
}
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => ({ file: `${name}.jpg`, description: name }));

describe('lists that both changed', () => {
  it('have the photos that both added, in the places that both gave them', () => {
    expect(photos([a!, b!], [a!, c!, b!], [a!, b!, d!])).toEqual({
      merged: [a, c, b, d],
      conflicts: [],
    });
    expect(photos([], [a!], [b!])).toEqual({ merged: [a, b], conflicts: [] });
  });

  it('take a new order, a removal and another description from whom they come', () => {
    const described = { ...a!, description: 'The front' };
    expect(photos([a!, b!, c!], [c!, b!, a!], [described, b!, d!])).toEqual({
      merged: [b, d, described],
      conflicts: [],
    });
  });

  it('ask for what both changed alone', () => {
    const [mine, other] = [
      { ...a!, description: 'Mine' },
      { ...a!, description: 'Other' },
    ];
    expect(photos([a!], [mine, b!], [other, c!])).toEqual({
      merged: [mine, b, c],
      conflicts: [{ field: 'photo', yours: [mine, b, c], theirs: [other, b, c] }],
    });
    expect(photos([a!, b!], [b!], [other, b!]).conflicts).toEqual([
      { field: 'photo', yours: [b], theirs: [other, b] },
    ]);
    expect(photos([a!, b!, c!], [b!, a!, c!], [a!, c!, b!]).conflicts).toHaveLength(1);
  });

  it('join members of one entry', () => {
    const base = { ...a!, 'description@fr': 'un' };
    expect(
      photos([base], [{ ...base, description: 'The front' }], [{ ...base, 'description@fr': 'deux' }]),
    ).toEqual({
      merged: [{ file: 'a.jpg', description: 'The front', 'description@fr': 'deux' }],
      conflicts: [],
    });
  });

  it('are chosen as a whole where entries cannot be told apart', () => {
    const policy = (detail: string) => ({ policy_type: 'other', detail });
    expect(mergeListEntries([], [policy('a'), policy('b')], [policy('c')])).toBeUndefined();
    expect(mergeListEntries([], ['a'], 'b')).toBeUndefined();
    expect(mergeListEntries([], [{ detail: 'no type' }], ['a'])).toBeUndefined();
  });

  it('keep every addition, drop what one removed, and agree whichever side is asked', () => {
    const words = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'f'));
    fc.assert(
      fc.property(words, words, words, (base, yours, theirs) => {
        const merged = mergeListEntries(base, yours, theirs)!;
        const inBoth = (word: string) => yours.includes(word) && theirs.includes(word);
        const expected = [...new Set([...yours, ...theirs])].filter(
          (word) => inBoth(word) || !base.includes(word),
        );
        const swapped = mergeListEntries(base, theirs, yours)!;
        for (const list of [merged.yours, merged.theirs, swapped.yours])
          expect([...list].sort()).toEqual(expected.sort());
        const kept = expected.filter((word) => base.includes(word));
        const orderIn = (list: readonly unknown[]) => kept.map((word) => list.indexOf(word));
        const isSorted = (places: number[]) =>
          places.every((place, at) => at === 0 || places[at - 1]! < place);
        const [ofBase, ofYours] = [base, merged.yours].map(orderIn);
        if (isSorted(orderIn(yours)) && isSorted(orderIn(theirs)) && isSorted(ofBase!))
          expect(isSorted(ofYours!)).toBe(true);
      }),
    );
  });
});
