/** Names of sources and of their mappings. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside } from '../source/content-path.ts';

/** Name of a source in the ledger and in proposals: without its folder, and without the query, which may hold a key. */
export function nameOf(source: string): string {
  if (!/^https?:\/\//i.test(source)) return basename(source);
  const { origin, pathname } = new URL(source);
  return origin + pathname;
}

/** Path of the mapping beside a table; beside the content folder for a table that is elsewhere or in that folder. */
export function mappingPath(source: string, content: string): string {
  const name = basename(nameOf(source))
    .replace(/(?:\.gz|\.zst|\.br)$/i, '')
    .replace(/\.[^.]+$/, '');
  const file = `${/\w/.test(name) ? name : 'import'}.mapping.yaml`;
  const isFile = existsSync(source);
  const folder = isFile ? dirname(source) : dirname(resolve(content));
  if (isFile && isInside(resolve(content), resolve(folder))) return join(dirname(resolve(content)), file);
  return join(folder, file);
}
