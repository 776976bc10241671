import { countText } from '../text/amounts.ts';
import type { Finding, ValuePath } from './api.ts';
import { languageAt } from './translations.ts';
import { isEqualValue } from './undo-history.ts';

/** With `isWhole`, includes findings about inner values. */
export function findingsAt(findings: readonly Finding[], path: ValuePath, isWhole = false): Finding[] {
  return findings.filter(
    ({ field }) =>
      field !== null &&
      (isWhole ? isEqualValue(field.slice(0, path.length), path) : isEqualValue(field, path)),
  );
}

/**
 * Returns findings that no field of the form shows.
 * @param language the form's language; empty for the default language
 */
export function findingsElsewhere(
  findings: readonly Finding[],
  fields: ReadonlySet<string>,
  language = '',
): Finding[] {
  return findings.filter(
    ({ field }) => field === null || !fields.has(String(field[0])) || languageAt(field) !== language,
  );
}

export function controlId(path: ValuePath): string {
  return `field-${path.join('-')}`;
}

export function focusFirst(findings: readonly Finding[]): void {
  const controls = findings.flatMap(({ field }) => controlOf(field) ?? []);
  const [first] = controls.sort((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.scrollIntoView({ block: 'center' });
  first?.focus({ preventScroll: true });
}

function controlOf(field: ValuePath | null): HTMLElement | undefined {
  for (let length = field?.length ?? 0; field && length > 0; length--) {
    const control = document.getElementById(controlId(field.slice(0, length)));
    if (control) return control;
  }
  return undefined;
}

export function findingTally(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return [errors && countText(errors, 'error'), warnings && countText(warnings, 'warning')]
    .filter(Boolean)
    .join(', ');
}
