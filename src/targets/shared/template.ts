import { readFileSync } from 'node:fs';
import mustache from 'mustache';
import { PACKAGE_ROOT } from '../../package/package-root.ts';

const FOLDER = new URL('lib/targets/templates/', PACKAGE_ROOT);

/**
 * Fills a template of `src/targets` (Mustache: `{{name}}` is escaped for the language, `{{{name}}}` is not, `{{>
 * path}}` includes another template, indented like its line).
 *
 * @param path path of the template below `src/targets`, such as `nginx/site.conf`.
 * @param quoted escapes a text for the language's quotes. @default no escaping
 */
export function fill(path: string, view: object, quoted: (text: string) => string = String): string {
  const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
  return mustache.render(read(path), view, read, { escape: quoted });
}

/** Escapes a text for double quotes in Apache and nginx. For nginx it must contain no `$`. */
export function inQuotes(text: string): string {
  return String(text).replace(/["\\]/g, '\\$&');
}
