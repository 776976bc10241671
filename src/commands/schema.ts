/** `catalogue schema`. */
import { writeSchema } from '../editing/schema-file.ts';
import { printable } from '../printable.ts';
import { contentPrefix } from '../report/report.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type SchemaArguments = { content: string; out?: string };

/** Writes the JSON Schema of property files, and prints its path. Returns the exit code. */
export function runSchema({ content, out }: SchemaArguments): number {
  const path = writeSchema(content, out);
  terminal().out(`${printable(contentPrefix(path).slice(0, -1))}\n`);
  return 0;
}
