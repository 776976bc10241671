/** What shows whether source files changed since the last build. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type StampedFile, settledAt, stampFile, stampOf } from '../../source/stamp.ts';

/** YAML files, and what shows whether they changed: so small that those of a million files can be compared at once. */
export type FileStamps = {
  /** SHA-256 of their paths, in order. */
  readonly paths: string;
  /** The numbers of `stampOf` for each, one file after another. */
  readonly numbers: Float64Array;
};

/** What a build leaves: the stamps of the YAML files, and a line for each photo. */
export type LeftStamps = FileStamps & { readonly photos: readonly string[] };

/** Numbers in the stamp of one file. */
const WIDTH = 4;

/** In place of the numbers of a file that might have changed since. */
const RACY = -1;

/** Paths that are digested at once. */
const GROUP = 4096;

/**
 * The time from which on files may change unseen, in milliseconds: now. By the clock of the file system that holds the
 * content, if that has just marked a file, since it may be coarser than this machine's, or another machine's.
 *
 * @param mark a file that was written just now.
 */
export function observationTime(content: string, mark: string): number {
  const now = Date.now();
  const marked = statSync(mark);
  if (statSync(content, { throwIfNoEntry: false })?.dev !== marked.dev) return now;
  return Math.min(now, marked.mtimeMs, marked.ctimeMs);
}

/** Stamps files of a content folder. One that cannot be looked at gets numbers that equal none: reading it says why. */
export function stampFiles(content: string, paths: readonly string[]): FileStamps {
  const numbers = new Float64Array(WIDTH * paths.length).fill(Number.NaN);
  const digest = createHash('sha256');
  paths.forEach((path, index) => {
    if (index % GROUP === 0) digest.update(`${paths.slice(index, index + GROUP).join('\n')}\n`);
    try {
      numbers.set(stampOf(statSync(content + sep + path)), WIDTH * index);
    } catch {
      // It keeps the numbers that equal none.
    }
  });
  return { paths: digest.digest('hex'), numbers };
}

/**
 * What to leave for the next build.
 *
 * @param since what {@link observationTime} gave before the first file was looked at: a file that changed about then or
 *   later might have changed again since, and gets a stamp that no file has.
 */
export function stampsToLeave(
  { paths, numbers: seen }: FileStamps,
  photos: readonly StampedFile[],
  since: number,
): LeftStamps {
  const numbers = seen.slice();
  for (let start = 0; start < numbers.length; start += WIDTH) {
    const isSettled = settledAt(numbers[start + 1]!, numbers[start + 2]!) < since;
    if (!isSettled) numbers.fill(RACY, start, start + WIDTH);
  }
  const line = (photo: StampedFile) => (photo.settled < since ? plainLine(photo) : `${RACY} ${photo.path}`);
  return { paths, numbers, photos: photos.map(line) };
}

/** Whether YAML files, and the photos that a build named, are as that build left them. */
export function isUnchanged(before: LeftStamps, now: FileStamps, content: string): boolean {
  if (before.paths !== now.paths || !bytesOf(before.numbers).equals(bytesOf(now.numbers))) return false;
  return before.photos.every((line) => {
    const path = pathOf(line);
    try {
      return path !== undefined && plainLine(stampFile(path, statSync(join(content, path)))) === line;
    } catch {
      return false;
    }
  });
}

/** Whether a file had the same stamp as it has now. Both are named by their places among the files. */
export function isSameStamp(before: FileStamps, was: number, now: FileStamps, is: number): boolean {
  for (let part = 0; part < WIDTH; part++)
    if (before.numbers[WIDTH * was + part] !== now.numbers[WIDTH * is + part]) return false;
  return true;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The path in a line, behind four numbers; undefined in that of a file that might have changed since. */
function pathOf(line: string): string | undefined {
  return /^(?:\S+ ){4}(.*)$/s.exec(line)?.[1];
}

/** The line of one file. */
export function plainLine({ path, stamp }: StampedFile): string {
  return `${stamp} ${path}`;
}
