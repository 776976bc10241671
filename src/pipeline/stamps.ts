/** What tells whether a source file changed: its size and times, as one text that can be compared at once. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceFile, stampFile } from '../source/find.ts';

// A file that changes twice within the clock's resolution keeps its time.
const CLOCK_RESOLUTION = 20;
/** In place of the size and times of a file that might have changed since. */
const RACY = 'racy ';

/**
 * Stamps as text, a line each; an empty line, then the photos.
 *
 * @param since time before the first file was looked at, in milliseconds: a file that changed about then or later
 *   might have changed again since, and gets a stamp that no file has.
 * @param lines those of the files, when they are known.
 */
export function stampText(
  files: readonly SourceFile[],
  photos: readonly SourceFile[],
  since: number,
  lines: readonly string[] = files.map(plainLine),
): string {
  const stamp = (file: SourceFile, line: string) => (isRacy(file, since) ? `${RACY}${file.path}` : line);
  const fileLines = files.map((file, index) => stamp(file, lines[index]!));
  const photoLines = photos.map((photo) => stamp(photo, plainLine(photo)));
  return `${fileLines.join('\n')}\n\n${photoLines.join('\n')}`;
}

/**
 * Whether files and the photos that a text names are as they were.
 *
 * @param text the stamps of the last build.
 * @param lines of the files as they are.
 */
export function isUnchanged(text: string, lines: readonly string[], content: string): boolean {
  const end = text.indexOf('\n\n');
  if (end < 0 || text.slice(0, end) !== lines.join('\n')) return false;
  return linesOf(text.slice(end + 2)).every((line) => {
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

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** The path in a line. */
export function pathOf(line: string): string {
  if (line.startsWith(RACY)) return line.slice(RACY.length);
  // Size and two times, which hold no space.
  const times = line.indexOf(' ', line.indexOf(' ') + 1);
  return line.slice(line.indexOf(' ', times + 1) + 1);
}

/** The line of one file. */
export function plainLine({ path, stamp }: SourceFile): string {
  return `${stamp} ${path}`;
}

function isRacy(file: SourceFile, since: number): boolean {
  return file.latest >= since - CLOCK_RESOLUTION;
}
