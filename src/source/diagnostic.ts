/** A finding about the content, as data: formatting lives in `report/`, exit codes in `commands/`. */
import { CODES, type DiagnosticCode } from './codes.ts';

/** Values that a message names, by name. */
export type DiagnosticArgs = Readonly<Record<string, string | number>>;

/** A stretch of one line of a file. */
export type Span = {
  /** Line, from 1. */
  readonly line: number;
  /** Column of the first character, from 1, in UTF-16 units. */
  readonly column: number;
  /** Number of UTF-16 units on that line, at least 1. */
  readonly length: number;
  /** The whole line, without its line end. */
  readonly text: string;
};

/** One finding. */
export type Diagnostic = {
  /** Permanent code; `docs/diagnostics.md` explains each. */
  readonly code: DiagnosticCode;
  /** An error keeps the property from being published; a warning does not. */
  readonly severity: 'error' | 'warning';
  /** Path of the file, relative to the content folder, with `/`. */
  readonly file: string;
  /** Where in the file; null for the file as a whole. */
  readonly span: Span | null;
  /** What is wrong. */
  readonly message: string;
  /** What to do; empty when the message says it. */
  readonly help: string;
};

/** Makes a diagnostic from its code and the values that its message names. */
export function diagnose(
  code: DiagnosticCode,
  file: string,
  span: Span | null,
  args: DiagnosticArgs = {},
): Diagnostic {
  const { severity, message, help } = CODES[code];
  return { code, severity, file, span, message: message(args), help: help(args) };
}

/** Order of a report: by file, line, column, code. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  const line = (a.span?.line ?? 0) - (b.span?.line ?? 0);
  if (line !== 0) return line;
  const column = (a.span?.column ?? 0) - (b.span?.column ?? 0);
  if (column !== 0) return column;
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0;
}

/** The stretch of `text` from one offset to another, cut at the end of its first line. */
export function spanAt(text: string, start: number, end: number): Span {
  const before = text.lastIndexOf('\n', start - 1) + 1;
  let line = 1;
  for (let index = text.indexOf('\n'); index >= 0 && index < start; index = text.indexOf('\n', index + 1))
    line++;
  let lineEnd = text.indexOf('\n', start);
  if (lineEnd < 0) lineEnd = text.length;
  if (text[lineEnd - 1] === '\r' && lineEnd > before) lineEnd--;
  const length = Math.max(1, Math.min(end, lineEnd) - start);
  return { line, column: start - before + 1, length, text: text.slice(before, lineEnd) };
}
