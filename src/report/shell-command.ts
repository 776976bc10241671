import { isInside } from '../source/content-path.ts';
import { printable } from '../text/printable.ts';

/** Returns a `catalogue` command to paste into a shell. Adds `--content` unless `content` is the default folder. */
export function commandLine(words: readonly string[], content: string): string {
  const all = content === 'content' ? words : [...words, '--content', content];
  return `${isFoundByNpx() ? 'npx ' : ''}catalogue ${all.map(quoteForShell).join(' ')}`;
}

/** Whether npx finds this program here. Where it does not, npx would run another package of this name. */
function isFoundByNpx(): boolean {
  const [, folder] = /^(.*)[\\/]node_modules[\\/]\.bin[\\/]catalogue$/.exec(process.argv[1] ?? '') ?? [];
  return folder !== undefined && (process.env.npm_command === 'exec' || isInside(folder, process.cwd()));
}

export function quoteForShell(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", "'\\''")}'`;
}
