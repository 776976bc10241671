/** What shows whether a file changed, without reading it. */
import { type Stats, statSync } from 'node:fs';
import { sep } from 'node:path';

/** A YAML file, and what shows whether it changed. */
export type SourceFile = {
  /** Path relative to the content folder, with `/`. */
  readonly path: string;
  /**
   * Size in bytes, time of the last change of content, and of anything about the file (milliseconds), and its number on
   * the disk, as text. A file that takes the name of another one has another number.
   */
  readonly stamp: string;
  /** From this time on a change shows in the stamp, in milliseconds; before it, one may have the times of the last. */
  readonly settled: number;
};

/** What shows whether a file changed since it was seen last. */
export function stampFile(path: string, stats: StampedStats): SourceFile {
  // As numbers, times are exact to a quarter of a microsecond: no system ticks faster, and no two writes are closer.
  const { size, mtimeMs, ctimeMs, ino } = stats;
  const settled = Math.max(mtimeMs + grainOf(mtimeMs), ctimeMs + grainOf(ctimeMs));
  // Joined, it is one text: a template would keep its parts as well, 300 bytes a file.
  return { path, stamp: [size, mtimeMs, ctimeMs, ino].join(' '), settled };
}

/** Stamps files of a content folder. One that cannot be looked at gets a stamp that no file has: reading it says why. */
export function stampFiles(content: string, paths: readonly string[]): SourceFile[] {
  return paths.map((path) => {
    try {
      return stampFile(path, statSync(content + sep + path));
    } catch {
      return { path, stamp: '', settled: Number.POSITIVE_INFINITY };
    }
  });
}

/** What of a file's status its stamp is made of. */
export type StampedStats = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;

/** The slowest clock by which a kernel marks files that are not coarser on the disk (Windows: 15.6 ms). */
const TICK = 20;

/**
 * Milliseconds within which a file system that keeps this time may keep the same one again: as coarse as the time
 * looks. Whole seconds are those of FAT, which counts every second one, ext4 with small inodes, and HFS+.
 */
function grainOf(time: number): number {
  if (time % 1000 === 0) return 2000;
  return time % 100 === 0 ? 100 : TICK;
}
