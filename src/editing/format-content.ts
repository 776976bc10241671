/** Formats the files of a content folder. */
import { join, resolve } from 'node:path';
import { readConfiguration } from '../build/inputs/configuration.ts';
import { scan } from '../build/inputs/scan.ts';
import { compareDiagnostics, type Diagnostic } from '../source/diagnostic.ts';
import { readExactly } from '../source/yaml-document.ts';
import { formatText } from './format.ts';
import { readSourceText } from './property-source.ts';
import { replaceFile } from './replace-file.ts';
import { SCHEMA_FILE, schemaState, withSchemaLine, writeSchema } from './schema-file.ts';

/** What to format. */
export type FormatOptions = {
  /** The content folder. @default 'content' */
  readonly content?: string;
  /** Whether a file, relative to the content folder, is wanted. @default all are */
  readonly isWanted?: (file: string) => boolean;
  /** Finds what would change, and writes nothing. @default false */
  readonly check?: boolean;
};

/** What came of it. Paths are relative to the content folder. */
export type FormatResult = {
  /** Number of files that were looked at. */
  readonly files: number;
  /** Files that were formatted, or would be, the schema among them. */
  readonly changed: readonly string[];
  /** Files that were left as they are, because they have anchors or hold no property. */
  readonly left: readonly string[];
  /** Why files cannot be read; those were left as they are, too. */
  readonly diagnostics: readonly Diagnostic[];
};

/**
 * Formats every property file, each whole or not at all, and the JSON Schema beside them where there is one: it follows
 * the vocabulary.
 *
 * @throws UsageError when there is no such folder; the error of the file system when a file cannot be written.
 */
export function formatContent(options: FormatOptions = {}): FormatResult {
  const content = resolve(options.content ?? 'content');
  const isWanted = options.isWanted ?? (() => true);
  const { usable } = readConfiguration(content);
  const found = scan(content, usable);
  const diagnostics = found.diagnostics.filter(({ file }) => isWanted(file));
  const files = found.files.filter(isWanted);
  const changed: string[] = [];
  const schema = schemaState(content);
  if (schema === 'outdated' && isWanted(SCHEMA_FILE)) {
    changed.push(SCHEMA_FILE);
    if (!options.check) writeSchema(content);
  }
  const left: string[] = [];
  for (const path of files) {
    const source = readSourceText(content, path);
    if ('code' in source) {
      diagnostics.push(source);
      continue;
    }
    const { mark, text } = source;
    const formed = formatText(text);
    const formatted = formed !== undefined && schema !== 'absent' ? withSchemaLine(formed, path) : formed;
    if (formatted === text) continue;
    const faults = readExactly(text, path).diagnostics;
    if (faults.length > 0) diagnostics.push(...faults);
    else if (formatted === undefined) left.push(path);
    else {
      changed.push(path);
      if (!options.check) replaceFile(join(content, path), mark + formatted);
    }
  }
  return { files: files.length, changed, left, diagnostics: diagnostics.sort(compareDiagnostics) };
}
