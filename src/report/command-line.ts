import { printable } from '../text/printable.ts';

/** Returns a `catalogue` command to paste into a shell. Adds `--content` unless `content` is the default folder. */
export function commandLine(words: readonly string[], content: string): string {
  // Outside of npm scripts, a command in node_modules/.bin is not in the PATH, so users type npx.
  const isNpx = /[\\/]\.bin[\\/]catalogue$/.test(process.argv[1] ?? '');
  const all = content === 'content' ? words : [...words, '--content', content];
  return `${isNpx ? 'npx ' : ''}catalogue ${all.map(quoteForShell).join(' ')}`;
}

export function quoteForShell(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", "'\\''")}'`;
}
