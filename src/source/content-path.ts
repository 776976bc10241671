import { sep } from 'node:path';
import leven from 'leven';
import { CONTROL_CHARACTER } from '../text/control-characters.ts';

export const CONFIGURATION_FILE = 'catalogue.yaml';

export const YAML_NAME = /\.ya?ml$/i;

/** Largest number of typos in the name of the configuration, such as two for `catalog.yaml`. */
const MAX_TYPOS = 2;

/**
 * Tells whether a file at the top of the content folder is surely meant as the configuration, and is not read as such.
 *
 * @example
 * isMisnamedConfiguration('catalogue.yml') // true
 */
export function isMisnamedConfiguration(path: string): boolean {
  if (path === CONFIGURATION_FILE || path.includes('/') || path.length > 40) return false;
  const [, stem = ''] =
    /^[._\s]*([a-z]+?)(?:[\s_-]*\(?\d?\)?| - copy| copy)\.+ya?ml(?:\.ya?ml|\.txt|\s)*$/i.exec(path) ?? [];
  return (
    stem.length > 5 && leven(stem.toLowerCase(), 'catalogue', { maxDistance: MAX_TYPOS + 1 }) <= MAX_TYPOS
  );
}

/** Characters that a path in a message or in the state must not have; U+FFFD replaces bytes that are not UTF-8. */
export const ILLEGIBLE = new RegExp(`${CONTROL_CHARACTER.source}|\ufffd`, 'u');

/** Tells whether a path is the configuration, also under a wrong name. */
export function isConfiguration(path: string): boolean {
  return path === CONFIGURATION_FILE || isMisnamedConfiguration(path);
}

/** Tells whether a path, relative to the content folder, is read as a property if it is a regular file. */
export function isSourcePath(path: string): boolean {
  return YAML_NAME.test(path) && !isConfiguration(path) && !isHidden(path) && !ILLEGIBLE.test(path);
}

/** Tells whether a path is skipped because a part of it starts with a dot. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** Tells whether a path is inside a folder, both without symbolic links. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
