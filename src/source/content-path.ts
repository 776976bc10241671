/** Paths below a content folder: which of them are read, and as what. */
import { sep } from 'node:path';

/** Name of the configuration, at the top of the content folder. */
export const CONFIGURATION_FILE = 'catalogue.yaml';

export const YAML_NAME = /\.ya?ml$/i;

/**
 * What a path in a message, or in the state, could not hold: control characters, marks of writing direction, ends of
 * lines, and bytes that are not UTF-8.
 */
export const ILLEGIBLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffd]/;

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
