/** Paths below a content folder: which of them are read, and as what. */
import { sep } from 'node:path';
import { CONTROL_CHARACTER } from '../control-characters.ts';

/** Name of the configuration, at the top of the content folder. */
export const CONFIGURATION_FILE = 'catalogue.yaml';

export const YAML_NAME = /\.ya?ml$/i;

/** Characters that a path in a message, or in the state, could not hold; U+FFFD stands for bytes that are not UTF-8. */
export const ILLEGIBLE = new RegExp(`${CONTROL_CHARACTER.source}|\ufffd`, 'u');

/** Whether a path, relative to the content folder, would be read as a property if a regular file stands there. */
export function isSourcePath(path: string): boolean {
  return YAML_NAME.test(path) && path !== CONFIGURATION_FILE && !isHidden(path) && !ILLEGIBLE.test(path);
}

/** Whether a path is passed over, since a part of it starts with a dot. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** Whether a real path is inside a real folder. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
