import { join, resolve } from 'node:path';
import { declaredTerms } from '../contract/terms.ts';
import { readConfiguration } from '../source/configuration-file.ts';
import { compareDiagnostics, type Diagnostic } from '../source/diagnostic.ts';
import { scanContent } from '../source/scan-content.ts';
import { readYamlExactly } from '../source/yaml-document.ts';
import { formatText } from './format.ts';
import { whyNotFormatted } from './formattable-source.ts';
import { readSourceText, replaceFile } from './read-and-replace.ts';
import { hasSchema, outdatedSchemas, withSchemaLine, writeSchemas } from './schema-file.ts';

export type FormatOptions = {
  readonly content?: string;
  /** Selects files by path relative to the content folder. @default all files */
  readonly isWanted?: ((file: string) => boolean) | undefined;
  /** Reports what would change, without writing. @default false */
  readonly check?: boolean;
};

export type FormatResult = {
  readonly files: number;
  /** Files that were or would be changed, including the JSON Schemas. */
  readonly changed: readonly string[];
  /** Files that cannot be formatted; `reason` is the end of a sentence about the file. */
  readonly left: readonly { readonly file: string; readonly reason: string }[];
  readonly diagnostics: readonly Diagnostic[];
};

/**
 * Writes each file atomically.
 * @throws UsageError if the folder is missing; file system errors if a file cannot be written
 */
export function formatContent(options: FormatOptions = {}): FormatResult {
  const content = resolve(options.content ?? 'content');
  const isWanted = options.isWanted ?? (() => true);
  const { usable } = readConfiguration(content);
  const { fields } = declaredTerms(usable);
  const found = scanContent(content, usable);
  const diagnostics = found.diagnostics.filter(({ file }) => isWanted(file));
  const files = found.files.filter(isWanted);
  const changed: string[] = [];
  const schemas = outdatedSchemas(content).filter(isWanted);
  changed.push(...schemas);
  if (schemas.length > 0 && !options.check) writeSchemas(content, content, schemas);
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
    const faults = readYamlExactly(text, path).diagnostics;
    if (faults.length > 0) diagnostics.push(...faults);
    else if (formatted === undefined) left.push({ file: path, reason: whyNotFormatted(text) });
    else {
      changed.push(path);
      if (!options.check) replaceFile(join(content, path), mark + formatted);
    }
  }
  return { files: files.length, changed, left, diagnostics: diagnostics.sort(compareDiagnostics) };
}
