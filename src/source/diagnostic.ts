/** A finding about the content, as data; `report/` formats it, `commands/` choose exit codes. */
import { cut } from '../text/words.ts';
import { CODES, type DiagnosticArgs, type DiagnosticCode } from './codes.ts';

/** A range within one line of a file. */
export type Span = {
  readonly line: number;
  /** Column of the first character, from 1, in UTF-16 units. */
  readonly column: number;
  /** Number of UTF-16 units on that line, at least 1. */
  readonly length: number;
  /** The whole line, without its line ending. */
  readonly text: string;
};

export type Diagnostic = {
  /** Permanent code; `docs/diagnostics.md` explains each. */
  readonly code: DiagnosticCode;
  /** An error keeps the property from being published; a warning does not. */
  readonly severity: 'error' | 'warning';
  /** Path of the file, relative to the content folder, with `/`. */
  readonly file: string;
  /** Range in the file; null for the whole file. */
  readonly span: Span | null;
  readonly message: string;
  /** Advice; empty when the message includes it. */
  readonly help: string;
  /** Path of the field it concerns: field names, and list indices from 0. Absent for the whole file. */
  readonly fieldPath?: readonly (string | number)[];
  /** Suggested value of the field, or its name where `code` is about the name. */
  readonly suggestion?: string;
};

export function isError({ severity }: Pick<Diagnostic, 'severity'>): boolean {
  return severity === 'error';
}

/** Longest value from the content in a message, in UTF-16 units. */
const LONGEST = 60;
/** Longest values by argument name, for sentences and lists instead of content. */
const LONGEST_OF: Readonly<Record<string, number>> = {
  advice: 300,
  declare: 100,
  known: 300,
  longest: 200,
  other: 200,
  reason: 300,
  // Editors copy suggestions.
  suggestion: 120,
};

/**
 * Makes a diagnostic from its code and the values of its message, which are shortened.
 *
 * @param path path of the field it concerns.
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

/** Names a finding: it is the same one although lines above it have come or gone. */
export function nameOf({ code, file, fieldPath, message }: Diagnostic): string {
  return JSON.stringify([code, file, fieldPath, message]);
}

/** Compares diagnostics by file, line, column and code: the order of reports. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  const line = (a.span?.line ?? 0) - (b.span?.line ?? 0);
  if (line !== 0) return line;
  const column = (a.span?.column ?? 0) - (b.span?.column ?? 0);
  if (column !== 0) return column;
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0;
}

/** Returns a function from two offsets of `text` to a span, which ends with its first line. */
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
