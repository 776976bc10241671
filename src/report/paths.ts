import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Path of the content folder from the working folder, ending in `/` or empty: what precedes the paths of files in reports. */
export function contentPrefix(content: string): string {
  return folderPrefix(process.cwd(), content);
}

/** From the root of the git repository, for services that annotate it; from the working folder when there is none. */
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
