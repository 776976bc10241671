import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside } from '../source/content-path.ts';

/** Name of a source in the ledger and in proposals: without its folder, and without the query, which may hold a key. */
export function nameOf(source: string): string {
  if (!/^https?:\/\//i.test(source)) return basename(source);
  const { origin, pathname } = new URL(source);
  return origin + pathname;
}

export function mappingFile(source: string): string {
  const name = basename(nameOf(source))
    .replace(/\.(?:gz|zst|br)$/i, '')
    .replace(/\.mapping\.yaml$|\.[^.]+$/i, '');
  return `${/\w/.test(name) ? name : 'import'}.mapping.yaml`;
}

export function mappingPath(source: string, content: string): string {
  return join(folderOf(source, content), mappingFile(source));
}

function folderOf(source: string, content: string): string {
  const isFile = existsSync(source);
  const isOutside = isFile && !isInside(resolve(content), resolve(dirname(source)));
  return isOutside ? dirname(source) : dirname(resolve(content));
}

export function earlierMapping(earlier: string, source: string, content: string): string {
  const [beside, other] = [folderOf(source, content), dirname(resolve(content))].map((folder) =>
    join(folder, mappingFile(earlier)),
  );
  return existsSync(other!) ? other! : beside!;
}
