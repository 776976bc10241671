/** A draft may be unfinished: what is wrong with its values is a warning, as long as the file can be read and named. */
import type { DiagnosticCode } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { ReadableProperty } from './readable.ts';

/** What stays an error: the file cannot be read as it was meant, or its id is that of another property. */
const ALWAYS_ERRORS: ReadonlySet<string> = new Set<DiagnosticCode>([
  'several-documents',
  'yaml-syntax',
  'duplicate-key',
  'too-many-aliases',
  'nested-too-deep',
  'too-many-tokens',
  'duplicate-id',
]);

/** Findings of one file, as they count for it: of a draft with a sound id, most are warnings. */
export function judgedAsDraft(
  readable: Pick<ReadableProperty, 'id' | 'draft'> | undefined,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return readable?.draft === 'true' && readable.id !== undefined ? lenient(diagnostics) : diagnostics;
}

/** Findings of a draft. */
export function lenient(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    ALWAYS_ERRORS.has(diagnostic.code) ? diagnostic : { ...diagnostic, severity: 'warning' },
  );
}
