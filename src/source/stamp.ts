import type { Stats } from 'node:fs';

export type StampedFile = {
  /** Path relative to the content folder, with `/`. */
  readonly path: string;
  readonly stamp: string;
  /** {@link settledAt} of the file's times. */
  readonly settled: number;
};

export type StampedStats = Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>;

/**
 * Stamp of a file: size in bytes, modification and change time in milliseconds, inode number. A file that replaces
 * another one has another inode. As numbers, times are exact to a quarter of a microsecond, finer than any system's
 * clock.
 */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: StampedStats): [number, number, number, number] {
  return [size, mtimeMs, ctimeMs, ino];
}

export function stampFile(path: string, stats: StampedStats): StampedFile {
  // `join` makes a flat string; a template would keep its parts, 300 bytes a file.
  return { path, stamp: stampOf(stats).join(' '), settled: settledAt(stats.mtimeMs, stats.ctimeMs) };
}

/** Time in milliseconds after which any change alters the stamp; an earlier change may leave the times as they are. */
export function settledAt(mtimeMs: number, ctimeMs: number): number {
  return Math.max(mtimeMs + grainOf(mtimeMs), ctimeMs + grainOf(ctimeMs));
}

/** Coarsest kernel clock for file times, in milliseconds, where the disk's format is finer (Windows: 15.6 ms). */
const TICK = 20;

/**
 * Granularity of a file system's times in milliseconds, guessed from one time. Whole seconds are those of FAT (which
 * has a granularity of two), ext4 with small inodes, and HFS+.
 */
function grainOf(time: number): number {
  if (time % 1000 === 0) return 2000;
  return time % 100 === 0 ? 100 : TICK;
}
