import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortedIds } from '../../src/release/sorted-ids.ts';

/** Ids that have most of their digits in common, from the least to the greatest. */
const id = fc
  .array(fc.constantFrom('00000000', '00000001', '7fffffff', '80000000', 'ffffffff'), {
    minLength: 4,
    maxLength: 4,
  })
  .map((words) => words.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));

it('are those of the sequence, each once, as texts would be sorted', () => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { maxLength: 40 }), (ids) => {
      const rest = { country: 'IE', city: 'Cork', summaryDigest: '', detailDigest: '' };
      const sorted = sortedIds(ids.map((one) => ({ id: one, ...rest })));
      expect(Array.from({ length: sorted.length }, (_, place) => sorted.at(place))).toEqual(ids.toSorted());
      expect(sorted.at(ids.length)).toBeUndefined();
    }),
  );
});
