// In its own module, so that the worker threads of a build do not load fast-glob.
import { type Dirent, opendirSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastGlob from 'fast-glob';
import type { Configuration } from '../contract/configuration.ts';
import { fileErrorReason } from '../errors/file-error.ts';
import {
  CONFIGURATION_FILE,
  ILLEGIBLE_CHARACTER,
  isConfiguration,
  isHidden,
  isInside,
  isMisnamedConfiguration,
  YAML_FILE_NAME,
} from './content-path.ts';
import { createDiagnostic, type Diagnostic } from './diagnostic.ts';

export type FoundFiles = { readonly files: readonly string[]; readonly diagnostics: readonly Diagnostic[] };

export type FilePatterns = Pick<Configuration, 'include' | 'exclude'>;

const ALL: FilePatterns = { include: ['**'], exclude: [] };

/**
 * Skips a link whose target is a folder inside the content folder: its files are found at their real paths.
 * @throws file system errors if the folder cannot be listed
 */
export function findPropertyFiles(content: string, patterns: FilePatterns = ALL): FoundFiles {
  const files: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const links = new Set<string>();
  const include = patterns.include.length > 0 ? patterns.include : ALL.include;
  const isEvery = include === ALL.include && patterns.exclude.length === 0;
  const found = fastGlob.sync([...include], {
    cwd: content,
    ignore: [...patterns.exclude],
    // The default pattern finds no file twice, and a set of the paths found would take 100 MB for a million files.
    unique: include !== ALL.include,
    followSymbolicLinks: false,
    onlyFiles: false,
    objectMode: true,
    fs: { readdirSync: createLister(content, diagnostics, links, isEvery ? files : undefined) },
  });
  for (const { path, dirent } of found) {
    if (!YAML_FILE_NAME.test(path) || isHidden(path)) continue;
    if (dirent.isDirectory()) diagnostics.push(createDiagnostic('folder-named-like-a-file', path, null));
    else if (dirent.isSymbolicLink()) links.add(path);
    else if (!dirent.isFile()) {
      diagnostics.push(createDiagnostic('not-a-file', path, null, { found: kindOf(dirent as Dirent) }));
    } else if (!isConfiguration(path)) files.push(path);
  }
  followLinks(content, [...links], files, diagnostics);
  files.sort();
  return { files, diagnostics };
}

/**
 * Creates a `readdirSync` for fast-glob that collects links, since fast-glob does not follow them.
 * @param files receives the paths of the YAML files, so that fast-glob creates no entries for them: a million would
 * take 250 MB. Undefined if fast-glob has to filter the files
 * @throws file system errors if the content folder cannot be listed
 */
function createLister(
  content: string,
  diagnostics: Diagnostic[],
  links: Set<string>,
  files: string[] | undefined,
) {
  // `readdirSync` throws if the folder does not exist; fast-glob would ignore that.
  reportMisnamed(readdirSync(content), diagnostics);
  const isForGlob = (entry: Dirent, inside: string) => {
    const { name } = entry;
    if (name.startsWith('.')) return false;
    // A template literal would keep its parts in memory, 30 bytes a file.
    const path = inside === '' ? name : [inside, name].join('/');
    const isYaml = YAML_FILE_NAME.test(name);
    if (ILLEGIBLE_CHARACTER.test(name)) {
      if (isYaml || entry.isDirectory()) diagnostics.push(createDiagnostic('illegible-name', path, null));
      return false;
    }
    if (entry.isSymbolicLink() && !isYaml) links.add(path);
    if (files && isYaml && entry.isFile()) {
      if (!isConfiguration(path)) files.push(path);
      return false;
    }
    return isYaml || entry.isDirectory();
  };
  return ((folder: string, _options: { withFileTypes: true }) => {
    const inside = relative(content, folder).split(sep).join('/');
    const kept: Dirent[] = [];
    try {
      for (const entry of entriesOf(folder)) if (isForGlob(entry, inside)) kept.push(entry);
    } catch (error) {
      // A missing folder is not an error, since a pattern may start with its name.
      if (inside !== '' && (error as NodeJS.ErrnoException).code !== 'ENOENT') {
        diagnostics.push(
          createDiagnostic('unreadable-folder', inside, null, { reason: fileErrorReason(error) }),
        );
      }
    }
    return kept;
  }) as typeof readdirSync;
}

/** If there is also a `catalogue.yaml`, reports only files that are visible and end in `.yaml` or `.yml`. */
function reportMisnamed(names: readonly string[], diagnostics: Diagnostic[]): void {
  const hasOne = names.includes(CONFIGURATION_FILE);
  for (const name of names) {
    if (!isMisnamedConfiguration(name) || (hasOne && (isHidden(name) || !YAML_FILE_NAME.test(name))))
      continue;
    diagnostics.push(createDiagnostic('misnamed-configuration', name, null, { right: hasOne ? 'yes' : '' }));
  }
}

/** Yields one entry at a time, since a list of all would take 100 bytes an entry. */
function* entriesOf(folder: string): Generator<Dirent> {
  const listing = opendirSync(folder, { bufferSize: 256 });
  try {
    for (let entry = listing.readSync(); entry; entry = listing.readSync()) yield entry;
  } finally {
    listing.closeSync();
  }
}

function followLinks(
  content: string,
  links: readonly string[],
  files: string[],
  diagnostics: Diagnostic[],
): void {
  if (links.length === 0) return;
  const root = realpathSync(content);
  for (const path of links) {
    const isYaml = YAML_FILE_NAME.test(path);
    const problem = checkLink(content, root, path, isYaml);
    if (problem) diagnostics.push(problem);
    else if (isYaml && !isConfiguration(path)) addLinked(content, path, files, diagnostics);
  }
}

function addLinked(content: string, path: string, files: string[], diagnostics: Diagnostic[]): void {
  try {
    const stats = statSync(content + sep + path);
    if (stats.isFile()) files.push(path);
    else if (!stats.isDirectory()) {
      diagnostics.push(createDiagnostic('not-a-file', path, null, { found: kindOf(stats) }));
    }
  } catch (error) {
    diagnostics.push(createDiagnostic('unreadable-file', path, null, { reason: fileErrorReason(error) }));
  }
}

function checkLink(content: string, root: string, path: string, isYaml: boolean): Diagnostic | undefined {
  let target: string;
  try {
    target = realpathSync(join(content, path));
  } catch (error) {
    return isYaml
      ? createDiagnostic('unreadable-file', path, null, { reason: fileErrorReason(error) })
      : undefined;
  }
  if (isInside(root, target)) return undefined;
  if (!isYaml && !statSync(target).isDirectory()) return undefined;
  return createDiagnostic('outside-content', path, null, {
    target: relative(root, target).split(sep).join('/'),
  });
}

function kindOf(entry: Pick<Stats, 'isFIFO' | 'isSocket' | 'isDirectory'>): string {
  if (entry.isFIFO()) return 'a named pipe';
  if (entry.isSocket()) return 'a socket';
  if (entry.isDirectory()) return 'a folder';
  return 'a device';
}
