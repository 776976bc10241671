import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { printable } from '../text/printable.ts';

export function contentPrefix(content: string): string {
  return folderPrefix(process.cwd(), content);
}

/**
 * Path of the content folder from the root of its git repository, as a prefix, for services that annotate a repository;
 * from the working folder when there is no repository.
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

export function noFilesText(content: string): string {
  return `Found no property file in ${printable(contentPrefix(content) || './')}: no name there ends in .yaml or .yml, besides catalogue.yaml. Run "catalogue new" to write one, or name another folder with --content.\n`;
}
