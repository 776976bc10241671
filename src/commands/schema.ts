/** `catalogue schema`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { vocabularyOf } from '../editing/repair-content.ts';
import { authoredSchemaText } from '../emit/authored-schema.ts';
import { outputFolder } from '../emit/output-folder.ts';
import { printable } from '../report/printable.ts';
import { contentPrefix } from '../report/report.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type SchemaArguments = { content: string; out: string };

/** Writes the JSON Schema of property files, and prints its path unless it is to be quiet. Returns the exit code. */
export function runSchema({ content, out }: SchemaArguments, { quiet = false } = {}): number {
  const folder = outputFolder(out);
  mkdirSync(folder.root, { recursive: true });
  writeFileSync(folder.schema, authoredSchemaText(vocabularyOf(resolve(content))));
  if (!quiet) terminal().out(`${printable(contentPrefix(folder.schema).slice(0, -1))}\n`);
  return 0;
}
