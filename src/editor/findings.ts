/** Which findings stand beside which field. */
import { plural } from '../words.ts';
import type { Finding, ValuePath } from './api.ts';
import { isSame } from './snapshots.ts';

/** Findings about a value itself. With `isWhole`, those about what is in it as well. */
export function findingsAt(findings: readonly Finding[], path: ValuePath, isWhole = false): Finding[] {
  return findings.filter(
    ({ field }) =>
      field !== null && (isWhole ? isSame(field.slice(0, path.length), path) : isSame(field, path)),
  );
}

/** Findings about the file as a whole, and about fields that the form does not have. */
export function findingsElsewhere(findings: readonly Finding[], fields: ReadonlySet<string>): Finding[] {
  return findings.filter(({ field }) => field === null || !fields.has(String(field[0])));
}

/** Id of a control in the document, by what it edits. */
export function controlId(path: ValuePath): string {
  return `field-${path.join('-')}`;
}

/** Brings a field into view, with the focus in it; where it has no control, the one around it. */
export function focusOn(field: ValuePath | null): void {
  for (let length = field?.length ?? 0; field && length > 0; length--) {
    const control = document.getElementById(controlId(field.slice(0, length)));
    if (!control) continue;
    control.scrollIntoView({ block: 'center' });
    control.focus({ preventScroll: true });
    return;
  }
}

/** "2 errors, 1 warning"; empty when there is nothing. */
export function findingTally(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return [errors && plural(errors, 'error'), warnings && plural(warnings, 'warning')]
    .filter(Boolean)
    .join(', ');
}
