/** Programs and texts that stand in files of their own, with gaps for what depends on a catalogue. */
import { readFileSync } from 'node:fs';
import mustache from 'mustache';
import { PACKAGE_ROOT } from '../../package-root.ts';

/** Where the compile step places the files of `src/targets` that are no TypeScript. */
const FOLDER = new URL('lib/targets/templates/', PACKAGE_ROOT);

/**
 * Fills a template of `src/targets` (Mustache: `{{name}}` is escaped for the language, `{{{name}}}` stands as it is,
 * `{{> path}}` includes another template, with the indentation of its line).
 *
 * @param path of the template below `src/targets`, such as `haproxy/haproxy.cfg`.
 * @param quoted writes a text as the language needs it between quotes. Default: as it is.
 */
export function fill(path: string, view: object, quoted: (text: string) => string = String): string {
  const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
  return mustache.render(read(path), view, read, { escape: quoted });
}

/** A text in double quotes, as Apache and nginx read it. For nginx it must hold no `$`. */
export function inQuotes(text: string): string {
  return String(text).replace(/["\\]/g, '\\$&');
}
