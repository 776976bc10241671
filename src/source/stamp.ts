/** What shows whether a file changed, without reading it. */
import type { Stats } from 'node:fs';

/** A file, and what shows whether it changed. */
export type StampedFile = {
  /** Path relative to the content folder, with `/`. */
  readonly path: string;
  /** {@link stampOf} its status, as text. */
  readonly stamp: string;
  /** {@link settledAt} of its times. */
  readonly settled: number;
};

/** What of a file's status its stamp is made of. */
export type StampedStats = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;

/**
 * Size in bytes, time of the last change of content, and of anything about the file (milliseconds), and its number on
 * the disk. A file that takes the name of another one has another number. As numbers, times are exact to a quarter of a
 * microsecond: no system ticks faster, and no two writes are closer.
 */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: StampedStats): [number, number, number, number] {
  return [size, mtimeMs, ctimeMs, ino];
}

/** What shows whether a file changed since it was seen last. */
export function stampFile(path: string, stats: StampedStats): StampedFile {
  // Joined, it is one text: a template would keep its parts as well, 300 bytes a file.
  return { path, stamp: stampOf(stats).join(' '), settled: settledAt(stats.mtimeMs, stats.ctimeMs) };
}

/** From this time on a change shows in the stamp, in milliseconds; before it, one may have the times of the last. */
export function settledAt(mtimeMs: number, ctimeMs: number): number {
  return Math.max(mtimeMs + grainOf(mtimeMs), ctimeMs + grainOf(ctimeMs));
}

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
