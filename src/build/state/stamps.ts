/** What shows whether a source file changed: its size, times and number, as one text that can be compared at once. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceFile, stampFile } from '../../source/stamp.ts';

/** In place of the stamp of a file that might have changed since. */
const RACY = 'racy ';

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

/**
 * Stamps as text, a line each; an empty line, then the photos.
 *
 * @param since what {@link observationTime} gave before the first file was looked at: a file that changed about then or
 *   later might have changed again since, and gets a stamp that no file has.
 * @param text what {@link fileStamps} gives for the files, when it is known.
 */
export function stampText(
  files: readonly SourceFile[],
  photos: readonly SourceFile[],
  since: number,
  text: string = fileStamps(files),
): string {
  const line = (file: SourceFile) => (isRacy(file, since) ? `${RACY}${file.path}` : plainLine(file));
  const stamps = files.some((file) => isRacy(file, since)) ? files.map(line).join('\n') : text;
  return `${stamps}\n\n${photos.map(line).join('\n')}`;
}

/** Stamps of files as they are. */
export function fileStamps(files: readonly SourceFile[]): string {
  return files.map(plainLine).join('\n');
}

/**
 * Whether files and the photos that a text names are as they were.
 *
 * @param text the stamps of the last build.
 * @param now what {@link fileStamps} gives for the files as they are.
 */
export function isUnchanged(text: string, now: string, content: string): boolean {
  if (!text.startsWith(now) || !text.startsWith('\n\n', now.length)) return false;
  return linesOf(text.slice(now.length + 2)).every((line) => {
    const path = pathOf(line);
    try {
      return plainLine(stampFile(path, statSync(join(content, path)))) === line;
    } catch {
      return false;
    }
  });
}

/** The lines of a text, for comparison with {@link plainLine}: of files, in the order of their paths, and of photos. */
export function stampLines(text: string): { readonly files: string[]; readonly photos: string[] } {
  const end = text.indexOf('\n\n');
  return { files: linesOf(text.slice(0, end)), photos: linesOf(text.slice(end + 2)) };
}

/** The lines of what {@link fileStamps} gives. */
export function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** The path in a line. */
function pathOf(line: string): string {
  if (line.startsWith(RACY)) return line.slice(RACY.length);
  // Size, two times and a number, which hold no space.
  const times = line.indexOf(' ', line.indexOf(' ') + 1);
  return line.slice(line.indexOf(' ', line.indexOf(' ', times + 1) + 1) + 1);
}

/** The line of one file. */
export function plainLine({ path, stamp }: SourceFile): string {
  return `${stamp} ${path}`;
}

function isRacy(file: SourceFile, since: number): boolean {
  return file.settled >= since;
}
