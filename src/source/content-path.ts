/** Classifies paths below a content folder. */
import { sep } from 'node:path';
import { CONTROL_CHARACTER } from '../control-characters.ts';

/** File name of the configuration, at the top of the content folder. */
export const CONFIGURATION_FILE = 'catalogue.yaml';

export const YAML_NAME = /\.ya?ml$/i;

/** Characters that a path in a message or in the state must not have; U+FFFD stands for bytes that are not UTF-8. */
export const ILLEGIBLE = new RegExp(`${CONTROL_CHARACTER.source}|\ufffd`, 'u');

/** Tells whether a path, relative to the content folder, is read as a property if it is a regular file. */
export function isSourcePath(path: string): boolean {
  return YAML_NAME.test(path) && path !== CONFIGURATION_FILE && !isHidden(path) && !ILLEGIBLE.test(path);
}

/** Tells whether a path is skipped because a part of it starts with a dot. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** Tells whether a path is inside a folder, both without symbolic links. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
