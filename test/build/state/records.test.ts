/** Records are read back as they were stored, and their number is known. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileRecord } from '../../../src/build/read/files.ts';
import { isStored, recordPieces, recordsOf } from '../../../src/build/state/records.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { diagnose } from '../../../src/source/diagnostic.ts';
import { entry } from '../../release/made-up-sequence.ts';

const photo = {
  path: 'a photo \u{1F600}.jpg',
  stamp: '1 2 3 4',
  settled: 3,
  digest: 'd',
  index: 0,
  thumbnail: true,
};

const record: fc.Arbitrary<FileRecord> = fc.record({
  path: fc.string({ unit: 'grapheme' }),
  digest: fc.oneof(fc.string().map(digestOf), fc.constant('')),
  diagnostics: fc.constantFrom([], [diagnose('unreadable-file', 'é.yaml', null, { reason: '{"\n' })]),
  visibility: fc.constantFrom(undefined, { draft: true as const }, { from: -1, until: 1e12 }),
  placed: fc.constantFrom(undefined, { id: '3', country: undefined, city: 'Galway' }),
  media: fc.constantFrom([], [photo]),
  entry: fc.constantFrom(undefined, entry('1', 'IE', '東京', 'A'), entry('2', 'IE', '"a\\b"', 'Á')),
});

it('returns the stored records with their published form', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), fc.nat(12), (all, count) => {
      const published = new Set(all.slice(0, count));
      // The place of an unpublished property is kept, because a later build compares it.
      const records = all.map((each) => {
        if (published.has(each) && each.entry) return { ...each, placed: undefined };
        const { id, country, city } = each.entry ?? {};
        return { ...each, entry: undefined, placed: each.entry ? { id, country, city } : each.placed };
      });
      const read = [...recordPieces(all, published)].flatMap(({ bytes }) => recordsOf(bytes()));
      expect(read).toEqual(records);
      expect(read.map(isStored)).toEqual(records.map(({ entry }) => entry !== undefined));
      const staged = { spool: 0, offset: 0, length: 2 };
      expect(records.some((fresh) => isStored({ ...fresh, staged }))).toBe(false);
    }),
  );
});
