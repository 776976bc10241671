import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { configurationSchemaText } from '../documents/configuration-schema.ts';
import { authoredSchemaText } from '../documents/property-schema.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { undefinedIfMissing } from '../files/files-and-folders.ts';
import { readTerms } from '../source/configuration-file.ts';

export const SCHEMA_FILE = 'property.schema.json';
export const SETTINGS_SCHEMA_FILE = 'catalogue.schema.json';

const TEXTS: Readonly<Record<string, (content: string) => string>> = {
  [SCHEMA_FILE]: (content) => authoredSchemaText(readTerms(content)),
  [SETTINGS_SCHEMA_FILE]: () => configurationSchemaText(),
};

const MODELINE = /^# yaml-language-server: \$schema=(?:[^\s]*\/)?property\.schema\.json[ \t]*$/m;

export function schemaLine(path: string): string {
  return `# yaml-language-server: $schema=${posix.relative(posix.dirname(path), SCHEMA_FILE)}`;
}

/** Updates the path in the `# yaml-language-server: $schema=` line, if there is one. Moving a file makes it stale. */
export function withSchemaLine(text: string, path: string): string {
  return text.replace(MODELINE, () => schemaLine(path));
}

export function writeSchemas(
  content: string,
  folder = content,
  names: readonly string[] = Object.keys(TEXTS),
): string[] {
  mkdirSync(resolve(folder), { recursive: true });
  return names.map((name) => {
    const path = join(resolve(folder), name);
    writeAtomically(path, TEXTS[name]!(resolve(content)));
    return path;
  });
}

export function hasSchema(content: string): boolean {
  return existsSync(join(content, SCHEMA_FILE));
}

/** Leaves out schemas that the content folder does not have. */
export function outdatedSchemas(content: string): string[] {
  return Object.entries(TEXTS).flatMap(([name, textOf]) => {
    const present = undefinedIfMissing(() => readFileSync(join(content, name), 'utf8'));
    return present !== undefined && present !== textOf(content) ? [name] : [];
  });
}
