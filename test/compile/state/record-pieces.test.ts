/** Records are read back as they were stored, and their number is known. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileRecord } from '../../../src/compile/read/file-record.ts';
import { encodeRows } from '../../../src/compile/read/record-block-encoding.ts';
import { decodeRows } from '../../../src/compile/read/record-row.ts';
import { isFromLastBuild, recordPieces } from '../../../src/compile/state/record-pieces.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { createDiagnostic } from '../../../src/source/diagnostic.ts';
import { madeEntry, plainRecord } from './made-record.ts';

const photo = {
  path: 'a photo \u{1F600}.jpg',
  stamp: '1 2 3 4',
  reliableFrom: 3,
  digest: 'd',
  index: 0,
  thumbnail: true,
};

const record: fc.Arbitrary<FileRecord> = fc
  .record({
    path: fc.string({ unit: 'grapheme' }),
    digest: fc.oneof(fc.string().map(digestOf), fc.constant('')),
    diagnostics: fc.constantFrom(
      [],
      [createDiagnostic('unreadable-file', '', null, { reason: '{"\n' })],
      [
        createDiagnostic(
          'unknown-country',
          '',
          { line: 3, column: 1, length: 2, text: 'É' },
          { value: 'x', suggestion: 'IE' },
          ['country'],
        ),
        { ...createDiagnostic('missing-email', '', null, {}, ['photo', 1]), severity: 'error' as const },
      ],
    ),
    visibility: fc.constantFrom(undefined, { draft: true as const }, { from: -1, until: 1e12 }),
    crossFileValues: fc.constantFrom(
      undefined,
      { id: madeEntry('3', '', '').id, country: undefined, city: 'Galway' },
      { id: madeEntry('4', '', '').id, country: 'IE' as const, city: 'Galway' },
    ),
    media: fc.constantFrom([], [photo]),
    entry: fc.constantFrom(undefined, madeEntry('1', '東京', 'A'), madeEntry('2', '"a\\b"', 'Á')),
  })
  .map((made) => ({
    ...made,
    diagnostics: made.diagnostics.map((found) => ({ ...found, file: made.path })),
  }));

it('returns the stored records with their published form', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), fc.nat(12), (all, count) => {
      const published = new Set(all.slice(0, count));
      // The place of an unpublished property is kept, because a later build compares it.
      const records = all.map((each) => {
        if (published.has(each) && each.entry) return { ...each, crossFileValues: undefined };
        const { id, country, city } = each.entry ?? {};
        return {
          ...each,
          entry: undefined,
          crossFileValues: each.entry ? { id, country, city } : each.crossFileValues,
        };
      });
      const unpublished = new Set(all.filter((each) => !published.has(each)));
      const read = [...recordPieces(all, unpublished)].flatMap(({ bytes }) => decodeRows(bytes()));
      expect(read.map(plainRecord)).toEqual(records.map(plainRecord));
      expect(read.map(isFromLastBuild)).toEqual(records.map(({ entry }) => entry !== undefined));
    }),
  );
});

it('forgets where details were spooled', () => {
  const spooled = { spool: 2, offset: 2 ** 40, length: 32 };
  const made = { path: 'a.yaml', digest: '', diagnostics: [], media: [], entry: madeEntry('1', 'Cork', 'A') };
  const fresh = decodeRows(encodeRows([made, { ...made, entry: { ...made.entry, spooled } }]));
  expect(fresh.map(({ entry }) => entry?.spooled)).toEqual([undefined, spooled]);
  expect(fresh.map(isFromLastBuild)).toEqual([true, false]);
  const [piece] = recordPieces(fresh, new Set());
  expect(decodeRows(piece!.bytes()).map(isFromLastBuild)).toEqual([true, true]);
});
