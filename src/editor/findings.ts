/** Which findings stand beside which field. */
import type { Finding, ValuePath } from './api.ts';
import { isSame } from './edit-log.ts';

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

/** "2 errors, 1 warning"; empty when there is nothing. */
export function findingTally(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  const counted = (count: number, one: string) =>
    count === 0 ? [] : [`${count} ${one}${count > 1 ? 's' : ''}`];
  return [...counted(errors, 'error'), ...counted(warnings, 'warning')].join(', ');
}
