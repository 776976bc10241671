/** Drafts may be unfinished: if the file can be parsed and has a valid id, most errors become warnings. */

import type { Diagnostic } from './diagnostic.ts';
import type { DiagnosticCode } from './diagnostic-codes.ts';
import type { PartialProperty } from './readable-property.ts';

/** These stay errors in a draft: the file cannot be parsed as intended, or another property has the same id. */
const ALWAYS_ERRORS: ReadonlySet<string> = new Set<DiagnosticCode>([
  'several-documents',
  'yaml-syntax',
  'duplicate-key',
  'too-many-aliases',
  'nested-too-deep',
  'too-many-tokens',
  'duplicate-id',
]);

export function applyDraftSeverity(
  readable: Pick<PartialProperty, 'id' | 'draft'> | undefined,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return readable?.draft === 'true' && readable.id !== undefined ? downgradeErrors(diagnostics) : diagnostics;
}

export function downgradeErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    ALWAYS_ERRORS.has(diagnostic.code) ? diagnostic : { ...diagnostic, severity: 'warning' },
  );
}
