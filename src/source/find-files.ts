/** Finds the YAML files of a content folder. It loads fast-glob, which the threads of a build need not. */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastGlob from 'fast-glob';
import type { Configuration } from '../contract/configuration.ts';
import { reasonOf } from '../file-error.ts';
import { CONFIGURATION_FILE, ILLEGIBLE, isHidden, isInside, YAML_NAME } from './content-path.ts';
import { type Diagnostic, diagnose } from './diagnostic.ts';

/** The files to read, by their paths relative to the content folder, in order; and what is wrong with others. */
export type FoundFiles = { readonly files: readonly string[]; readonly diagnostics: readonly Diagnostic[] };

/** Glob patterns of the files to read, relative to the content folder. */
export type FilePatterns = Pick<Configuration, 'include' | 'exclude'>;

/** Every file: which of them are YAML is judged here, whatever the case of their endings. */
const ALL: FilePatterns = { include: ['**'], exclude: [] };

/**
 * Finds every `*.yaml` and `*.yml` below a folder but its configuration. Names that start with a dot are passed
 * over, as are links to folders inside the content, whose files are found where they are.
 *
 * @param patterns which of them. @default all
 * @throws the error of the file system when the folder cannot be listed.
 */
export function findSourceFiles(content: string, patterns: FilePatterns = ALL): FoundFiles {
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const links = new Set<string>();
  const include = patterns.include.length > 0 ? patterns.include : ALL.include;
  const found = fastGlob.sync([...include], {
    cwd: content,
    ignore: [...patterns.exclude],
    // One walk finds each file once, and several patterns may take several walks: to remember a million paths takes 100 MB.
    unique: include !== ALL.include,
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
    } else if (path !== CONFIGURATION_FILE) files.push(path);
  }
  followLinks(content, [...links], files, diagnostics);
  files.sort();
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
      return isYaml || entry.isDirectory();
    });
  }) as typeof readdirSync;
}

/** Judges links: those to YAML files of the content are files, those that lead out of it are errors. */
function followLinks(
  content: string,
  links: readonly string[],
  files: string[],
  diagnostics: Diagnostic[],
): void {
  if (links.length === 0) return;
  const root = realpathSync(content);
  for (const path of links) {
    const isYaml = YAML_NAME.test(path);
    const problem = checkLink(content, root, path, isYaml);
    if (problem) diagnostics.push(problem);
    else if (isYaml && path !== CONFIGURATION_FILE) addLinked(content, path, files, diagnostics);
  }
}

function addLinked(content: string, path: string, files: string[], diagnostics: Diagnostic[]): void {
  try {
    const stats = statSync(content + sep + path);
    if (stats.isFile()) files.push(path);
    else if (!stats.isDirectory()) {
      diagnostics.push(diagnose('not-a-file', path, null, { found: kindOf(stats) }));
    }
  } catch (error) {
    diagnostics.push(diagnose('unreadable-file', path, null, { reason: reasonOf(error) }));
  }
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

function kindOf(entry: Pick<Stats, 'isFIFO' | 'isSocket' | 'isDirectory'>): string {
  if (entry.isFIFO()) return 'a named pipe';
  if (entry.isSocket()) return 'a socket';
  if (entry.isDirectory()) return 'a folder';
  return 'a device';
}
