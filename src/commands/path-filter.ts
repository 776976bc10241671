import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { UsageError } from '../errors/errors.ts';

/**
 * Each path or glob pattern selects the files that it names, and all files below the folders that it names. Returns
 * undefined without paths: all files are selected.
 * @throws UsageError if a path does not exist or is outside of the content folder, or if a pattern matches nothing
 */
export function pathFilter(
  paths: readonly string[],
  content: string,
): ((file: string) => boolean) | undefined {
  if (paths.length === 0) return undefined;
  const wanted = paths.flatMap(expanded).map((path) => inContent(path, content));
  return (file) => wanted.some((path) => path === '' || file === path || file.startsWith(`${path}/`));
}

function expanded(path: string): string[] {
  if (existsSync(path) || !fastGlob.isDynamicPattern(path)) return [path];
  const found = fastGlob.sync(path, { onlyFiles: false }).sort();
  if (found.length === 0) throw new UsageError('no-such-file', `Nothing matches ${path}. Check the pattern.`);
  return found;
}

function inContent(path: string, content: string): string {
  const inside = relative(resolve(content), resolve(path)).split(sep).join('/');
  if (inside === '..' || inside.startsWith('../')) {
    throw new UsageError(
      'outside-content',
      `${path} is not in the content folder ${content}. Name that with --content.`,
    );
  }
  if (!existsSync(path)) throw new UsageError('no-such-file', `There is no ${path}. Check the path.`);
  return inside;
}
