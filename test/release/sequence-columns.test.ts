/** Columns have the values of a sequence, and give them back. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestOf } from '../../src/release/digest.ts';
import { idAt, indexesById, sequenceColumns } from '../../src/release/sequence-columns.ts';

const digest = fc.string().map(digestOf);
const sequence = fc.uniqueArray(
  fc.record({ id: fc.uuid(), summaryDigest: digest, detailDigest: digest }).map((each) => ({
    ...each,
    country: 'IE',
    city: 'Cork',
  })),
  { selector: ({ id }) => id },
);
const hex = (column: Uint8Array) => Buffer.from(column).toString('hex');

it('have all values in order', () => {
  fc.assert(
    fc.property(sequence, (entries) => {
      const columns = sequenceColumns(entries);
      expect(entries.map((_, place) => idAt(columns, place))).toEqual(entries.map(({ id }) => id));
      expect(hex(columns.summaryDigests)).toBe(entries.map(({ summaryDigest }) => summaryDigest).join(''));
      expect(hex(columns.detailDigests)).toBe(entries.map(({ detailDigest }) => detailDigest).join(''));
    }),
  );
});

it('have an order of ids, also where many start alike', () => {
  const alike = fc.uniqueArray(fc.uuid().map((id) => `00000000${id.slice(8)}`));
  fc.assert(
    fc.property(
      fc.oneof(
        sequence.map((entries) => entries.map(({ id }) => id)),
        alike,
      ),
      (ids) => {
        const columns = { ids: Buffer.from(ids.join('').replaceAll('-', ''), 'hex') };
        expect([...indexesById(columns)].map((place) => ids[place])).toEqual([...ids].sort());
      },
    ),
  );
});
