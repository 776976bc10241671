/** A finding about the content, as data: formatting lives in `report/`, exit codes in `commands/`. */
import { cut } from '../words.ts';
import { CODES, type DiagnosticArgs, type DiagnosticCode } from './codes.ts';

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
  /** The field that it is about: names of fields, and places in lists from 0. Absent for the file as a whole. */
  readonly fieldPath?: readonly (string | number)[];
  /** What is proposed for that field: a value, or its name where `code` is about the name. */
  readonly suggestion?: string;
};

/** Whether a finding keeps its property from being published. */
export function isError({ severity }: Pick<Diagnostic, 'severity'>): boolean {
  return severity === 'error';
}

/** Longest value of the content in a message, in UTF-16 units. */
const LONGEST = 60;
/** The same for values that are sentences or lists, not a text of the content. */
const LONGEST_OF: Readonly<Record<string, number>> = {
  advice: 300,
  known: 300,
  other: 200,
  reason: 300,
  // Editors copy it.
  suggestion: 120,
};

/**
 * Makes a diagnostic from its code and the values that its message names, each shortened to what a line can hold.
 *
 * @param path of the field that it is about.
 */
export function diagnose(
  code: DiagnosticCode,
  file: string,
  span: Span | null,
  args: DiagnosticArgs = {},
  path: readonly PropertyKey[] = [],
): Diagnostic {
  const { severity, message, help } = CODES[code];
  const short = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? cut(value, LONGEST_OF[name] ?? LONGEST) : value,
    ]),
  );
  const fieldPath = path.filter((step) => typeof step !== 'symbol');
  return {
    code,
    severity,
    file,
    span,
    message: message(short),
    help: help(short),
    ...(fieldPath.length > 0 && { fieldPath }),
    ...(typeof args.suggestion === 'string' && { suggestion: args.suggestion }),
  };
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

/** Makes what finds the stretch of `text` from one offset to another, cut at the end of its first line. */
export function createSpans(text: string): (start: number, end: number) => Span {
  let starts: readonly number[] | undefined;
  return (from, to) => {
    starts ??= lineStarts(text);
    const start = Math.min(from, text.length);
    let line = 0;
    for (let above = starts.length; above - line > 1; ) {
      const middle = (line + above) >> 1;
      if (starts[middle]! <= start) line = middle;
      else above = middle;
    }
    const lineStart = starts[line]!;
    const whole = text.slice(lineStart, (starts[line + 1] ?? text.length + 1) - 1).replace(/\r$/, '');
    const length = Math.max(1, Math.min(to - lineStart, whole.length) - (start - lineStart));
    return { line: line + 1, column: start - lineStart + 1, length, text: whole };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}
