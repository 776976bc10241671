/** Stamps as one text say all that the files do. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { fileStamps, isUnchanged, stampText } from '../../src/pipeline/stamps.ts';
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

it('tells a file that changed from one that did not', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 1 }), fc.nat(), (files, place) => {
      const text = stampText(files, [], SINCE);
      expect(isUnchanged(text, fileStamps(files), '/nowhere')).toBe(true);
      const other = files.map((one, index) =>
        index === place % files.length ? { ...one, stamp: `${one.stamp}1` } : one,
      );
      expect(isUnchanged(text, fileStamps(other), '/nowhere')).toBe(false);
      expect(isUnchanged(text, fileStamps(files.slice(1)), '/nowhere')).toBe(false);
    }),
  );
});

it('tells a photo that changed, or went, from one that did not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-stamps-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = 'a photo of  the lake.jpg';
  const photo = join(folder, path);
  writeFileSync(photo, 'one');
  const text = stampText([], [stampFile(path, statSync(photo))], Date.now() + 60_000);
  expect(isUnchanged(text, '', folder)).toBe(true);
  writeFileSync(photo, 'another');
  expect(isUnchanged(text, '', folder)).toBe(false);
  rmSync(photo);
  expect(isUnchanged(text, '', folder)).toBe(false);
});

it('takes nobody at their word who changed as it was looked at', () => {
  const racy = stampFile('a.yaml', { size: 1, mtimeMs: SINCE - 1, ctimeMs: SINCE - 1 } as Parameters<
    typeof stampFile
  >[1]);
  expect(isUnchanged(stampText([racy], [], SINCE), fileStamps([racy]), '/nowhere')).toBe(false);
});
