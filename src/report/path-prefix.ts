import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Path from the working folder to the content folder, to put before file names. Ends in `/`, or is empty. */
export function contentPrefix(content: string): string {
  return folderPrefix(process.cwd(), content);
}

/**
 * Path from the root of the Git repository to the content folder, for services that annotate files. Outside a
 * repository, the path from the working folder.
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
