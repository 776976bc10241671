/**
 * The findings of each source file are kept as one line of JSON, or as an empty line. As objects, two findings for each
 * of a million files took 3.9 GB.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Diagnostic, Span } from '../../source/diagnostic.ts';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../../source/diagnostic-codes.ts';

const ORDER = Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[];
const NUMBERS: ReadonlyMap<DiagnosticCode, number> = new Map(ORDER.map((code, index) => [code, index]));

/** The result fits into 16 bits. */
export function findingKind({ code, severity }: Diagnostic): number {
  return NUMBERS.get(code)! * 2 + (severity === 'error' ? 1 : 0);
}

export function isErrorKind(kind: number): boolean {
  return kind % 2 === 1;
}

export function codeOfFindingKind(kind: number): DiagnosticCode {
  return ORDER[kind >> 1]!;
}

type Stored = readonly [
  kind: number,
  message: string,
  help: string,
  span: readonly [line: number, column: number, length: number, text: string] | 0,
  fieldPath?: readonly (string | number)[] | 0,
  suggestion?: string,
];

export function encodeFindings(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.length === 0 ? '' : JSON.stringify(diagnostics.map(storedOf));
}

function storedOf(found: Diagnostic): Stored {
  const { message, help, span, fieldPath, suggestion } = found;
  const row = span && ([span.line, span.column, span.length, span.text] as const);
  const start = [findingKind(found), message, help, row ?? 0] as const;
  if (suggestion !== undefined) return [...start, fieldPath ?? 0, suggestion];
  return fieldPath ? [...start, fieldPath] : start;
}

export function decodeFindings(line: string, file: string): readonly Diagnostic[] {
  return (JSON.parse(line) as Stored[]).map(([kind, message, help, row, fieldPath, suggestion]) => ({
    code: codeOfFindingKind(kind),
    severity: isErrorKind(kind) ? 'error' : 'warning',
    file,
    span: row === 0 ? null : spanOf(row),
    message,
    help,
    ...(fieldPath && { fieldPath }),
    ...(suggestion !== undefined && { suggestion }),
  }));
}

function spanOf([line, column, length, text]: Exclude<Stored[3], 0>): Span {
  return { line, column, length, text };
}

/** Similar findings shrink to a tenth. Returns no bytes if all lines are empty. */
export function compressFindingLines(lines: readonly string[]): Buffer {
  return lines.every((line) => line === '')
    ? Buffer.alloc(0)
    : deflateRawSync(lines.join('\n'), { level: 1 });
}

export function decompressFindingLines(bytes: Buffer): readonly string[] {
  return inflateRawSync(bytes).toString('utf8').split('\n');
}
