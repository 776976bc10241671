/** The schema beside `catalogue.yaml`, which is committed with the content so that editors find it in every clone. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { authoredSchemaText } from '../documents/property-schema.ts';
import { vocabularyOf } from './repair-content.ts';

/** Name of the file, at the top of the content folder. */
export const SCHEMA_FILE = 'property.schema.json';

/** The line by which a property file names the schema to editors that run the YAML language server. */
const MODELINE = /^# yaml-language-server: \$schema=(?:[^\s]*\/)?property\.schema\.json[ \t]*$/m;

/** The line for a property file. `path`: relative to the content folder. */
export function schemaLine(path: string): string {
  return `# yaml-language-server: $schema=${posix.relative(posix.dirname(path), SCHEMA_FILE)}`;
}

/** The text of a property file with the right path in that line, where it has one: a file that was moved has not. */
export function withSchemaLine(text: string, path: string): string {
  return text.replace(MODELINE, () => schemaLine(path));
}

/** Writes the schema for the vocabulary of a content folder. `folder`: where to, the content folder when absent. */
export function writeSchema(content: string, folder = content): string {
  const path = join(resolve(folder), SCHEMA_FILE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, authoredSchemaText(vocabularyOf(resolve(content))));
  return path;
}

/** Whether the schema of a content folder is there, and is for its vocabulary. */
export function schemaState(content: string): 'absent' | 'current' | 'outdated' {
  const path = join(content, SCHEMA_FILE);
  if (!existsSync(path)) return 'absent';
  return readFileSync(path, 'utf8') === authoredSchemaText(vocabularyOf(content)) ? 'current' : 'outdated';
}
