import { cutText } from '../text/shorten.ts';
import { DIAGNOSTIC_CODES, type DiagnosticArgs, type DiagnosticCode } from './diagnostic-codes.ts';

export type Span = {
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** In UTF-16 units, at least 1. */
  readonly length: number;
  /** The whole line, without its line ending. */
  readonly text: string;
};

export type Diagnostic = {
  /** Permanent; see `docs/diagnostics.md`. */
  readonly code: DiagnosticCode;
  /** Only errors prevent the property from being published. */
  readonly severity: 'error' | 'warning';
  /** Relative to the content folder, with `/`. */
  readonly file: string;
  readonly span: Span | null;
  readonly message: string;
  /** Empty if the message includes the advice. */
  readonly help: string;
  /** Field names, and list indexes from 0. Undefined for a finding about the whole file. */
  readonly fieldPath?: readonly (string | number)[];
  /** What to write instead of the field's value, or instead of its name if `code` is about the name. */
  readonly suggestion?: string;
};

export function isError({ severity }: Pick<Diagnostic, 'severity'>): boolean {
  return severity === 'error';
}

/** In UTF-16 units. */
const MAX_VALUE_LENGTH = 60;
/** Maximum lengths of arguments that are sentences or lists. */
const MAX_LENGTH_OF: Readonly<Record<string, number>> = {
  advice: 300,
  declare: 100,
  known: 300,
  longest: 200,
  other: 200,
  reason: 300,
  // Longer, since editors copy suggestions.
  suggestion: 120,
};

export function createDiagnostic(
  code: DiagnosticCode,
  file: string,
  span: Span | null,
  args: DiagnosticArgs = {},
  path: readonly PropertyKey[] = [],
): Diagnostic {
  const { severity, message, help } = DIAGNOSTIC_CODES[code];
  const short = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? cutText(value, MAX_LENGTH_OF[name] ?? MAX_VALUE_LENGTH) : value,
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

export function diagnosticKey({ code, file, fieldPath, message }: Diagnostic): string {
  return JSON.stringify([code, file, fieldPath, message]);
}

/** The order of reports: by file, line, column and code. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  const line = (a.span?.line ?? 0) - (b.span?.line ?? 0);
  if (line !== 0) return line;
  const column = (a.span?.column ?? 0) - (b.span?.column ?? 0);
  if (column !== 0) return column;
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0;
}

/** The returned function takes two offsets. If they are on different lines, the span ends with the first line. */
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
