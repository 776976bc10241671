/** Stamps (size, times and inode) show whether source files changed since the last build. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../../release/digest.ts';
import { type StampedFile, stampFile, stampReliableFrom } from '../../source/file-stamp.ts';
import { createWorkCounters, type Threads } from '../threads/pool.ts';
import { readGroupStamps, STAMP_GROUP_SIZE, STAMP_WIDTH } from '../threads/stamp-task.ts';

/** Compact, because a million files are compared at once. */
export type FileStamps = {
  /** SHA-256 of the paths, in order. */
  readonly pathsDigest: string;
  /** Four numbers for each file (`stampOf`). */
  readonly numbers: Float64Array;
};

/** `photos`: one line per photo, with its stamp and path. */
export type StoredStamps = FileStamps & {
  readonly numbersDigest: string;
  readonly photos: readonly string[];
};

/** Replaces the stamp of a file that changed so recently that a further change might leave its stamp as it was. */
const RACY_STAMP = -1;

/** Number of files per task. A task copies its paths, so one task for a million files would take too much memory. */
const FILES_PER_TASK = 16 * STAMP_GROUP_SIZE;

/** Number of files that are stamped while another thread starts. */
const FILES_PER_THREAD = 50_000;

/**
 * Returns the present time (milliseconds since 1970). A stamp that is read from now on may miss a change after this
 * time. If the content is on the same file system as `mark`, uses the clock of that file system, which may be coarser
 * or run on another machine.
 * @param mark a file that was just written
 */
export function currentFileSystemTime(content: string, mark: string): number {
  const now = Date.now();
  const marked = statSync(mark);
  if (statSync(content, { throwIfNoEntry: false })?.dev !== marked.dev) return now;
  return Math.min(now, marked.mtimeMs, marked.ctimeMs);
}

/** The numbers of an unreadable file are NaN, which equals nothing. Reading the file later reports the reason. */
export async function readFileStamps(
  content: string,
  paths: readonly string[],
  threads: Pick<Threads, 'share' | 'dismiss'>,
): Promise<FileStamps> {
  const numbers = new Float64Array(new SharedArrayBuffer(8 * STAMP_WIDTH * paths.length)).fill(Number.NaN);
  const digest = createHash('sha256');
  const isShared = paths.length > FILES_PER_THREAD;
  for (let start = 0; start < paths.length; start += FILES_PER_TASK) {
    const groups: string[] = [];
    for (let from = start; from < Math.min(start + FILES_PER_TASK, paths.length); from += STAMP_GROUP_SIZE)
      groups.push(paths.slice(from, from + STAMP_GROUP_SIZE).join('\n'));
    const task = {
      content,
      groups,
      numbers: numbers.subarray(STAMP_WIDTH * start),
      counter: createWorkCounters(),
    };
    const here = () => readGroupStamps(task);
    const shared = isShared ? threads.share('stamp', task, paths.length / FILES_PER_THREAD) : undefined;
    for (const group of groups) digest.update(group).update('\n');
    await (shared?.finish(here) ?? here());
  }
  threads.dismiss();
  return { pathsDigest: digest.digest('hex'), numbers };
}

/**
 * @param since the time that {@link currentFileSystemTime} returned before the first file was stamped. A file that
 * changed after this time may change again and keep its stamp. {@link RACY_STAMP} is stored for such a file: it equals
 * no stamp, so the next build reads the file again
 */
export function stampsToStore(
  { pathsDigest, numbers: seen }: FileStamps,
  photos: readonly StampedFile[],
  since: number,
): StoredStamps {
  let numbers = seen;
  for (let start = 0; start < seen.length; start += STAMP_WIDTH) {
    if (stampReliableFrom(seen[start + 1]!, seen[start + 2]!) < since) continue;
    // Copies `seen` only if a file was edited just before the build: a copy takes 0.2 s for a million files.
    if (numbers === seen) numbers = seen.slice();
    numbers.fill(RACY_STAMP, start, start + STAMP_WIDTH);
  }
  const line = (photo: StampedFile) =>
    photo.reliableFrom < since ? photoStampLine(photo) : `${RACY_STAMP} ${photo.path}`;
  return { pathsDigest, numbers, numbersDigest: digestOf(bytesOfNumbers(numbers)), photos: photos.map(line) };
}

/** Compares the stamps of all YAML files, and of the photos of the last build. */
export function hasSameStamps(
  before: Omit<StoredStamps, 'numbers'>,
  now: FileStamps,
  content: string,
): boolean {
  if (
    before.pathsDigest !== now.pathsDigest ||
    before.numbersDigest !== digestOf(bytesOfNumbers(now.numbers))
  )
    return false;
  return before.photos.every((line) => {
    const path = pathOf(line);
    try {
      return path !== undefined && photoStampLine(stampFile(path, statSync(join(content, path)))) === line;
    } catch {
      return false;
    }
  });
}

export function newIndex(before: FileStamps, oldIndex: number, now: FileStamps, is: number): boolean {
  for (let part = 0; part < STAMP_WIDTH; part++)
    if (before.numbers[STAMP_WIDTH * oldIndex + part] !== now.numbers[STAMP_WIDTH * is + part]) return false;
  return true;
}

/** In the machine's byte order. */
export function bytesOfNumbers({ buffer, byteOffset, byteLength }: Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Undefined for a line that has {@link RACY_STAMP} in place of its four numbers. */
function pathOf(line: string): string | undefined {
  return /^(?:\S+ ){4}(.*)$/s.exec(line)?.[1];
}

export function photoStampLine({ path, stamp }: StampedFile): string {
  return `${stamp} ${path}`;
}
