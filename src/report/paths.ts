import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Path of the content folder from the working folder, which precedes files in reports. Ends in `/`, or is empty. */
export function contentPrefix(content: string): string {
  return folderPrefix(process.cwd(), content);
}

/**
 * Path of the content folder from the root of the Git repository, for services that annotate its files. Outside a
 * repository, from the working folder.
 */
export function repositoryPrefix(content: string): string {
  const start = resolve(content);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folderPrefix(folder, start);
    if (dirname(folder) === folder) return contentPrefix(content);
  }
}

function folderPrefix(from: string, to: string): string {
  const path = relative(from, to).split(sep).join('/');
  return path === '' ? '' : `${path}/`;
}
