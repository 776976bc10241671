import { readFileSync } from 'node:fs';
import mustache from 'mustache';
import { PACKAGE_ROOT } from '../../package/package-root.ts';

const FOLDER = new URL('lib/targets/templates/', PACKAGE_ROOT);

/** Renders Mustache: `{{name}}` is escaped by `quoted`, `{{{name}}}` is not, `{{> path}}` includes a file. */
export function renderTemplate(
  path: string,
  view: object,
  quoted: (text: string) => string = String,
): string {
  const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');
  return mustache.render(read(path), view, read, { escape: quoted });
}

/** Escapes for double quotes in Apache and nginx. In nginx, the text must not contain `$`. */
export function escapeForDoubleQuotes(text: string): string {
  return String(text).replace(/["\\]/g, '\\$&');
}
