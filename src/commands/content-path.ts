/** Paths of the command line that name a part of the content. */
import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { UsageError } from '../report/failure.ts';

/**
 * Makes what tells whether a file, relative to the content folder, is asked for: it is one of the paths, or below
 * one. Without paths every file is.
 *
 * @throws UsageError for a path that does not exist, or is not in the content folder.
 */
export function wantedBy(paths: readonly string[], content: string): (file: string) => boolean {
  const wanted = paths.map((path) => inContent(path, content));
  return (file) =>
    wanted.length === 0 || wanted.some((path) => path === '' || file === path || file.startsWith(`${path}/`));
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
