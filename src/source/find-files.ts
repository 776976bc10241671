/** Finds the YAML files of a content folder. */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastGlob from 'fast-glob';
import type { Configuration } from '../contract/configuration.ts';
import { type Diagnostic, diagnose } from './diagnostic.ts';

/** Name of the configuration, at the top of the content folder. */
export const CONFIGURATION_FILE = 'catalogue.yaml';

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

/** The files to read, in the order of their paths, and what is wrong with others. */
export type Found = { readonly files: SourceFile[]; readonly diagnostics: Diagnostic[] };

const YAML_NAME = /\.ya?ml$/i;

/**
 * What a path in a message, or in the state, could not hold: control characters, marks of writing direction, ends of
 * lines, and bytes that are not UTF-8.
 */
const ILLEGIBLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]/;

/** Glob patterns of the files to read, relative to the content folder. */
export type FilePatterns = Pick<Configuration, 'include' | 'exclude'>;

/** Every YAML file, whatever the case of its ending. */
const ALL: FilePatterns = { include: ['**/*.[yY][aA][mM][lL]', '**/*.[yY][mM][lL]'], exclude: [] };

/** The patterns of a configuration; those of every YAML file, when it names none to include. */
function patternsOf({ include, exclude }: FilePatterns): FilePatterns {
  return { include: include.length > 0 ? include : ALL.include, exclude };
}

/**
 * Finds every `*.yaml` and `*.yml` below a folder but its configuration. Names that start with a dot are passed
 * over, as are links to folders inside the content, whose files are found where they are.
 *
 * @param patterns which of them. @default all
 * @throws the error of the file system when the folder cannot be listed.
 */
export function findSourceFiles(content: string, patterns: FilePatterns = ALL): Found {
  const files: SourceFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const links = new Set<string>();
  const { include, exclude } = patternsOf(patterns);
  const found = fastGlob.sync([...include], {
    cwd: content,
    ignore: [...exclude],
    followSymbolicLinks: false,
    onlyFiles: false,
    objectMode: true,
    fs: { readdirSync: createLister(content, diagnostics, links) },
  });
  for (const { path, dirent } of found) {
    if (!YAML_NAME.test(path) || isHidden(path)) continue;
    if (dirent.isDirectory()) diagnostics.push(diagnose('folder-named-like-a-file', path, null));
    else if (dirent.isSymbolicLink()) links.add(path);
    else if (!dirent.isFile()) {
      diagnostics.push(diagnose('not-a-file', path, null, { found: kindOf(dirent as Dirent) }));
    } else if (path !== CONFIGURATION_FILE) addFile(content, path, files, diagnostics);
  }
  followLinks(content, [...links], files, diagnostics);
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, diagnostics };
}

/**
 * Makes what lists a folder for the library. A folder that cannot be listed is an error, but for the content folder
 * itself, which throws. Names that cannot be shown are left out; links are remembered, unless they look like a file:
 * wherever they lead, the library does not follow them.
 */
function createLister(content: string, diagnostics: Diagnostic[], links: Set<string>) {
  // The library keeps quiet about a folder that does not exist.
  readdirSync(content);
  return ((folder: string, options: { withFileTypes: true }) => {
    const inside = relative(content, folder).split(sep).join('/');
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, options);
    } catch (error) {
      // A pattern may begin with a folder that is not there.
      if (inside !== '' && (error as NodeJS.ErrnoException).code !== 'ENOENT') {
        diagnostics.push(diagnose('unreadable-folder', inside, null, { reason: reasonOf(error) }));
      }
      return [];
    }
    return entries.filter((entry) => {
      const { name } = entry;
      const path = inside === '' ? name : `${inside}/${name}`;
      if (name.startsWith('.')) return false;
      const isYaml = YAML_NAME.test(name);
      if (ILLEGIBLE.test(name)) {
        if (isYaml || entry.isDirectory()) diagnostics.push(diagnose('illegible-name', path, null));
        return false;
      }
      if (entry.isSymbolicLink() && !isYaml) links.add(path);
      return true;
    });
  }) as typeof readdirSync;
}

/** Whether a path, relative to the content folder, would be read as a property if a regular file stands there. */
export function isSourcePath(path: string): boolean {
  return YAML_NAME.test(path) && path !== CONFIGURATION_FILE && !isHidden(path) && !ILLEGIBLE.test(path);
}

/** Whether a path is passed over, since a part of it starts with a dot. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** Judges links: those to YAML files of the content are files, those that lead out of it are errors. */
function followLinks(
  content: string,
  links: readonly string[],
  files: SourceFile[],
  diagnostics: Diagnostic[],
): void {
  if (links.length === 0) return;
  const root = realpathSync(content);
  for (const path of links) {
    const isYaml = YAML_NAME.test(path);
    const problem = checkLink(content, root, path, isYaml);
    if (problem) diagnostics.push(problem);
    else if (isYaml && path !== CONFIGURATION_FILE) addFile(content, path, files, diagnostics);
  }
}

function addFile(content: string, path: string, files: SourceFile[], diagnostics: Diagnostic[]): void {
  try {
    const stats = statSync(content + sep + path);
    if (stats.isFile()) files.push(stampFile(path, stats));
    else if (!stats.isDirectory()) {
      diagnostics.push(diagnose('not-a-file', path, null, { found: kindOf(stats) }));
    }
  } catch (error) {
    diagnostics.push(diagnose('unreadable-file', path, null, { reason: reasonOf(error) }));
  }
}

/** What shows whether a file changed since it was seen last. */
export function stampFile(path: string, stats: StampedStats): SourceFile {
  // As numbers, times are exact to a quarter of a microsecond: no system ticks faster, and no two writes are closer.
  const { size, mtimeMs, ctimeMs, ino } = stats;
  const settled = Math.max(mtimeMs + grainOf(mtimeMs), ctimeMs + grainOf(ctimeMs));
  return { path, stamp: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, settled };
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

/** Whether a real path is inside a real folder. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function checkLink(content: string, root: string, path: string, isYaml: boolean): Diagnostic | undefined {
  let target: string;
  try {
    target = realpathSync(join(content, path));
  } catch (error) {
    return isYaml ? diagnose('unreadable-file', path, null, { reason: reasonOf(error) }) : undefined;
  }
  if (isInside(root, target)) return undefined;
  // A link to a photo elsewhere is judged where a property names it.
  if (!isYaml && !statSync(target).isDirectory()) return undefined;
  return diagnose('outside-content', path, null, { target: relative(root, target).split(sep).join('/') });
}

/** Why the file system refused, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && REASONS[code]) || code || message;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its links go round in a circle',
  ENOTDIR: 'a part of its path is not a folder',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
};

function kindOf(entry: Pick<Stats, 'isFIFO' | 'isSocket' | 'isDirectory'>): string {
  if (entry.isFIFO()) return 'a named pipe';
  if (entry.isSocket()) return 'a socket';
  if (entry.isDirectory()) return 'a folder';
  return 'a device';
}
