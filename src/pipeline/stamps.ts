/** What tells whether a source file changed: its size and times, as one text that can be compared at once. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceFile, stampFile } from '../source/find.ts';

// A file that changes twice within the clock's resolution keeps its time.
const CLOCK_RESOLUTION = 20;

/**
 * Stamps as text, a line each; an empty line, then the photos.
 *
 * @param since time before the first file was looked at, in milliseconds: a file that changed about then or later
 *   might have changed again since, and gets a stamp that no file has.
 */
export function stampText(
  files: readonly SourceFile[],
  photos: readonly SourceFile[],
  since: number,
): string {
  const line = (file: SourceFile) => (isRacy(file, since) ? `racy ${file.path}` : plainLine(file));
  return `${files.map(line).join('\n')}\n\n${photos.map(line).join('\n')}`;
}

/**
 * Whether files and the photos that a text names are as they were.
 *
 * @param text the stamps of the last build.
 * @param files the files as they are.
 */
export function isUnchanged(text: string, files: readonly SourceFile[], content: string): boolean {
  const end = text.indexOf('\n\n');
  if (end < 0 || text.slice(0, end) !== files.map(plainLine).join('\n')) return false;
  const photos = text.slice(end + 2);
  if (photos === '') return true;
  return photos.split('\n').every((line) => {
    // Size and two times, which hold no space.
    const path = line.replace(/^\S+ \S+ \S+ /, '');
    try {
      return plainLine(stampFile(path, statSync(join(content, path)))) === line;
    } catch {
      return false;
    }
  });
}

/** The lines of the files in a text, for comparison with {@link plainLine}. */
export function knownLines(text: string): ReadonlySet<string> {
  return new Set(text.split('\n'));
}

/** The line of one file. */
export function plainLine({ path, stamp }: SourceFile): string {
  return `${stamp} ${path}`;
}

function isRacy(file: SourceFile, since: number): boolean {
  return file.latest >= since - CLOCK_RESOLUTION;
}
