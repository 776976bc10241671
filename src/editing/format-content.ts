import { join, resolve } from 'node:path';
import { readConfiguration } from '../build/inputs/configuration.ts';
import { scan } from '../build/inputs/scan.ts';
import { fieldsOf } from '../contract/terms.ts';
import { compareDiagnostics, type Diagnostic } from '../source/diagnostic.ts';
import { readExactly } from '../source/yaml-document.ts';
import { formatText } from './format.ts';
import { whyLeft } from './formattable.ts';
import { hasSchema, outdatedSchemas, withSchemaLine, writeSchemas } from './schema-file.ts';
import { readSourceText, replaceFile } from './source-file.ts';

export type FormatOptions = {
  readonly content?: string;
  /** Tells whether to format a file, by its path relative to the content folder. @default all files */
  readonly isWanted?: (file: string) => boolean;
  /** Reports changes without writing them. @default false */
  readonly check?: boolean;
};

/** Result of formatting. Paths are relative to the content folder. */
export type FormatResult = {
  readonly files: number;
  /** Files that were formatted, or would be, including the schema. */
  readonly changed: readonly string[];
  /** Files left unchanged, and why, as the end of a sentence about the file. */
  readonly left: readonly { readonly file: string; readonly reason: string }[];
  /** Diagnostics of unreadable files, which are left unchanged too. */
  readonly diagnostics: readonly Diagnostic[];
};

/**
 * Formats every property file, each atomically, and updates the JSON Schemas, which depend on the settings, where
 * there is one.
 *
 * @throws UsageError when the folder does not exist; the error of the file system when a file cannot be written.
 */
export function formatContent(options: FormatOptions = {}): FormatResult {
  const content = resolve(options.content ?? 'content');
  const isWanted = options.isWanted ?? (() => true);
  const { usable } = readConfiguration(content);
  const { fields } = fieldsOf(usable);
  const found = scan(content, usable);
  const diagnostics = found.diagnostics.filter(({ file }) => isWanted(file));
  const files = found.files.filter(isWanted);
  const changed: string[] = [];
  const schemas = outdatedSchemas(content).filter(isWanted);
  changed.push(...schemas);
  if (schemas.length > 0 && !options.check) writeSchemas(content);
  const isNamed = hasSchema(content);
  const left: { file: string; reason: string }[] = [];
  for (const path of files) {
    const source = readSourceText(content, path);
    if ('code' in source) {
      diagnostics.push(source);
      continue;
    }
    const { mark, text } = source;
    const formed = formatText(text, fields);
    const formatted = formed !== undefined && isNamed ? withSchemaLine(formed, path) : formed;
    if (formatted === text) continue;
    const faults = readExactly(text, path).diagnostics;
    if (faults.length > 0) diagnostics.push(...faults);
    else if (formatted === undefined) left.push({ file: path, reason: whyLeft(text) });
    else {
      changed.push(path);
      if (!options.check) replaceFile(join(content, path), mark + formatted);
    }
  }
  return { files: files.length, changed, left, diagnostics: diagnostics.sort(compareDiagnostics) };
}
