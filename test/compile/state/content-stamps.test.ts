/** A stamp contains everything that distinguishes versions of a file. */
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  currentFileSystemTime,
  type FileStamps,
  hasSameStamps,
  newIndex,
  readFileStamps,
  stampsToStore,
} from '../../../src/compile/state/content-stamps.ts';
import { withThreads } from '../../../src/compile/threads/pool.ts';
import { type StampedStats, stampFile, stampOf } from '../../../src/source/file-stamp.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { createWorkspace } from '../workspace.ts';

const stamp = (content: string, paths: readonly string[]) =>
  withThreads(1, (threads) => readFileStamps(content, paths, threads));

const SINCE = 2_000_000_000_000;

/** Stamps of files that have these sizes, times and numbers; `pathsDigest` is of their paths. */
const stamped = (stats: readonly StampedStats[], pathsDigest = 'paths'): FileStamps => ({
  pathsDigest,
  numbers: Float64Array.from(stats.flatMap((one) => stampOf(one))),
});

const stats = fc.record({
  size: fc.nat(),
  mtimeMs: fc.double({ min: 0, max: SINCE - 3000, noNaN: true }),
  ctimeMs: fc.double({ min: 0, max: SINCE - 3000, noNaN: true }),
  ino: fc.nat(),
});

it('distinguishes a changed file from an unchanged one', () => {
  const part = fc.constantFrom<keyof StampedStats>('size', 'mtimeMs', 'ctimeMs', 'ino');
  fc.assert(
    fc.property(fc.array(stats, { minLength: 1 }), fc.nat(), part, (files, place, changed) => {
      const left = stampsToStore(stamped(files), [], SINCE);
      expect(hasSameStamps(left, stamped(files), '/nowhere')).toBe(true);
      expect(hasSameStamps(left, stamped(files, 'other paths'), '/nowhere')).toBe(false);
      expect(hasSameStamps(left, stamped(files.slice(1)), '/nowhere')).toBe(false);
      const at = place % files.length;
      const other = stamped(
        files.map((one, n) => (n === at ? { ...one, [changed]: one[changed] + 1 } : one)),
      );
      expect(hasSameStamps(left, other, '/nowhere')).toBe(false);
      for (const index of files.keys()) expect(newIndex(left, index, other, index)).toBe(index !== at);
    }),
  );
});

it('distinguishes names, their order and their bounds', async () => {
  const { content, write } = createWorkspace();
  for (const name of ['a', 'b', 'ab']) write(`${name}.yaml`, name);
  const digest = async (...paths: string[]) => (await stamp(content, paths)).pathsDigest;
  const both = await digest('a.yaml', 'b.yaml');
  expect(await digest('a.yaml', 'b.yaml')).toBe(both);
  const others = [['b.yaml', 'a.yaml'], ['a.yaml'], ['a.yamlb.yaml'], []].map((paths) => digest(...paths));
  expect(new Set([both, ...(await Promise.all(others))]).size).toBe(5);
});

it('never takes a file that cannot be looked at for unchanged', async () => {
  const { content, write } = createWorkspace();
  write('a.yaml', 'x');
  const paths = ['a.yaml', 'gone.yaml'];
  const seen = await stamp(content, paths);
  const left = stampsToStore(seen, [], Number.POSITIVE_INFINITY);
  expect(newIndex(left, 0, seen, 0)).toBe(true);
  expect(newIndex(left, 1, seen, 1)).toBe(false);
  expect(hasSameStamps(left, await stamp(content, paths), content)).toBe(false);
});

it('distinguishes a photo that changed or disappeared from an unchanged one', () => {
  const folder = temporaryFolder();
  const path = 'a photo of  the lake.jpg';
  const photo = join(folder, path);
  writeFileSync(photo, 'one');
  const none = stamped([]);
  const seen = stampFile(path, statSync(photo));
  const left = stampsToStore(none, [seen], Date.now() + 60_000);
  expect(hasSameStamps(left, none, folder)).toBe(true);
  expect(hasSameStamps(stampsToStore(none, [seen], seen.reliableFrom), none, folder)).toBe(false);
  writeFileSync(photo, 'another');
  expect(hasSameStamps(left, none, folder)).toBe(false);
  rmSync(photo);
  expect(hasSameStamps(left, none, folder)).toBe(false);
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
      const left = stampsToStore(stamped([statsAt(edited)]), [], looked);
      const again = stamped([statsAt(looked + next)]);
      // Only a stamp of the same moment can belong to the same file.
      expect(hasSameStamps(left, again, '/nowhere')).toBe(false);
    }),
  );
});

it('trusts the stamp of a file that is older than any tick', () => {
  for (const time of [SINCE, SINCE + 100, SINCE + 0.25]) {
    const old = stamped([{ size: 1, mtimeMs: time, ctimeMs: time, ino: 1 }]);
    expect(hasSameStamps(stampsToStore(old, [], time + 2001), old, '/nowhere')).toBe(true);
  }
});

it('reads the clock of the file system that holds the content', () => {
  const folder = temporaryFolder();
  const mark = join(folder, 'mark');
  writeFileSync(mark, '');
  // The clock of the file system is an hour behind.
  const behind = Date.now() / 1000 - 3600;
  utimesSync(mark, behind, behind);
  expect(currentFileSystemTime(folder, mark)).toBeCloseTo(behind * 1000, 0);
  expect(currentFileSystemTime('/proc', mark)).toBeGreaterThan(Date.now() - 60_000);
  expect(currentFileSystemTime(join(folder, 'missing'), mark)).toBeGreaterThan(Date.now() - 60_000);
});

it('distinguishes files that swapped their folders, although they have the same size and times (C10)', () => {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  for (const name of ['a', 'b']) {
    mkdirSync(path(name));
    writeFileSync(path(`${name}/photo.jpg`), name);
    utimesSync(path(`${name}/photo.jpg`), 1, 1);
  }
  // Neither file changes while its folder is renamed: only its inode number distinguishes them.
  const stamps = () =>
    stamped(['a/photo.jpg', 'b/photo.jpg'].map((name) => ({ ...stampedStats(path(name)), ctimeMs: 1 })));
  const left = stampsToStore(stamps(), [], Date.now());
  expect(hasSameStamps(left, stamps(), folder)).toBe(true);
  renameSync(path('a'), path('c'));
  renameSync(path('b'), path('a'));
  renameSync(path('c'), path('b'));
  expect(hasSameStamps(left, stamps(), folder)).toBe(false);
});

function stampedStats(path: string): StampedStats {
  const { size, mtimeMs, ctimeMs, ino } = statSync(path);
  return { size, mtimeMs, ctimeMs, ino };
}
