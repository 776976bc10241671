import { sep } from 'node:path';
import leven from 'leven';
import { CONTROL_CHARACTER } from '../text/control-characters.ts';

export const CONFIGURATION_FILE = 'catalogue.yaml';

export const YAML_FILE_NAME = /\.ya?ml$/i;

const MAX_TYPOS = 2;

/** True for a wrong spelling of `catalogue.yaml`, such as `catalogue.yml`, directly in the content folder. */
export function isMisnamedConfiguration(path: string): boolean {
  if (path === CONFIGURATION_FILE || path.includes('/') || path.length > 40) return false;
  const [, stem = ''] =
    /^[._\s]*([a-z]+?)(?:[\s_-]*\(?\d?\)?| - copy| copy)\.+ya?ml(?:\.ya?ml|\.txt|\s)*$/i.exec(path) ?? [];
  return (
    stem.length > 5 && leven(stem.toLowerCase(), 'catalogue', { maxDistance: MAX_TYPOS + 1 }) <= MAX_TYPOS
  );
}

/** Not allowed in paths. Node.js reads bytes that are not UTF-8 as U+FFFD. */
export const ILLEGIBLE_CHARACTER = new RegExp(`${CONTROL_CHARACTER.source}|\ufffd`, 'u');

/** Includes wrong spellings of the name. */
export function isConfiguration(path: string): boolean {
  return path === CONFIGURATION_FILE || isMisnamedConfiguration(path);
}

/** True if a regular file at this path, relative to the content folder, is a property. */
export function isPropertyFilePath(path: string): boolean {
  return (
    YAML_FILE_NAME.test(path) && !isConfiguration(path) && !isHidden(path) && !ILLEGIBLE_CHARACTER.test(path)
  );
}

export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** Compares only strings, so callers resolve symbolic links in both paths first. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
