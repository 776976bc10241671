import { printable } from '../text/printable.ts';

/** A command of this program as it can be typed here, with `--content` unless that is the usual folder. */
export function commandLine(words: readonly string[], content: string): string {
  // npm puts a package's own command only on the path of its scripts.
  const isNpx = /[\\/]\.bin[\\/]catalogue$/.test(process.argv[1] ?? '');
  const all = content === 'content' ? words : [...words, '--content', content];
  return `${isNpx ? 'npx ' : ''}catalogue ${all.map(shellWord).join(' ')}`;
}

export function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", "'\\''")}'`;
}
