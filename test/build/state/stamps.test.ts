/** A stamp, as one text, contains everything that distinguishes versions of a file. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { fileStamps, isUnchanged, observationTime, stampText } from '../../../src/build/state/stamps.ts';
import { type StampedStats, stampFile } from '../../../src/source/stamp.ts';

const SINCE = 2_000_000_000_000;

const file = fc
  .record({
    path: fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((path) => !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/.test(path)),
    size: fc.nat(),
    mtimeMs: fc.double({ min: 0, max: SINCE - 3000, noNaN: true }),
    ctimeMs: fc.double({ min: 0, max: SINCE - 3000, noNaN: true }),
    ino: fc.nat(),
  })
  .map(({ path, ...stats }) => stampFile(path, stats));

it('distinguishes a changed file from an unchanged one', () => {
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

it('distinguishes a photo that changed or disappeared from an unchanged one', () => {
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

/** A file system whose times have this resolution in milliseconds; the clock itself is exact. */
const coarse = (resolution: number) => (time: number) => Math.floor(time / resolution) * resolution;

it('does not trust the stamp of a file that may still change within the same tick, however coarse the tick is (C9)', () => {
  const resolution = fc.constantFrom(0.001, 1, 4, 10, 100, 1000, 2000);
  const delay = fc.double({ min: 0, max: 5000, noNaN: true });
  fc.assert(
    fc.property(resolution, fc.nat(1e6), delay, delay, (milliseconds, start, pause, next) => {
      const kept = coarse(milliseconds);
      const statsAt = (time: number): StampedStats => ({
        size: 7,
        mtimeMs: kept(time),
        ctimeMs: kept(time),
        ino: 1,
      });
      // An edit, a build that reads the file, and another edit of the same size.
      const edited = SINCE + start;
      const looked = edited + pause;
      const seen = stampFile('a.yaml', statsAt(edited));
      const text = stampText([seen], [], looked);
      const again = stampFile('a.yaml', statsAt(looked + next));
      expect(isUnchanged(text, fileStamps([again]), '/nowhere')).toBe(
        // Only a stamp of the same moment can belong to the same file.
        false,
      );
    }),
  );
});

it('trusts the stamp of a file that is older than any tick', () => {
  for (const time of [SINCE, SINCE + 100, SINCE + 0.25]) {
    const old = stampFile('a.yaml', { size: 1, mtimeMs: time, ctimeMs: time, ino: 1 });
    const text = stampText([old], [], time + 2001);
    expect(isUnchanged(text, fileStamps([old]), '/nowhere')).toBe(true);
  }
});

it('reads the clock of the file system that holds the content', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-stamps-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const mark = join(folder, 'mark');
  writeFileSync(mark, '');
  // The clock of the file system is an hour behind.
  const behind = Date.now() / 1000 - 3600;
  utimesSync(mark, behind, behind);
  expect(observationTime(folder, mark)).toBeCloseTo(behind * 1000, 0);
  expect(observationTime('/proc', mark)).toBeGreaterThan(Date.now() - 60_000);
  expect(observationTime(join(folder, 'missing'), mark)).toBeGreaterThan(Date.now() - 60_000);
});

it('distinguishes files that swapped their folders, although they have the same size and times (C10)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-stamps-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  for (const name of ['a', 'b']) {
    mkdirSync(path(name));
    writeFileSync(path(`${name}/photo.jpg`), name);
    utimesSync(path(`${name}/photo.jpg`), 1, 1);
  }
  // Neither file changes while its folder is renamed: only its inode number distinguishes them.
  const stamps = () =>
    ['a/photo.jpg', 'b/photo.jpg'].map((name) => {
      const { size, mtimeMs, ino } = statSync(path(name));
      return stampFile(name, { size, mtimeMs, ctimeMs: 1, ino });
    });
  const text = stampText(stamps(), [], Date.now());
  expect(isUnchanged(text, fileStamps(stamps()), folder)).toBe(true);
  renameSync(path('a'), path('c'));
  renameSync(path('b'), path('a'));
  renameSync(path('c'), path('b'));
  expect(isUnchanged(text, fileStamps(stamps()), folder)).toBe(false);
});
