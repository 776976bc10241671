import { printable } from '../text/printable.ts';

/** A command of this program as a user can type it here, with `--content` unless that is the default folder. */
export function commandLine(words: readonly string[], content: string): string {
  // Only the scripts of npm have a package's own command in their path.
  const isNpx = /[\\/]\.bin[\\/]catalogue$/.test(process.argv[1] ?? '');
  const all = content === 'content' ? words : [...words, '--content', content];
  return `${isNpx ? 'npx ' : ''}catalogue ${all.map(shellWord).join(' ')}`;
}

export function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", "'\\''")}'`;
}
