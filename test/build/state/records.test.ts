/** Stored records say what was stored, and are stored again byte by byte. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileRecord } from '../../../src/build/read/files.ts';
import { isStored, openRecords, recordLines } from '../../../src/build/state/records.ts';
import { digestOf } from '../../../src/release/digest.ts';
import type { Entry } from '../../../src/release/sequence.ts';
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

const record: fc.Arbitrary<Omit<FileRecord, 'path'>> = fc.record({
  digest: fc.oneof(fc.string().map(digestOf), fc.constant('')),
  diagnostics: fc.constantFrom([], [diagnose('unreadable-file', 'é.yaml', null, { reason: '{"\n' })]),
  media: fc.constantFrom([], [photo]),
  remote: fc.constantFrom(undefined, 'https://photos.example/a b?c="{ü}"'),
  fetched: fc.constantFrom(undefined, digestOf('photo')),
});

const records: fc.Arbitrary<FileRecord[]> = fc
  .array(record, { maxLength: 12 })
  .map((list) => list.map((each, n) => ({ path: `${n}.yaml`, ...each })));

/** With properties of its own, for comparison. */
const copyOf = ({ path, digest, diagnostics, entry, media, remote, fetched }: FileRecord): FileRecord => ({
  path,
  digest,
  diagnostics,
  entry,
  media,
  remote,
  fetched,
});

const linesOf = (list: readonly FileRecord[]) => Buffer.concat([...recordLines(list)]);

/** As the next build has them: every second one is published, in the opposite order. */
function reopen(list: readonly FileRecord[]) {
  const indices = [...list.keys()].filter((n) => n % 2 === 0).reverse();
  const entries = indices.map((n): Entry => entry(String(n), 'IE', 'Cork', 'A'));
  return openRecords(
    linesOf(list),
    list.map(({ path }) => path),
    entries,
    indices,
  );
}

it('gives the records that were stored, with what they publish', () => {
  fc.assert(
    fc.property(records, (list) => {
      const expected = list.map((each, n) => ({
        ...each,
        entry: n % 2 === 0 ? entry(String(n), 'IE', 'Cork', 'A') : undefined,
      }));
      expect(reopen(list).map(copyOf)).toEqual(expected);
    }),
  );
});

it('stores records again as they stand, among others', () => {
  fc.assert(
    fc.property(records, records, fc.array(fc.boolean(), { maxLength: 12 }), (list, others, isKept) => {
      const mixed = [...reopen(list).filter((_, n) => isKept[n]), ...others, ...reopen(list)];
      const plain = [...list.filter((_, n) => isKept[n]), ...others, ...list];
      expect(linesOf(mixed)).toEqual(linesOf(plain));
      expect(mixed.filter(isStored)).toHaveLength(mixed.length - others.length);
    }),
  );
});

it('refuses as many lines as there are no paths', () => {
  expect(() => openRecords(Buffer.from('a\n'), [], [], [])).toThrow(RangeError);
});
