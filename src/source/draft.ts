/** Drafts may be unfinished: most errors are only warnings, if the file can be parsed and has a valid id. */
import type { DiagnosticCode } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { ReadableProperty } from './readable.ts';

/** The file cannot be parsed as intended, or its id is that of another property. */
const ALWAYS_ERRORS: ReadonlySet<string> = new Set<DiagnosticCode>([
  'several-documents',
  'yaml-syntax',
  'duplicate-key',
  'too-many-aliases',
  'nested-too-deep',
  'too-many-tokens',
  'duplicate-id',
]);

export function judgedAsDraft(
  readable: Pick<ReadableProperty, 'id' | 'draft'> | undefined,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return readable?.draft === 'true' && readable.id !== undefined ? lenient(diagnostics) : diagnostics;
}

export function lenient(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    ALWAYS_ERRORS.has(diagnostic.code) ? diagnostic : { ...diagnostic, severity: 'warning' },
  );
}
