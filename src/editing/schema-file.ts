/** The JSON Schema beside `catalogue.yaml`, committed with the content for text editors. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { authoredSchemaText } from '../documents/property-schema.ts';
import { termsOf } from './repair-content.ts';

/** File name of the schema, at the top of the content folder. */
export const SCHEMA_FILE = 'property.schema.json';

/** The comment that names the schema for the YAML language server. */
const MODELINE = /^# yaml-language-server: \$schema=(?:[^\s]*\/)?property\.schema\.json[ \t]*$/m;

/** Makes that comment for a property file. `path`: relative to the content folder. */
export function schemaLine(path: string): string {
  return `# yaml-language-server: $schema=${posix.relative(posix.dirname(path), SCHEMA_FILE)}`;
}

/** Corrects the path in that comment, where a file has one: it is wrong after the file was moved. */
export function withSchemaLine(text: string, path: string): string {
  return text.replace(MODELINE, () => schemaLine(path));
}

/** Writes the schema for a content folder's fields and words. `folder`: target. @default the content folder */
export function writeSchema(content: string, folder = content): string {
  const path = join(resolve(folder), SCHEMA_FILE);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, authoredSchemaText(termsOf(resolve(content))));
  return path;
}

/** Tells whether a content folder has a schema, and whether it matches them. */
export function schemaState(content: string): 'absent' | 'current' | 'outdated' {
  const path = join(content, SCHEMA_FILE);
  if (!existsSync(path)) return 'absent';
  return readFileSync(path, 'utf8') === authoredSchemaText(termsOf(content)) ? 'current' : 'outdated';
}
