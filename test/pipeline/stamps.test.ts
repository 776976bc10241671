/** Stamps as one text say all that the files do. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filesOf, isUnchanged, stampsOf, stampText } from '../../src/pipeline/stamps.ts';
import { stampFile } from '../../src/source/find.ts';

const SINCE = 2_000_000_000_000;

const file = fc
  .record({
    path: fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((path) => !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/.test(path)),
    size: fc.nat(),
    mtimeMs: fc.double({ min: 0, max: SINCE - 1000, noNaN: true }),
    ctimeMs: fc.double({ min: 0, max: SINCE - 1000, noNaN: true }),
  })
  .map(({ path, ...stats }) => stampFile(path, stats as Parameters<typeof stampFile>[1]));

it('gives back the files', () => {
  fc.assert(
    fc.property(fc.array(file), (files) => {
      expect(filesOf(stampsOf(files))).toEqual(files);
    }),
  );
});

it('tells a file that changed from one that did not', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 1 }), fc.nat(), (files, place) => {
      const text = stampText(files, [], SINCE);
      expect(isUnchanged(text, stampsOf(files), '/nowhere')).toBe(true);
      const other = files.map((one, index) =>
        index === place % files.length ? { ...one, stamp: `${one.stamp}1` } : one,
      );
      expect(isUnchanged(text, stampsOf(other), '/nowhere')).toBe(false);
      expect(isUnchanged(text, stampsOf(files.slice(1)), '/nowhere')).toBe(false);
    }),
  );
});

it('takes nobody at their word who changed as it was looked at', () => {
  const racy = stampFile('a.yaml', { size: 1, mtimeMs: SINCE - 1, ctimeMs: SINCE - 1 } as Parameters<
    typeof stampFile
  >[1]);
  expect(isUnchanged(stampText([racy], [], SINCE), stampsOf([racy]), '/nowhere')).toBe(false);
});
